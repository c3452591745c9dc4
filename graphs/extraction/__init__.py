"""Facts of notes, read by a language model: what to read, in which parts, at what cost."""
