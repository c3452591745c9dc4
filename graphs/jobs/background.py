"""Work in a process of its own that ends when it is told to, or when its owner is gone."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from tools.runtime.server_process import Owner

_OWNER_SECONDS = 1.0


@asynccontextmanager
async def until_ended(owner: int | None) -> AsyncGenerator[asyncio.Event]:
    """The event that is set once the process is told to end, or its ``owner`` is gone."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    watch = asyncio.create_task(_end_with(owner, stopping))
    try:
        yield stopping
    finally:
        watch.cancel()


async def _end_with(owner: int | None, stopping: asyncio.Event) -> None:
    process = Owner(owner)
    while not process.gone():  # noqa: ASYNC110 - not every system tells of a process's end
        await asyncio.sleep(_OWNER_SECONDS)
    stopping.set()
