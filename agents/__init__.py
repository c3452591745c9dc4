"""One decision each: how a question is read, what contradicts what, which sentences answer."""
