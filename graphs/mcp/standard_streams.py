"""One client's messages over standard input and output, where a line that is none gets a reply.

The SDK's own reader drops such a line without a word, so a client would wait for ever.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError
from mcp_types.jsonrpc import RequestId, jsonrpc_message_adapter
from pydantic import ValidationError

from graphs.mcp.messages import NO_JSON, NO_REQUEST, RefusedMessageError, read_message, request_of

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    type _Write = WriteStream[SessionMessage]
    type _Streams = tuple[ReadStream[SessionMessage | Exception], _Write]


@asynccontextmanager
async def client_messages() -> "AsyncGenerator[_Streams]":
    """What a server reads and writes; meanwhile no child process can read what the client says."""
    replies: asyncio.Future[_Write] = asyncio.get_running_loop().create_future()
    wire = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    lines = cast("anyio.AsyncFile[str]", _messages(wire, replies))
    async with stdio_server(stdin=lines) as (read, write):
        replies.set_result(write)
        yield read, write


async def _messages(wire: int, replies: "asyncio.Future[_Write]") -> AsyncGenerator[str]:
    """The lines that are messages; to others it replies."""
    # A thread may wait for it to the end of the process, so it is never closed.
    async for line in anyio.wrap_file(os.fdopen(wire, "rb", closefd=False)):
        if not line.strip():
            continue
        try:
            known = request_of(read_message(line))
            yield _accepted(line.decode(), request=known)
        except RefusedMessageError as refused:
            error = ErrorData(code=refused.code, message=refused.message)
            reply = JSONRPCError(jsonrpc="2.0", id=refused.request, error=error)
            await (await replies).send(SessionMessage(reply))


def _accepted(line: str, *, request: RequestId | None) -> str:
    """The line, where the SDK can read it too. Raises RefusedMessageError."""
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        told = error.errors(include_url=False, include_input=False)[0]
        code = NO_JSON if told["type"] == "json_invalid" else NO_REQUEST
        words = f"This cannot be read: {told['msg']}."
        raise RefusedMessageError(code, words, request=request) from None
    return line
