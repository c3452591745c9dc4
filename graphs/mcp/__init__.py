"""What other programs ask: MCP server, its resources and prompts, how clients are told of it."""
