"""The first contact with a server at an address: made once, and waited for once."""

import asyncio
import time
from collections.abc import Awaitable, Callable

CONTACT_SECONDS = 4.0
"""How long a server may take to be connected to, to greet and to let in."""
_GIVEN_UP_SECONDS = 10.0
"""How long one that took longer is not asked again: a run asks many times and waits once."""


class Contact:
    """Whether the server at an address answers, for one event loop. ``seconds`` is its limit."""

    def __init__(self, *, seconds: float) -> None:
        self._seconds = seconds
        self._made = False
        self._given_up_until = 0.0

    async def make(self, greet: Callable[[], Awaitable[object]]) -> None:
        """Await ``greet``, unless that was done. Raises TimeoutError for a silent server."""
        if self._made:
            return
        if time.monotonic() < self._given_up_until:
            raise TimeoutError
        try:
            async with asyncio.timeout(self._seconds):
                await greet()
        except TimeoutError:
            self._given_up_until = time.monotonic() + _GIVEN_UP_SECONDS
            raise
        self._made = True

    def lost(self) -> None:
        """Have the next contact made anew."""
        self._made = False
