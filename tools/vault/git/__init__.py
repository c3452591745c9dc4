"""What git knows of a vault."""
