"""``brain mcp`` beside a service process: what a client says goes to it, line by line, and back.

Only the standard library is imported, so that it is there at once, and every client shares the one
process that has the vault open.
"""

import binascii
import json
import secrets
import select
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from http import HTTPStatus
from typing import IO
from urllib.parse import quote

from graphs.mcp.messages import NO_REQUEST, RefusedMessageError, members, read_message
from graphs.service.client import (
    CLIENT_HEADER,
    MARK_HEADER,
    MCP_PATH,
    REVISION_HEADER,
    SESSION_HEADER,
    TIER_HEADER,
    OtherSettingsError,
    Service,
    find_service,
)
from graphs.service.exchange import Exchange, RefusedReplyError
from tools.graph.access.kinds import Tier
from tools.settings.sources import Place

_AT_ONCE = 16
_LONGEST_NAME, _LONGEST_REFUSAL = 100, 500
_ANSWERS = ("result", "error")
_LOOK_SECONDS = 0.5
"""How often a client that says no more is looked at."""
_VERSION = "io.modelcontextprotocol/protocolVersion"
_INTERNAL = -32603
_GONE = "`brain serve` has ended: connect again, or restart it."
_OTHER = "`brain serve` was restarted with other settings, or is of another version: connect again."
_FOUND_ANEW = (HTTPStatus.UNAUTHORIZED, HTTPStatus.PRECONDITION_FAILED)
"""What a process says that was started since this one found it."""


def serve_by_service(place: Place, tier: Tier) -> bool:
    """Answer a client, which has the rights of a tier, by the service process until it hangs up.

    False where none answers.
    """
    service = find_service(place)
    if service is None:
        return False
    _Bridge(place, service, sys.stdout.buffer, tier).run(sys.stdin.buffer)
    return True


@dataclass
class _Call:
    """A message that goes to the process, and how it is asked as long as it is."""

    line: bytes
    said: Mapping[str, object]
    exchange: Exchange | None = None
    cancelled: bool = False

    @property
    def wants_reply(self) -> bool:
        return "method" in self.said and "id" in self.said

    def cancel(self) -> None:
        """The client wants no reply any more: the process that makes it is hung up on."""
        self.cancelled = True
        if self.exchange is not None:
            self.exchange.hang_up()


