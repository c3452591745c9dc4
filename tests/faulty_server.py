"""A server in another's place: it takes connections and answers each request with given bytes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def faulty_server(socket: Path, reply: bytes | None) -> AsyncGenerator[None]:
    """Listen on ``socket``; without a ``reply`` it is silent, with an empty one it hangs up."""
    over = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1 << 20):
            if reply is None:
                await over.wait()
            writer.write(reply or b"")
            if not reply:
                break
        writer.close()

    socket.unlink(missing_ok=True)  # noqa: ASYNC240 - it takes no time
    async with await asyncio.start_unix_server(answer, socket):
        try:
            yield
        finally:
            over.set()
            socket.unlink(missing_ok=True)  # noqa: ASYNC240 - it takes no time
