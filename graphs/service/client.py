"""Ask the service process of a vault, where one runs: an MCP client over its Unix socket.

Only the standard library is imported, so that a question costs little more than its answer.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphs.service.exchange import Exchange
from graphs.toolkit.request import COMMAND, QueryRequest
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
SESSION_HEADER, CLIENT_HEADER = "Mcp-Session-Id", "Brain-Client"
"""What a client calls its session and itself; for hints and the audit log."""
MARK_HEADER = "Brain-Mark"
"""The mark of the process that a client has found: one started anew may have other settings."""
REVISION_HEADER = "MCP-Protocol-Version"

_REVISION = "2026-07-28"
"""The MCP revision spoken; since it a call is one request, without a session before it."""
_ENVELOPE = "io.modelcontextprotocol/"
_ALIVE_SECONDS = 2.0
_LOOK_SECONDS = 5.0
"""A model may take minutes for one answer; so often a client looks whether it is still made."""
_BUSY_SECONDS = 10.0
"""Within this a process that makes answers says that it is there."""


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
        headers = {REVISION_HEADER: _REVISION, "Mcp-Method": "tools/call", "Mcp-Name": TOOL}
        with service.open() as exchange:
            *_, last = exchange.send("POST", MCP_PATH, body=body, headers=headers)
        reply = json.loads(last)
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

    def open(self) -> Exchange:
        """What sends one message of MCP, and waits for its reply however long that is made."""

        def look() -> None:
            try:
                with Exchange(self.file, token=self.token, seconds=_BUSY_SECONDS) as alive:
                    list(alive.send("GET", HEALTH))
            except (OSError, ValueError) as error:  # not as if nothing had been sent
                raise ConnectionResetError from error

        return Exchange(self.file, token=self.token, seconds=_LOOK_SECONDS, look=look)


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
        with Exchange(file, token=token, seconds=_ALIVE_SECONDS) as alive:
            mark = json.loads(next(alive.send("GET", HEALTH)))["mark"]
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
        f"{_ENVELOPE}clientInfo": {"name": COMMAND, "version": "1"},
    }
    params = {"name": TOOL, "arguments": given, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
