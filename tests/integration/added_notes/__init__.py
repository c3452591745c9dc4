"""Ways in: the command line, pages, LangChain's retriever, LangGraph Studio."""
