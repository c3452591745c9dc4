"""From files to the stores: index, graph, and whether both are up to date."""
