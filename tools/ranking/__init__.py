"""What the searches found becomes one ranking of notes."""
