"""The MCP server over standard input and output: ``brain mcp``."""

import asyncio
from pathlib import Path

from mcp.server.stdio import stdio_server

from graphs.app import open_brain
from graphs.mcp.server import mcp_server
from graphs.toolkit.tool import Session


async def serve(*, vault: Path | None, data_dir: Path | None) -> int:
    """Answer one client until it hangs up. Raises InputError and StorageError."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        session = Session(brain)

        async def opened() -> Session:
            return session

        server = mcp_server(opened)
        waking = asyncio.create_task(brain.wake())
        try:
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())
        finally:
            waking.cancel()
            await asyncio.gather(waking, return_exceptions=True)
    return 0
