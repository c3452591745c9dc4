"""The MCP server over standard input and output: ``brain mcp``."""

import asyncio
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from graphs.core.crash_report import record
from graphs.mcp.server import mcp_server
from graphs.mcp.standard_streams import client_messages
from tools.base.errors import BrainError
from tools.graph.access.kinds import Tier
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from graphs.brain import Brain
    from graphs.toolkit.tool import OwnSession, Session


async def serve(*, vault: Path | None, data_dir: Path | None, tier: Tier) -> int:
    """Answer one client, which has the rights of a tier, until it hangs up.

    It is answered before the vault is open: what the tools are is known without it.
    """
    kept = _Vault(vault, data_dir)
    kept.open()
    server = mcp_server(_Client(tier, kept))
    try:
        async with client_messages() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* (BrokenPipeError, ConnectionError):
        pass  # it hung up while it was answered
    finally:
        await kept.close()
    return 0


class _Vault:
    """The vault, open while the client is there; where it could not be, a call tries it again."""

    def __init__(self, vault: Path | None, data_dir: Path | None) -> None:
        self._vault, self._data_dir = vault, data_dir

    def open(self) -> None:
        """Begin to open it."""
        self._opened: asyncio.Future[Brain] = asyncio.get_running_loop().create_future()
        self._holding = asyncio.create_task(self._hold())

    async def brain(self) -> "Brain":
        """It, once it is open. Raises BrainError where it cannot be."""
        if self._holding.done():  # it may be there by now, as a disk that is mounted late
            self.open()
        return await asyncio.shield(self._opened)

    async def close(self) -> None:
        self._holding.cancel()
        await asyncio.gather(self._holding, return_exceptions=True)

    async def _hold(self) -> None:
        """Open the vault, tell of it or of why not, and keep it until this is cancelled."""
        opened = self._opened
        try:
            for heavy in ("graphs.app", "graphs.toolkit.registry"):
                await asyncio.to_thread(import_module, heavy)
            from graphs.app import open_brain

            async with open_brain(self._vault, data_dir=self._data_dir) as brain:
                opened.set_result(brain)
                await asyncio.Event().wait()
        except Exception as error:  # noqa: BLE001 - each call tells of it, in its words
            if not opened.done():
                told = error if isinstance(error, BrainError) else BrainError(record(error))
                opened.set_exception(told)
                opened.exception()  # perhaps nobody asks


class _Client:
    """The one client that there is."""

    def __init__(self, tier: Tier, kept: _Vault) -> None:
        self._tier: Tier = tier
        self._kept = kept
        self._own: OwnSession | None = None

    def tier(self, _: object) -> Tier:
        return self._tier

    async def session(self, _: object) -> "Session":
        from graphs.toolkit.tool import OwnSession

        brain = await self._kept.brain()
        # An unmounted disk must not look like deleted notes.
        await asyncio.to_thread(check_vault, brain.settings.vault)
        if self._own is None:
            self._own = OwnSession("mcp", self._tier)
        return await self._own.over(brain)
