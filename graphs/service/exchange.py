"""One HTTP request to a service process, and the messages of its reply as they come.

Only the standard library is imported, so that a question costs little more than its answer.
"""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from itertools import chain
from pathlib import Path

_EVENTS = b"text/event-stream"


class RefusedReplyError(ValueError):
    """The process answered that it does not do this: an HTTP status, and what it says of it."""

    def __init__(self, status: int, content: bytes) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.content = content


class Exchange:
    """A request over a connection of its own, which is there while this is a context.

    HTTP 1.0 is the one that needs no library: the reply is what comes until the connection ends.
    ``look`` is called each time ``seconds`` pass in which nothing comes, and raises OSError where
    that is not worth waiting for; without it nothing is waited for longer.
    """

    def __init__(
        self, file: Path, *, token: str, seconds: float, look: Callable[[], object] | None = None
    ) -> None:
        self._file = file
        self._token = token
        self._seconds = seconds
        self._look = look
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._hung_up = False

    def __enter__(self) -> "Exchange":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def hang_up(self) -> None:
        """End the reply, from any thread; the process stops what it does for it."""
        self._hung_up = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def send(
        self, method: str, path: str, *, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> Iterator[bytes]:
        """Send the request and give each message of the reply; one at least.

        Raises OSError where none comes, RefusedReplyError where the reply is no success.
        """
        lines = (
            f"{method} {path} HTTP/1.0",
            "Host: localhost",
            f"Authorization: Bearer {self._token}",
            "Accept: application/json, text/event-stream",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in (headers or {}).items()),
        )
        self._connection.settimeout(self._seconds)
        self._connection.connect(str(self._file))
        if self._hung_up:
            raise ConnectionAbortedError
        self._connection.sendall("\r\n".join((*lines, "", "")).encode("ascii") + body)
        head, rest = self._head()
        status = int((*head.split(b" ", 2), b"")[1])
        if status not in (HTTPStatus.OK, HTTPStatus.ACCEPTED):
            raise RefusedReplyError(status, rest + b"".join(self._parts()))
        if _EVENTS in head.lower():
            yield from self._events(rest)
        else:
            yield rest + b"".join(self._parts())

    def _head(self) -> tuple[bytes, bytes]:
        """The lines before the content, and what came of that with them. Raises ValueError."""
        read = b""
        for part in self._parts():
            read += part
            head, end, rest = read.partition(b"\r\n\r\n")
            if end:
                return head, rest
        raise ValueError("The reply is cut short.")

    def _events(self, read: bytes) -> Iterator[bytes]:
        """The data of server-sent events; the process's own have one line each of it."""
        for part in chain((b"",), self._parts()):
            *lines, read = (read + part).split(b"\n")
            for line in lines:
                if line.startswith(b"data:") and (data := line[5:].strip()):
                    yield data

    def _parts(self) -> Iterator[bytes]:
        while part := self._part():
            yield part

    def _part(self) -> bytes:
        """What comes next, waited for as long as ``look`` finds it worth it."""
        while True:
            try:
                return self._connection.recv(1 << 16)
            except TimeoutError:
                if self._look is None:
                    raise
                self._look()
