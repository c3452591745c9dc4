"""Waiting until something is so, by looking again and again, instead of for a time."""

import asyncio
import time
from collections.abc import Callable, Iterator

_PAUSE_SECONDS = 0.02


def until(condition: Callable[[], object], *, seconds: float = 60) -> None:
    """Return as soon as something is so; fail after ``seconds``."""
    for _ in _looks_in_vain(condition, seconds=seconds):
        time.sleep(_PAUSE_SECONDS)


async def until_async(condition: Callable[[], object], *, seconds: float = 60) -> None:
    """The same while the loop of a test goes on."""
    for _ in _looks_in_vain(condition, seconds=seconds):
        await asyncio.sleep(_PAUSE_SECONDS)


def _looks_in_vain(condition: Callable[[], object], *, seconds: float) -> Iterator[None]:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to be"
        yield
