"""Which lines of the notes found an overview, a summary or a list of sides quotes."""
