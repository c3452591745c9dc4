"""The local servers' life with real processes."""
