"""Who called which tool: the log of a vault, what is kept of a call, and whether it is whole."""
