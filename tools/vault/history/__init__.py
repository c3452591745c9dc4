"""The versions of notes, and what the graph has of them."""
