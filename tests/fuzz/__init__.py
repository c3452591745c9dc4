"""Fuzzing of what reads texts that nobody of us wrote: ``python -m tests.fuzz --help``."""
