"""The whole vault looked through for what its notes contradict each other in."""
