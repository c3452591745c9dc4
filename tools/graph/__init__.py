"""What notes say as a graph of entities and relations on two axes of time."""
