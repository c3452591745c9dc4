"""``brain mcp`` beside a service process: what a client says goes to it, line by line, and back.

Only the standard library is imported, so that it is there at once, and every client shares the one
process that has the vault open.
"""

import json
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, cast

from graphs.service.client import Service, find_service
from tools.settings.sources import Place

_AT_ONCE = 16
_VERSION = "io.modelcontextprotocol/protocolVersion"
_INTERNAL = -32603
_GONE = "`brain serve` has ended: connect again, or restart it."


def serve_by_service(place: Place) -> bool:
    """Answer a client by the service process until it hangs up; False where none answers."""
    service = find_service(place)
    if service is None:
        return False
    _Bridge(service, sys.stdout.buffer).run(sys.stdin.buffer)
    return True


class _Bridge:
    """One client's connection; each request waits in a thread of its own for its reply."""

    def __init__(self, service: Service, out: IO[bytes]) -> None:
        self._service = service
        self._out = out
        self._writing = threading.Lock()
        self._version: str | None = None

    def run(self, lines: IO[bytes]) -> None:
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="mcp") as pool:
            for line in lines:
                if line.strip():
                    pool.submit(self._forward, line)

    def _forward(self, line: bytes) -> None:
        said = _object(line)
        try:
            reply = self._service.post(line, headers=self._headers(said))
        except (OSError, ValueError):
            reply = _error(said.get("id"), _GONE) if "id" in said else b""
        if said.get("method") == "initialize":
            self._keep_version(reply)
        if reply.strip():
            with self._writing:
                self._out.write(reply.strip().replace(b"\n", b" ") + b"\n")
                self._out.flush()

    def _headers(self, said: Mapping[str, object]) -> dict[str, str]:
        """What HTTP says once more of a message: its revision, method, and what it names."""
        params = _members(said.get("params"))
        headers: dict[str, object] = {
            "MCP-Protocol-Version": _members(params.get("_meta")).get(_VERSION) or self._version,
            "Mcp-Method": said.get("method"),
            "Mcp-Name": params.get("name") or params.get("uri"),
        }
        return {
            name: value
            for name, value in headers.items()
            if isinstance(value, str) and value.isascii() and value.isprintable()
        }

    def _keep_version(self, reply: bytes) -> None:
        version = _members(_object(reply).get("result")).get("protocolVersion")
        self._version = version if isinstance(version, str) else None


def _object(text: bytes) -> Mapping[str, object]:
    """The JSON object that a text is, or an empty one."""
    try:
        return _members(json.loads(text))
    except ValueError:
        return {}


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _error(request: object, message: str) -> bytes:
    told = {"jsonrpc": "2.0", "id": request, "error": {"code": _INTERNAL, "message": message}}
    return json.dumps(told).encode()
