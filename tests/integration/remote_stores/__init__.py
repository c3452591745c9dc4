"""Stores at an address: Chroma, FalkorDB, Postgres."""
