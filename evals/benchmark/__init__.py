"""The project's own test sets, measured and held against their bounds."""
