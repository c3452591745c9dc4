"""Nodes and edges of the graph, as tools name, find and give them."""
