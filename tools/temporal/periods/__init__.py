"""The period that a question names."""
