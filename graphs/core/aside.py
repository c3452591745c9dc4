"""Context managers of files and locks, entered and left beside the event loop."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, asynccontextmanager

from graphs.core.whole_step import whole


@asynccontextmanager
async def aside[T](manager: AbstractContextManager[T]) -> AsyncGenerator[T]:
    """What the manager does is done in threads; the block runs in the loop.

    A cancellation waits for it: a lock that was taken meanwhile is let go.
    """
    entered: list[T] = []

    async def enter() -> None:
        entered.append(await asyncio.to_thread(manager.__enter__))

    leave = manager.__exit__
    try:
        await whole(enter())
        yield entered[0]
    except BaseException as error:
        told = type(error), error, error.__traceback__
        if not entered or not await whole(asyncio.to_thread(leave, *told)):
            raise
    else:
        await whole(asyncio.to_thread(leave, None, None, None))
