"""The searches: by meaning, by words and in the graph, of today and of then."""
