"""Which sentence, row, list or property of the notes answers a question."""
