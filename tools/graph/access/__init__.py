"""Who may do what to a graph, as the databases themselves enforce it."""
