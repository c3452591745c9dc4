"""How a graph is written to and walked in any of its databases."""
