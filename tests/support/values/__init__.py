"""Values ready-made: a test names only what it is about."""
