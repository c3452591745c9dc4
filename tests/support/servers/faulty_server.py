"""A server in another's place: it takes connections and answers each request with given bytes."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

_COMMAND = re.compile(rb"^\*\d+\r\n", re.MULTILINE)


@asynccontextmanager
async def faulty_server(socket: Path, reply: bytes | None) -> AsyncGenerator[None]:
    """Listen on ``socket``; without a ``reply`` it is silent, with an empty one it hangs up."""
    connected: set[asyncio.StreamWriter] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.add(writer)
        while (asked := await reader.read(1 << 20)) and reply != b"":
            # Redis' clients send several commands at once.
            writer.write((reply or b"") * max(1, len(_COMMAND.findall(asked))))
        writer.close()

    await asyncio.to_thread(socket.unlink, missing_ok=True)
    server = await asyncio.start_unix_server(answer, socket)
    try:
        yield
    finally:
        server.close()
        for writer in connected:
            writer.close()
        await server.wait_closed()
        await asyncio.to_thread(socket.unlink, missing_ok=True)
