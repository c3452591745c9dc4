"""The MCP server over standard input and output: ``brain mcp``."""

import asyncio
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from mcp.server.stdio import stdio_server

from graphs.mcp.server import mcp_server
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from graphs.toolkit.tool import Session


async def serve(*, vault: Path | None, data_dir: Path | None) -> int:
    """Answer one client until it hangs up.

    It is answered before the vault is open: what the tools are is known without it.
    """
    opened: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
    holding = asyncio.create_task(_hold_open(opened, vault=vault, data_dir=data_dir))

    async def session() -> "Session":
        one = await asyncio.shield(opened)
        # An unmounted disk must not look like deleted notes.
        await asyncio.to_thread(check_vault, one.brain.settings.vault)
        return one

    server = mcp_server(session)
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* (BrokenPipeError, ConnectionError):
        pass  # it hung up while it was answered
    finally:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
    return 0


async def _hold_open(
    opened: "asyncio.Future[Session]", *, vault: Path | None, data_dir: Path | None
) -> None:
    """Open the vault, tell of it or of why not, and keep it until this is cancelled."""
    try:
        for heavy in ("graphs.app", "graphs.toolkit.registry"):
            await asyncio.to_thread(import_module, heavy)
        from graphs.app import open_brain
        from graphs.toolkit.tool import Session, caller

        async with open_brain(vault, data_dir=data_dir) as brain:
            opened.set_result(Session(brain, caller("mcp")))
            await asyncio.Event().wait()
    except Exception as error:  # noqa: BLE001 - each call tells of it, in its words
        if not opened.done():
            opened.set_exception(error)
