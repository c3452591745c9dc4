"""Facts that a language model reads in notes."""
