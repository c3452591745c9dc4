"""The bounds of ``baseline.json``, as tests."""
