"""What of the notes found answers: spans, overviews, names."""
