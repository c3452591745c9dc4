"""A step that is done to its end, or not begun: what is written is also written down."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import anyio


async def whole[T](step: Coroutine[Any, Any, T]) -> T:
    """Do a step to its end; a cancellation waits for that and then goes on."""
    task = asyncio.ensure_future(step)
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):  # MCP cancels so: again and again while one waits
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        raise cancelled from (None if task.cancelled() else task.exception())
    return task.result()
