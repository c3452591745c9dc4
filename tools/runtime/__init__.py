"""Processes, SQLite files, logs and spans."""
