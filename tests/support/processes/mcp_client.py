"""A client of `brain mcp` that writes and reads lines itself, as no library would let it."""

import json
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.support.processes.command_line import BRAIN

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "x", "version": "1"},
}


def message(**members: Any) -> bytes:
    """A message of JSON-RPC."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def tool_call(number: object, tool: str, **arguments: object) -> bytes:
    """A call of a tool."""
    params = {"name": tool, "arguments": arguments}
    return message(id=number, method="tools/call", params=params)


class LineClient:
    """A client whose server is a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def write(self, *lines: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next message; it waits for it."""
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def hang_up(self) -> bytes:
        """Close what it writes, and return what it is still told until the server has ended."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        told = self.process.stdout.read()
        assert self.process.wait(60) == 0
        return told


@contextmanager
def line_client(variables: Mapping[str, str]) -> Generator[LineClient]:
    """A client that has greeted its server and was greeted."""
    with subprocess.Popen(
        [BRAIN, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables
    ) as process:
        try:
            client = LineClient(process)
            client.write(message(id=0, method="initialize", params=HELLO))
            assert client.read()["result"]["serverInfo"]["name"] == "brain"
            yield client
        finally:
            process.kill()
