"""The tools that other programs call: one definition each, served as MCP, LangChain tools and `brain tool`."""  # noqa: E501
