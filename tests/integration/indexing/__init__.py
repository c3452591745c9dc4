"""Vaults of all kinds indexed, watched, and indexed anew."""
