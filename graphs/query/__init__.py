"""From one question to one answer: the graph, and its steps in order."""
