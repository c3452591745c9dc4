"""The order of the notes found."""
