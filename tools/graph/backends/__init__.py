"""The databases that a graph may be in."""
