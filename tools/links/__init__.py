"""Links between notes: what speaks for one, which may be made, what became of those suggested."""
