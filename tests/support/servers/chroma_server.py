"""A real Chroma server on loopback, for the tests that need one; ended by its own process."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.waiting import until
from tools.semantic.chroma_server import ChromaAddress, ServerHome
from tools.semantic.index import ChromaIndex

_CHROMA = Path(sys.executable).with_name("chroma")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class ChromaProcess:
    """A server over ``folder``, which may be stopped and started again at the same address."""

    folder: Path
    port: int = field(default_factory=_free_port)
    _process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [_CHROMA, "run", "--path", self.folder, "--host", "127.0.0.1"]
        process = self._process = subprocess.Popen(
            [*command, "--port", str(self.port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.parent,
        )
        until(lambda: self._answers() or process.poll() is not None)
        assert process.poll() is None, "Chroma ended while it started"

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            self._process = None

    def pause(self) -> None:
        """Have all of its threads stand still: the signal alone leaves them some time."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        _, status = os.waitpid(self._process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)

    def resume(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def address(self, collection: str, **changes: str) -> ChromaAddress:
        known = {"tenant": "default_tenant", "database": "default_database"}
        return ChromaAddress(url=self.url, collection=collection, **{**known, **changes})

    def _answers(self) -> bool:
        try:
            found = httpx.get(f"{self.url}/api/v2/heartbeat", trust_env=False, timeout=5)
        except httpx.TransportError:
            return False
        return found.is_success


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaProcess]:
    """One server that many tests share, each with a collection of its own."""
    server = ChromaProcess(tmp_path_factory.mktemp("chroma") / "data")
    server.start()
    yield server
    server.stop()


class Stub:
    """An encoder of short vectors, which needs no time."""

    name, dimensions = "stub", 4

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.full((len(texts), 4), 0.1, np.float32)
        vectors[:, 0] = [len(text) for text in texts]
        vectors /= np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return vectors

    encode_questions = encode_claims = encode


@contextmanager
def index_at(address: ChromaAddress) -> Generator[ChromaIndex]:
    """What the semantic server has of a Chroma server, with no process between."""
    index = ChromaIndex(ServerHome(address), Stub())
    yield index
    index.close()
