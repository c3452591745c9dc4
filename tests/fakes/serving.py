"""What the fake servers share: a thread that serves on this machine while the block lasts."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class LoopbackServer:
    """``with LoopbackServer(handler) as server: server.url``; its handler has ``server.fake``."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = Server(("127.0.0.1", 0), handler)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    fake: LoopbackServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of whoever hung up before the answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # pyright: ignore[reportArgumentType]
