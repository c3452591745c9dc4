"""The command line: what can be typed, and which command does it."""
