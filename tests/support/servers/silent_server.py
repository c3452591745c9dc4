"""An address that lets clients connect and never says a word."""

import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress


class SilentServer:
    """Clients are connected by the system alone, as many as wait in its queue."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self.port = int(listening.getsockname()[1])

    def connections(self) -> int:
        """How many have connected since this was last asked."""
        found = 0
        with suppress(BlockingIOError):
            while True:
                self._listening.accept()[0].close()
                found += 1
        return found


@contextmanager
def silent_server() -> Generator[SilentServer]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield SilentServer(listening)
