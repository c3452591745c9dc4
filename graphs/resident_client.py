"""Ask the resident process of a vault, where one runs: an MCP client over its Unix socket.

Only the standard library is imported, so that a question costs little more than its answer.
"""

import http.client
import json
import socket
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from graphs.asked import Asked
from tools import errors
from tools.errors import BrainError
from tools.serving import private_run_dir
from tools.settings_sources import Place

NAME = "serve"
TOOL = "ask"
HEALTH = "/health"
MCP_PATH = "/mcp"

_REVISION = "2026-07-28"
"""The MCP revision spoken; since it a call is one request, without a session before it."""
_ENVELOPE = "io.modelcontextprotocol/"
_ALIVE_SECONDS = 2.0
_ANSWER_SECONDS = 900.0
"""A model may be asked several times for one answer, each with a time limit of its own."""


class OtherSettingsError(Exception):
    """The resident process runs with other settings, or is of another version."""


def socket_file(run_dir: Path) -> Path:
    return run_dir / f"{NAME}.sock"


def token_file(data_dir: Path) -> Path:
    return data_dir / f"{NAME}.token"


def ask_resident(place: Place, asked: Asked) -> Mapping[str, Any] | None:
    """The answer as JSON has it, or None where no resident process answers.

    Raises OtherSettingsError where another answer could come of one, and as ``Brain.ask`` does.
    """
    file = socket_file(place.run_dir)
    try:
        if not file.is_socket():
            return None
        private_run_dir(place.run_dir)
        token = token_file(place.data_dir).read_text("ascii").strip()
        connection = _Connection(file)
        try:
            return _ask(connection, asked, token=token, mark=place.mark)
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError):  # it is gone, or ended meanwhile
        return None


def _ask(connection: "_Connection", asked: Asked, *, token: str, mark: str) -> Mapping[str, Any]:
    connection.timeout = _ALIVE_SECONDS
    if _send(connection, "GET", HEALTH, token)["mark"] != mark:
        raise OtherSettingsError
    connection.wait(_ANSWER_SECONDS)
    given = {name: value for name, value in asdict(asked).items() if value is not None}
    capable: dict[str, object] = {}
    meta = {f"{_ENVELOPE}protocolVersion": _REVISION, f"{_ENVELOPE}clientCapabilities": capable}
    body: dict[str, object] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": TOOL, "arguments": given, "_meta": meta},
    }
    reply = _send(connection, "POST", MCP_PATH, token, body=body)["result"]
    told = reply["structuredContent"]
    if reply.get("isError"):
        kind = getattr(errors, told["error"], BrainError)
        raise kind(told["message"])
    return told


def _send(
    connection: "_Connection", method: str, path: str, token: str, *, body: object = None
) -> Any:
    headers = {
        "Host": "localhost",
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": _REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": TOOL,
    }
    content = None if body is None else json.dumps(body).encode()
    connection.request(method, path, body=content, headers=headers)
    response = connection.getresponse()
    read = response.read()
    if response.status != http.client.OK:
        raise http.client.HTTPException(response.status)
    return json.loads(read)


class _Connection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, file: Path) -> None:
        super().__init__("localhost")
        self._file = file

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._file))

    def wait(self, seconds: float) -> None:
        """Set how long the next reply may take."""
        self.timeout = seconds
        if self.sock is not None:
            self.sock.settimeout(seconds)
