"""A note's bytes with something put in and every other byte kept. Pure."""
