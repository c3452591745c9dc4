"""A vault that changes while it is looked at."""
