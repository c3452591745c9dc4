"""Ask the service process of a vault, where one runs: an MCP client over its Unix socket.

Only the standard library is imported, so that a question costs little more than its answer.
"""

import json
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from graphs.toolkit.request import QueryRequest
from tools.base import errors
from tools.base.errors import BrainError, StorageError
from tools.runtime.server_process import private_run_dir
from tools.settings.sources import Place

NAME = "serve"
TOOL = "ask"
HEALTH = "/health"
MCP_PATH = "/mcp"
TIER_HEADER = "Brain-Tier"
"""The tier a client wants to have, where it has proven more."""
SESSION_HEADER, CLIENT_HEADER = "Brain-Session", "Brain-Client"
"""What a client calls its session and itself; for hints and the audit log."""

_REVISION = "2026-07-28"
"""The MCP revision spoken; since it a call is one request, without a session before it."""
_ENVELOPE = "io.modelcontextprotocol/"
_ALIVE_SECONDS = 2.0
_LOOK_SECONDS = 5.0
"""A model may take minutes for one answer; so often a client looks whether it is still made."""
_BUSY_SECONDS = 10.0
"""Within this a process that makes answers says that it is there."""


class RefusedReplyError(ValueError):
    """The process answered that it does not do this: an HTTP status, and what it says of it."""

    def __init__(self, status: int, content: bytes) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.content = content


class OtherSettingsError(Exception):
    """The service process runs with other settings, or is of another version."""


def socket_file(run_dir: Path) -> Path:
    return run_dir / f"{NAME}.sock"


def token_file(data_dir: Path) -> Path:
    return data_dir / f"{NAME}.token"


def token_draft(data_dir: Path) -> Path:
    """The token while it is being written."""
    return data_dir / f"{NAME}.draft"


def ask_service(place: Place, asked: QueryRequest) -> Mapping[str, Any] | None:
    """The answer as JSON has it, or None where no service process answers.

    Raises OtherSettingsError where another answer could come of one, and as ``Brain.ask`` does.
    """
    service = find_service(place)
    if service is None:
        return None
    try:
        body = json.dumps(_call(asked)).encode()
        headers = {"MCP-Protocol-Version": _REVISION, "Mcp-Method": "tools/call", "Mcp-Name": TOOL}
        reply = json.loads(service.post(body, headers=headers))
        told = reply["result"]["structuredContent"]
        if not reply["result"].get("isError"):
            return told
        failure = _failures()[told["error"]](told["message"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None  # it is gone, ends just now, is none of ours, or has a defect
    raise failure


@dataclass(frozen=True, slots=True)
class Service:
    """The service process of a vault, which answered a moment ago."""

    file: Path
    token: str

    def post(self, body: bytes, *, headers: Mapping[str, str]) -> bytes:
        """Send a message of MCP and return the reply, however long it takes to be made.

        Raises OSError where the process is gone, RefusedReplyError where it refuses.
        """
        look = partial(_exchange, self.file, "GET", HEALTH, token=self.token, seconds=_BUSY_SECONDS)
        return _exchange(
            self.file,
            "POST",
            MCP_PATH,
            token=self.token,
            seconds=_LOOK_SECONDS,
            body=body,
            headers=headers,
            look=look,
        )


def find_service(place: Place) -> Service | None:
    """The service process of a vault, where one answers.

    Raises OtherSettingsError where it would answer with other settings.
    """
    file = socket_file(place.run_dir)
    try:
        if not file.is_socket() or not _is_of(place):
            return None
        private_run_dir(place.run_dir)
        token = token_file(place.data_dir).read_text("ascii").strip()
        # Asked first and by itself: a process that hangs must not be waited for as one that works.
        alive = json.loads(_exchange(file, "GET", HEALTH, token=token, seconds=_ALIVE_SECONDS))
        mark = alive["mark"]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StorageError):
        return None
    if mark != place.mark:
        raise OtherSettingsError
    return Service(file, token)


def _failures() -> dict[str, type[BrainError]]:
    """What can be told, by name; a defect, told as BrainError, may be that process's own."""
    kinds = (kind for kind in vars(errors).values() if isinstance(kind, type))
    return {
        kind.__name__: kind
        for kind in kinds
        if issubclass(kind, BrainError) and kind is not BrainError
    }


def _is_of(place: Place) -> bool:
    """Whether the data directory is this vault's, as ``claim`` wrote into it."""
    return (place.data_dir / "vault").read_bytes() == os.fsencode(place.vault) + b"\n"


def _call(asked: QueryRequest) -> dict[str, object]:
    given = {name: value for name, value in asdict(asked).items() if value is not None}
    capable: dict[str, object] = {}
    meta = {
        f"{_ENVELOPE}protocolVersion": _REVISION,
        f"{_ENVELOPE}clientCapabilities": capable,
        f"{_ENVELOPE}clientInfo": {"name": "terminal", "version": "1"},
    }
    params = {"name": TOOL, "arguments": given, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _exchange(
    file: Path,
    method: str,
    path: str,
    *,
    token: str,
    seconds: float,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    look: Callable[[], object] | None = None,
) -> bytes:
    """One request and the content of its reply over a connection of its own.

    HTTP 1.0 is the one that needs no library: the reply is what comes until the connection ends.
    Raises OSError where none comes within ``seconds``, or where ``look``, which is called each time
    they pass, raises it; ValueError where the reply is no success or cut short.
    """
    lines = (
        f"{method} {path} HTTP/1.0",
        "Host: localhost",
        f"Authorization: Bearer {token}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    )
    read = bytearray()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(seconds)
        connection.connect(str(file))
        connection.sendall("\r\n".join((*lines, "", "")).encode("ascii") + body)
        while more := _part(connection, look):
            read += more
    head, _, content = bytes(read).partition(b"\r\n\r\n")
    status = int((*head.split(b" ", 2), b"")[1])
    if status not in (HTTPStatus.OK, HTTPStatus.ACCEPTED):
        raise RefusedReplyError(status, content)
    return content


def _part(connection: socket.socket, look: Callable[[], object] | None) -> bytes:
    """What comes next, waited for as long as ``look`` finds it worth it."""
    while True:
        try:
            return connection.recv(1 << 16)
        except TimeoutError:
            if look is None:
                raise
            look()
