"""``brain mcp`` beside a service process: what a client says goes to it, line by line, and back.

Only the standard library is imported, so that it is there at once, and every client shares the one
process that has the vault open.
"""

import json
import secrets
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import IO, cast

from graphs.service.client import (
    CLIENT_HEADER,
    SESSION_HEADER,
    TIER_HEADER,
    RefusedReplyError,
    Service,
    find_service,
)
from tools.graph.access.kinds import Tier
from tools.settings.sources import Place

_AT_ONCE = 16
_VERSION = "io.modelcontextprotocol/protocolVersion"
_INTERNAL, _NO_JSON, _INVALID = -32603, -32700, -32600
_GONE = "`brain serve` has ended: connect again, or restart it."
_MOST_BYTES = 4_000_000
_TOO_LARGE = "The message is too large: 4 MB at most."


def serve_by_service(place: Place, tier: Tier) -> bool:
    """Answer a client, which has the rights of a tier, by the service process until it hangs up.

    False where none answers.
    """
    service = find_service(place)
    if service is None:
        return False
    _Bridge(place, service, sys.stdout.buffer, tier).run(sys.stdin.buffer)
    return True


class _Bridge:
    """One client's connection; each request waits in a thread of its own for its reply."""

    def __init__(self, place: Place, service: Service, out: IO[bytes], tier: Tier) -> None:
        self._place = place
        self._service = service
        self._out = out
        self._always = {TIER_HEADER: tier, SESSION_HEADER: secrets.token_hex(8)}
        self._writing = threading.Lock()
        self._version: str | None = None

    def run(self, lines: IO[bytes]) -> None:
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="mcp") as pool:
            for line in lines:
                if line.strip():
                    pool.submit(self._forward, line)

    def _forward(self, line: bytes) -> None:
        said = _object(line)
        if len(line) > _MOST_BYTES:  # the process would hang up while it is still being sent
            self._write(_error(said.get("id"), _INVALID, _TOO_LARGE))
            return
        try:
            reply = self._reply(line, said) if said else _error(None, _NO_JSON, "This is no call.")
        except RefusedReplyError as refused:
            reply = _refusal(said, refused)
        except (OSError, ValueError):
            reply = _error(said.get("id"), _INTERNAL, _GONE)
        if "method" in said and "id" not in said:  # nobody waits for a reply
            return
        if said.get("method") == "initialize":
            self._keep_version(reply)
            self._keep_client(said)
        if reply.strip():
            self._write(reply)

    def _write(self, reply: bytes) -> None:
        with self._writing:
            self._out.write(reply.strip().replace(b"\n", b" ") + b"\n")
            self._out.flush()

    def _reply(self, line: bytes, said: Mapping[str, object]) -> bytes:
        """What the process replies; one that was started anew meanwhile is found again."""
        headers = self._headers(said)
        try:
            return self._service.post(line, headers=headers)
        except (ConnectionRefusedError, FileNotFoundError):  # nothing was sent
            pass
        except RefusedReplyError as refused:
            if refused.status != HTTPStatus.UNAUTHORIZED:
                raise
        found = find_service(self._place)
        if found is None:
            raise ConnectionRefusedError
        self._service = found
        return found.post(line, headers=headers)

    def _headers(self, said: Mapping[str, object]) -> dict[str, str]:
        """What HTTP says once more of a message: its revision, method, and what it names."""
        params = _members(said.get("params"))
        headers: dict[str, object] = {
            "MCP-Protocol-Version": _members(params.get("_meta")).get(_VERSION) or self._version,
            "Mcp-Method": said.get("method"),
            "Mcp-Name": params.get("name") or params.get("uri"),
            **self._always,
        }
        return {
            name: value
            for name, value in headers.items()
            if isinstance(value, str) and value.isascii() and value.isprintable()
        }

    def _keep_version(self, reply: bytes) -> None:
        version = _members(_object(reply).get("result")).get("protocolVersion")
        self._version = version if isinstance(version, str) else None

    def _keep_client(self, said: Mapping[str, object]) -> None:
        """A client of an older revision tells its name once, and the process forgets it."""
        named = _members(_members(said.get("params")).get("clientInfo")).get("name")
        if isinstance(named, str):
            self._always[CLIENT_HEADER] = named


def _object(text: bytes) -> Mapping[str, object]:
    """The JSON object that a text is, or an empty one."""
    try:
        return _members(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _refusal(said: Mapping[str, object], refused: RefusedReplyError) -> bytes:
    """Why a message was refused, as a reply to it: in the words of the process where it has any."""
    told = _members(_object(refused.content).get("error"))
    message = str(told.get("message") or f"The call was refused ({refused}).").splitlines()[0]
    code = told.get("code")
    return _error(said.get("id"), code if isinstance(code, int) else _INVALID, message)


def _error(request: object, code: int, message: str) -> bytes:
    told = {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}
    return json.dumps(told).encode()
