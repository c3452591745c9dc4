"""A Chroma server that is none, refuses or hangs: told in one line, and no more than that."""

import asyncio
import time
import tracemalloc
import zlib
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from uuid import uuid4

import httpx
import pytest

from tests.support.servers.chroma_server import ChromaProcess, index_at
from tests.support.servers.silent_server import silent_server
from tools.base.errors import BrainError
from tools.semantic import chroma_server as remote
from tools.semantic.chroma_server import ChromaAddress
from tools.semantic.index import ChromaIndex

pytestmark = pytest.mark.integration


async def refusal(address: ChromaAddress) -> str:
    """What is said of an address that cannot be used; what needs only the encoder goes on."""
    with index_at(address) as index:
        with pytest.raises(BrainError) as caught:
            await index.search("anything", limit=3)
        assert (await index.embed(["text"])).shape == (1, 4)
        message = str(caught.value)
        assert "still answer" in message
        assert "\n" not in message
        assert "secret" not in message
        return message


def answering(status: int, body: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Generator[ChromaAddress]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield ChromaAddress(
            url=f"http://127.0.0.1:{server.server_port}",
            token="secret",  # noqa: S106
            tenant="default_tenant",
            database="default_database",
            collection="brain.secret",
        )
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, "<html>secret</html>", "is no Chroma server"),
        (404, "secret", "is no Chroma server"),
        (302, "", "is no Chroma server"),
        (200, '"0.5.23"', "is no Chroma server of version 1 or newer"),
        (200, '{"secret": 1}', "is no Chroma server"),
        (200, '"1.0.0"', "is no Chroma server"),  # to every request
        (401, "secret", "BRAIN_CHROMA_TOKEN"),
        (403, '{"error": "AuthError", "message": "secret"}', "BRAIN_CHROMA_TOKEN"),
        (500, "secret", "status 500"),
        (503, "secret", "cannot be reached"),
        (500, '{"error": "InternalError", "message": "No space left on device"}', "disk is full"),
        (
            500,
            '{"error": "InternalError", "message": "Disk quota exceeded"}',
            "quota",
        ),
        (410, '{"error": "Unimplemented", "message": "secret: use v1"}', "is no Chroma server"),
    ],
)
async def test_what_is_no_usable_server_is_told_in_one_line(
    status: int, body: str, said: str
) -> None:
    with listening(answering(status, body)) as address:
        assert said in await refusal(address)


async def test_an_answer_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "CONTACT_SECONDS", 0.5)
    ended = Event()

    class Endless(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while not ended.wait(0.01):
                    self.wfile.write(b" ")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with listening(Endless) as address:
        try:
            assert "does not answer in time" in await asyncio.wait_for(refusal(address), 30)
        finally:
            ended.set()


async def test_an_answer_of_any_length_is_not_taken_in() -> None:
    packing = zlib.compressobj(wbits=31)
    body = b"".join(packing.compress(b" " * (1 << 20)) for _ in range(400)) + packing.flush()

    class Bomb(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-encoding", "gzip")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with listening(Bomb) as address:
        tracemalloc.start()
        try:
            assert "is no Chroma server" in await refusal(address)
            assert tracemalloc.get_traced_memory()[1] < 300 << 20
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("host", ["127.0.0.1:1", "secret..h", f"secret{'t' * 99}.invalid"])
async def test_a_server_that_is_nowhere_is_told(host: str) -> None:
    address = ChromaAddress(url=f"http://{host}", tenant="t", database="d", collection="c")
    assert "cannot be reached" in await refusal(address)


async def test_a_database_that_is_not_there_is_named(chroma_server: ChromaProcess) -> None:
    assert "BRAIN_CHROMA_DATABASE" in await refusal(
        chroma_server.address("secret", database="secret-nowhere")
    )


async def test_a_token_is_sent_and_a_wrong_one_refused(chroma_server: ChromaProcess) -> None:
    class Guard(BaseHTTPRequestHandler):
        """Lets nobody without the token through to the server."""

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, answer = 401, b"who are you?"
            if self.headers["authorization"] == "Bearer right":
                found = httpx.request(
                    self.command,
                    chroma_server.url + self.path,
                    content=body,
                    headers={"content-type": "application/json"},
                    trust_env=False,
                )
                status, answer = found.status_code, found.content
            self.send_response(status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_POST = do_DELETE = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with listening(Guard) as address:
        assert "BRAIN_CHROMA_TOKEN" in await refusal(address)
        right = replace(address, token="right", collection=f"test.{uuid4()}")  # noqa: S106
        with index_at(right) as index:
            assert await index.upsert([("a", "a")]) == 1
            assert await index.ids() == {"a"}


async def test_a_server_that_says_nothing_is_waited_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "CONTACT_SECONDS", 1)
    with silent_server() as server:
        address = ChromaAddress(
            url=f"http://127.0.0.1:{server.port}", tenant="t", database="d", collection="c"
        )
        with index_at(address) as index:
            started = time.monotonic()
            asked = (index.search("anything", limit=3) for _ in range(20))
            told = await asyncio.gather(*asked, return_exceptions=True)
            assert {str(error).split(";")[0] for error in told} == {
                "The Chroma server does not answer in time"
            }
            assert time.monotonic() - started < 10  # each by itself would be twice that


async def test_a_server_that_hangs_and_goes_on_is_used_again(
    chroma_server: ChromaProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "CONTACT_SECONDS", 0.3)
    monkeypatch.setattr(remote, "_GIVEN_UP_SECONDS", 0.1)
    with index_at(chroma_server.address(f"test.{uuid4()}")) as index:
        await index.upsert([("a", "a")])
        chroma_server.pause()
        try:
            with pytest.raises(BrainError, match="does not answer in time"):
                await index.search("a", limit=1)
            assert (await index.embed(["text"])).shape == (1, 4)
        finally:
            chroma_server.resume()
        assert await _found_again(index) == ["a"]


async def _found_again(index: ChromaIndex) -> list[str]:
    deadline = time.monotonic() + 30
    while True:
        try:
            return [id_ for id_, _ in await index.search("a", limit=1)]
        except BrainError:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