class _Bridge:
    """One client's connection; each request waits in a thread of its own for its reply."""

    def __init__(self, place: Place, service: Service, out: IO[bytes], tier: Tier) -> None:
        self._place = place
        self._service = service
        self._out = out
        self._always = {
            TIER_HEADER: tier,
            SESSION_HEADER: secrets.token_hex(8),
            MARK_HEADER: place.mark,
        }
        self._writing = threading.Lock()
        self._waiting: dict[str, _Call] = {}
        self._version: str | None = None

    def run(self, lines: IO[bytes]) -> None:
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="mcp") as pool:
            under_way: list[Future[None]] = []
            try:
                for line in filter(bytes.strip, lines):
                    if (call := self._read(line)) is not None:
                        under_way = [one for one in under_way if not one.done()]
                        under_way.append(pool.submit(self._forward, call))
                while wait(under_way, timeout=_LOOK_SECONDS).not_done:
                    if self._nobody_reads():
                        self._hang_up()
            finally:
                self._hang_up()  # or the pool would wait for every reply

    def _read(self, line: bytes) -> _Call | None:
        """What is to be sent on: neither what is no message, nor what ends another one."""
        try:
            said = read_message(line)
        except RefusedMessageError as refused:
            self._write(_error(refused.request, refused.code, refused.message))
            return None
        if said.get("method") == "notifications/cancelled":
            if call := self._waiting.get(_key(members(said.get("params")).get("requestId"))):
                call.cancel()
            return None
        call = _Call(line, said)
        if call.wants_reply:
            self._waiting[_key(said["id"])] = call
        return call

    def _hang_up(self) -> None:
        for call in self._waiting.copy().values():
            call.cancel()

    def _forward(self, call: _Call) -> None:
        said = call.said
        try:
            for message in self._messages(call):
                self._pass_on(message, call)
        except RefusedReplyError as refused:
            self._pass_on(_refusal(said, refused), call)
        except OtherSettingsError:
            self._pass_on(_error(said.get("id"), _INTERNAL, _OTHER), call)
        except (OSError, ValueError):
            if not call.cancelled:
                self._pass_on(_error(said.get("id"), _INTERNAL, _GONE), call)
        finally:
            if call.wants_reply:
                self._waiting.pop(_key(said["id"]), None)

    def _pass_on(self, message: bytes, call: _Call) -> None:
        if not call.wants_reply or not message.strip():  # nobody waits for it
            return
        if call.said["method"] == "initialize":
            self._keep_version(message)
            self._keep_client(call.said)
        self._write(message)

    def _write(self, message: bytes) -> None:
        with self._writing:
            self._out.write(message.strip().replace(b"\n", b" ") + b"\n")
            self._out.flush()

    def _messages(self, call: _Call) -> Iterator[bytes]:
        """What the process says to a message, as it comes; one started anew is found again."""
        for last in (False, True):
            try:
                yield from self._exchanged(call)
            except (ConnectionRefusedError, FileNotFoundError):  # nothing was sent
                if last:
                    raise
            except RefusedReplyError as refused:
                if last or refused.status not in _FOUND_ANEW:
                    raise
            else:
                return
            if (found := find_service(self._place)) is None:
                raise ConnectionRefusedError
            self._service = found

    def _exchanged(self, call: _Call) -> Iterator[bytes]:
        headers, answered = self._headers(call.said), not call.wants_reply
        with self._service.open() as exchange:
            call.exchange = exchange
            if call.cancelled:
                return
            for message in exchange.send("POST", MCP_PATH, body=call.line, headers=headers):
                answered = answered or not _object(message).keys().isdisjoint(_ANSWERS)
                yield message
        if not answered and not call.cancelled:
            raise ConnectionResetError  # it ended in the middle of it

    def _nobody_reads(self) -> bool:
        """Whether the client has closed its end, as one that ended does."""
        poll = select.poll()
        poll.register(self._out, 0)
        return bool(poll.poll(0))

    def _headers(self, said: Mapping[str, object]) -> dict[str, str]:
        """What HTTP says once more of a message: its revision, method, and what it names."""
        params = members(said.get("params"))
        headers: dict[str, object] = {
            REVISION_HEADER: members(params.get("_meta")).get(_VERSION) or self._version,
            "Mcp-Method": said.get("method"),
            "Mcp-Name": _in_ascii(params.get("name") or params.get("uri")),
            **self._always,
        }
        return {
            name: value
            for name, value in headers.items()
            if isinstance(value, str) and value.isascii() and value.isprintable()
        }

    def _keep_version(self, reply: bytes) -> None:
        version = members(_object(reply).get("result")).get("protocolVersion")
        self._version = version if isinstance(version, str) else None

    def _keep_client(self, said: Mapping[str, object]) -> None:
        """A client of an older revision tells its name once, and the process forgets it."""
        named = members(members(said.get("params")).get("clientInfo")).get("name")
        if isinstance(named, str):
            self._always[CLIENT_HEADER] = quote(named[:_LONGEST_NAME], errors="replace")


def _in_ascii(name: object) -> object:
    """A name as the protocol has it in a header."""
    if not isinstance(name, str) or (
        name.isascii() and name.isprintable() and name == name.strip()
    ):
        return name
    return f"=?base64?{binascii.b2a_base64(name.encode(), newline=False).decode()}?="


def _object(text: bytes) -> Mapping[str, object]:
    """The JSON object that a text is, or an empty one."""
    try:
        return members(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _key(request: object) -> str:
    """A request's id, of which 1 and "1" are two."""
    return json.dumps(request)


def _refusal(said: Mapping[str, object], refused: RefusedReplyError) -> bytes:
    """Why a message was refused, as a reply to it: in the words of the process where it has any."""
    told = members(_object(refused.content).get("error"))
    plain = refused.content.decode(errors="replace").strip() or str(refused)
    message = str(told.get("message") or plain).splitlines()[0][:_LONGEST_REFUSAL]
    code = told.get("code")
    return _error(said.get("id"), code if isinstance(code, int) else NO_REQUEST, message)


def _error(request: object, code: int, message: str) -> bytes:
    told = {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}
    return json.dumps(told).encode()
