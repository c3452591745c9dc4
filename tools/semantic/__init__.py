"""Texts as vectors: encoders, readers, the index of passages and its server."""
