"""What adds a token to each request, for programs that can send none: on loopback, for a test."""

import http.client
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_OF_ONE_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


@contextmanager
def token_proxy(port: int, token: str) -> Generator[int]:
    """Pass each request on to a port of this machine; the port at which it listens."""

    class Pass(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            sent = {name: value for name, value in self.headers.items() if _is_kept(name)}
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as server:
                server.request(
                    self.command, self.path, body, sent | {"Authorization": f"Bearer {token}"}
                )
                reply = server.getresponse()
                content = reply.read()
            self.send_response(reply.status)
            for name, value in reply.getheaders():
                if _is_kept(name):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = _pass  # noqa: N815 - so the library calls them

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pass) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield proxy.server_address[1]
        finally:
            proxy.shutdown()


def _is_kept(name: str) -> bool:
    return name.lower() not in _OF_ONE_HOP
