"""Notes read by a model."""
