"""A conversation as chat programs hold it: messages in, messages out."""
