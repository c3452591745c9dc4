"""From evidence to the sentences of an answer, each with its citation."""
