"""The one way a text is taken apart."""
