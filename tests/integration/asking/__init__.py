"""Questions asked all the way, and contradictions in a whole vault."""
