"""A data directory: whose it is, what its stores hold, how far they are behind."""
