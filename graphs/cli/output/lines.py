"""Waiting for a line of input."""

import asyncio
import threading
from collections.abc import Callable


async def read_line(prompt: str) -> str:
    """Wait for a line of input, in a thread whose end nobody waits for: Ctrl-C must end all of it.

    Raises EOFError.
    """
    loop = asyncio.get_running_loop()
    said: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        try:
            line = input(prompt)
        except (EOFError, OSError, RuntimeError, ValueError):  # ended, closed, or not text
            tell(said.set_exception, EOFError())
        else:
            tell(said.set_result, line)

    def tell[T](settle: Callable[[T], None], value: T) -> None:
        loop.call_soon_threadsafe(lambda: None if said.done() else settle(value))

    threading.Thread(target=read, daemon=True).start()
    return await said
