"""Calls begun before their answers are asked for, and calls that several wait for together."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable

_KEPT = 16
"""Calls whose answers nobody has asked for yet; of more the oldest is given up."""


class Prefetch[*Given, T]:
    """A function whose calls can be begun; for one event loop.

    What was begun is given to the first who asks for it; whoever comes later makes a call anew.
    """

    def __init__(self, call: Callable[[*Given], Coroutine[None, None, T]]) -> None:
        self._call = call
        self._tasks: OrderedDict[tuple[*Given], asyncio.Task[T]] = OrderedDict()

    def begin(self, *given: *Given) -> None:
        """Begin a call; it takes the place of an earlier one that nobody has asked for."""
        self._tasks.pop(given, None)
        task = self._tasks[given] = asyncio.ensure_future(self._call(*given))
        task.add_done_callback(_heard)
        if len(self._tasks) > _KEPT:
            self._tasks.popitem(last=False)[1].cancel()

    async def __call__(self, *given: *Given) -> T:
        """Return what the call returns, or raise what it raises."""
        task = self._tasks.pop(given, None)
        return await (self._call(*given) if task is None else task)


class SingleFlight[T]:
    """Work in a thread that is done once while several need it; for one event loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[T]] = {}

    async def __call__(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return what ``work`` does, or what it does already for another with the same ``key``."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(asyncio.to_thread(work))
            task.add_done_callback(lambda done: (self._tasks.pop(key), _heard(done)))
        # Who gives up waiting must not end it for the others.
        return await asyncio.shield(task)


def _heard(task: asyncio.Task[object]) -> None:
    """Keep asyncio from telling of an error for which nobody asked."""
    if not task.cancelled():
        task.exception()
