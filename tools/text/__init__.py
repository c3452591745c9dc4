"""Words: how they are normalized, stemmed, weighed and translated; what languages they are in."""
