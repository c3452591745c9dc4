"""The state machines and the ways in: Python, command line, service, LangGraph."""
