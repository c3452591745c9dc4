"""What other programs ask: an MCP server over the tools, and how clients are told of it."""
