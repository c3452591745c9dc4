"""Servers of a test's own: real ones, and ones that fail in a chosen way."""
