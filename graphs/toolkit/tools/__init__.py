"""The tools: each a function of a session and its arguments."""
