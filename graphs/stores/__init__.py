"""The data directory: whose it is, what its stores hold, how far behind they are, their servers."""
