"""The searches (``*_search.py``): by meaning, by words and in the graph, of today and of then."""
