"""A review of suggested links: the graph, its nodes, its threads."""
