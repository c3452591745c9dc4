"""The MCP server over standard input and output: ``brain mcp``."""

import asyncio
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from graphs.mcp.server import mcp_server
from graphs.mcp.standard_streams import client_messages
from tools.graph.access.kinds import Tier
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from graphs.brain import Brain
    from graphs.toolkit.tool import Session


async def serve(*, vault: Path | None, data_dir: Path | None, tier: Tier) -> int:
    """Answer one client, which has the rights of a tier, until it hangs up.

    It is answered before the vault is open: what the tools are is known without it.
    """
    opened: asyncio.Future[Brain] = asyncio.get_running_loop().create_future()
    holding = asyncio.create_task(_hold_open(opened, vault=vault, data_dir=data_dir))
    server = mcp_server(_Client(tier, opened))
    try:
        async with client_messages() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* (BrokenPipeError, ConnectionError):
        pass  # it hung up while it was answered
    finally:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
    return 0


class _Client:
    """The one client that there is."""

    def __init__(self, tier: Tier, opened: "asyncio.Future[Brain]") -> None:
        self._tier: Tier = tier
        self._opened = opened
        self._session: Session | None = None

    def tier(self, _: object) -> Tier:
        return self._tier

    async def session(self, _: object) -> "Session":
        from graphs.core.credentials import own_credential
        from graphs.toolkit.tool import open_session

        brain = await asyncio.shield(self._opened)
        # An unmounted disk must not look like deleted notes.
        await asyncio.to_thread(check_vault, brain.settings.vault)
        # A tier may be taken away, or get another secret, while its client is there.
        credential = await asyncio.to_thread(own_credential, brain.settings, self._tier)
        if self._session is None or self._session.login != credential.login:
            self._session = open_session(brain, "mcp", credential)
        return self._session


async def _hold_open(
    opened: "asyncio.Future[Brain]", *, vault: Path | None, data_dir: Path | None
) -> None:
    """Open the vault, tell of it or of why not, and keep it until this is cancelled."""
    try:
        for heavy in ("graphs.app", "graphs.toolkit.registry"):
            await asyncio.to_thread(import_module, heavy)
        from graphs.app import open_brain

        async with open_brain(vault, data_dir=data_dir) as brain:
            opened.set_result(brain)
            await asyncio.Event().wait()
    except Exception as error:  # noqa: BLE001 - each call tells of it, in its words
        if not opened.done():
            opened.set_exception(error)
