"""Vectors on a Chroma server: shared by vaults, moved to and fro, and every way it can fail."""

import asyncio
import os
import signal
import time
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import httpx
import numpy as np
import psutil
import pytest
from numpy.typing import NDArray

from graphs.app import make_deps, open_brain
from graphs.brain import Brain
from graphs.doctoring import diagnose
from graphs.status import whole_status
from graphs.upkeep import nothing_to_do
from tests.chroma_server import ChromaProcess
from tests.silence import silent_server
from tools.errors import BrainError, StorageError
from tools.semantic import chroma_server as remote
from tools.semantic.chroma_server import ChromaAddress, ServerHome
from tools.semantic.index import ChromaIndex
from tools.services import graph_service, semantic_service, stop
from tools.settings import Settings, load_settings

pytestmark = pytest.mark.integration

NOTES = {
    "2024-01-01 a.md": "Basil grows fast in a warm place.",
    "2024-01-02 b.md": "Tea is hot, and coffee is hotter.",
}
QUESTION = "Does basil grow fast?"


@dataclass(frozen=True, slots=True)
class Place:
    """A vault and its data directory; ``options`` are settings."""

    vault: Path
    data_dir: Path

    def open(self, **options: Any) -> AbstractAsyncContextManager[Brain]:
        return open_brain(self.vault, data_dir=self.data_dir, **_options(options))

    def settings(self, **options: Any) -> Settings:
        return load_settings(vault=self.vault, data_dir=self.data_dir, **_options(options))

    async def stop(self) -> None:
        settings = self.settings()
        for service in (semantic_service(settings), graph_service(settings)):
            await stop(service)


def _options(more: dict[str, Any]) -> dict[str, Any]:
    return {"mode": "local", "services_owner": os.getpid(), **more}


@pytest.fixture
async def places(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Callable[[dict[str, str]], Place]]:
    made: list[Place] = []

    def make(notes: dict[str, str]) -> Place:
        # Of the same name, as two vaults may be.
        place = Place(tmp_path_factory.mktemp("v") / "Nötes 🌱", tmp_path_factory.mktemp("d"))
        place.vault.mkdir()
        for name, text in notes.items():
            (place.vault / name).write_text(text, "utf-8")
        made.append(place)
        return place

    yield make
    for place in made:
        await place.stop()


async def semantic(brain: Brain) -> tuple[set[str], list[str]]:
    """What a search by meaning finds, and what it says where it fails."""
    answer = await brain.ask(QUESTION, intent="exploratory")
    found = {one.note_path for one in answer.results if "semantic" in one.sources}
    assert answer.status == "answered"  # whatever happens to one source
    return found, [one.error for one in answer.warnings if one.source == "semantic"]


# --- as it should be -------------------------------------------------------------------------


async def test_two_vaults_of_one_name_share_a_server(
    places: Callable[[dict[str, str]], Place], chroma_server: ChromaProcess
) -> None:
    mine, yours = places(NOTES), places({"c.md": "Bicycles rust in the rain, basil does not."})
    for place, count in ((mine, 2), (yours, 1)):
        async with place.open(chroma_url=chroma_server.url) as brain:
            report = await brain.index()
            assert (report.vectors_written, report.warnings) == (count, ())
            assert (await brain.index()).vectors_written == 0
    for place, path in ((mine, "2024-01-01 a.md"), (yours, "c.md")):
        assert not (place.data_dir / "chroma" / "chroma.sqlite3").exists()
        async with place.open(chroma_url=chroma_server.url) as brain:
            found, warnings = await semantic(brain)
            assert path in found
            assert found <= {note.name for note in place.vault.iterdir()}
            assert warnings == []


async def test_moving_to_a_server_and_back_embeds_what_is_lacking_and_says_so(
    places: Callable[[dict[str, str]], Place], chroma_server: ChromaProcess
) -> None:
    place = places(NOTES)
    async with place.open() as brain:
        assert (await brain.index()).vectors_written == 2
    there = {"chroma_url": chroma_server.url}
    await place.stop()
    async with place.open(**there) as brain:
        _, warnings = await semantic(brain)
        assert len(warnings) == 1
        assert "run `brain index`" in warnings[0]
        report = await brain.index()
        assert report.vectors_written == 2
        assert "kept elsewhere now: 2 passages were embedded there" in report.warnings[0].error
        assert "2024-01-01 a.md" in (await semantic(brain))[0]
        (place.vault / "c.md").write_text("Mint spreads.", "utf-8")
        report = await brain.index()
        assert (report.vectors_written, report.warnings) == (1, ())
    # Back without `brain stop`: indexing ends the server that keeps the vectors elsewhere.
    async with place.open() as brain:
        report = await brain.index()
        assert report.vectors_written == 1
        assert "1 passages were embedded" in report.warnings[0].error
        assert (await brain.index()).vectors_written == 0
    async with place.open(**there) as brain:
        report = await brain.index()
        assert (report.vectors_written, len(report.warnings)) == (0, 1)


async def test_a_collection_that_somebody_deleted_is_filled_again(
    places: Callable[[dict[str, str]], Place], chroma_server: ChromaProcess
) -> None:
    place = places(NOTES)
    async with place.open(chroma_url=chroma_server.url) as brain:
        await brain.index()
        settings = brain.settings
        done = await asyncio.to_thread(nothing_to_do, settings)
        assert done is not None
        assert done.notes == 2
        database = "/api/v2/tenants/default_tenant/databases/default_database"
        url = f"{chroma_server.url}{database}/collections/{settings.chroma_collection}"
        assert (await asyncio.to_thread(httpx.delete, url, trust_env=False)).is_success
        assert await asyncio.to_thread(nothing_to_do, settings) is None
        assert (await brain.index()).vectors_written == 2
        assert "2024-01-01 a.md" in (await semantic(brain))[0]


async def test_neither_address_nor_token_is_an_argument_of_any_process(
    places: Callable[[dict[str, str]], Place], chroma_server: ChromaProcess
) -> None:
    place = places(NOTES)
    options = {"chroma_url": chroma_server.url, "chroma_token": "hush-hush"}
    async with place.open(**options) as brain:
        await brain.index()
        pid = int(semantic_service(brain.settings).pid.read_text("ascii"))
        told = " ".join(psutil.Process(pid).cmdline())
    assert "tools.semantic.server" in told
    assert str(chroma_server.port) not in told
    service = semantic_service(place.settings(**options))
    assert "hush" not in f"{told} {service} {service.arguments}"


# --- failing ---------------------------------------------------------------------------------


async def test_a_server_that_is_down_costs_the_vectors_only_until_it_is_back(
    places: Callable[[dict[str, str]], Place], own_chroma_server: ChromaProcess
) -> None:
    place, server = places(NOTES), own_chroma_server
    options = {"chroma_url": server.url}
    async with place.open(**options) as brain:
        await brain.index()
        pid = semantic_service(brain.settings).pid.read_text("ascii")
        server.stop()
        (place.vault / "c.md").write_text("Mint spreads.", "utf-8")
        _, warnings = await semantic(brain)
        assert [line.split(";")[0] for line in warnings] == ["The Chroma server cannot be reached"]
        report = await brain.index()
        assert (report.notes, report.vectors_written) == (3, 0)
        assert "1 passages have no vector yet" in report.warnings[0].impact
        deps = make_deps(brain.settings)
        try:
            checks = {check.name: check for check in await diagnose(brain.settings)}
            now = await whole_status(brain.settings, deps.catalog, deps.history)
        finally:
            await deps.close()
        assert (checks["vectors"].ok, checks["graph"].ok) == (False, True)
        assert "BRAIN_CHROMA_URL" in checks["vectors"].detail
        assert (now.servers["chroma"], now.vectors_pending) == (False, 1)
        assert "cannot be reached" in (now.vectors_problem or "")
        server.start()
        assert (await brain.index()).vectors_written == 1
        assert "2024-01-01 a.md" in (await semantic(brain))[0]
        assert semantic_service(brain.settings).pid.read_text("ascii") == pid


class Stub:
    """An encoder of short vectors, which needs no time."""

    name, dimensions = "stub", 4

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.full((len(texts), 4), 0.1, np.float32)
        vectors[:, 0] = [len(text) for text in texts]
        vectors /= np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return vectors


@contextmanager
def index_at(address: ChromaAddress) -> Generator[ChromaIndex]:
    index = ChromaIndex(ServerHome(address), Stub())
    yield index
    index.close()


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
    monkeypatch.setattr(remote, "CONTACT_SECONDS", 0.2)
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
            assert time.monotonic() - started < 2.0


async def test_a_server_that_hangs_and_goes_on_is_used_again(
    own_chroma_server: ChromaProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "CONTACT_SECONDS", 0.3)
    monkeypatch.setattr(remote, "_GIVEN_UP_SECONDS", 0.1)
    with index_at(own_chroma_server.address("hanging")) as index:
        await index.upsert([("a", "a")])
        os.kill(own_chroma_server.pid, signal.SIGSTOP)
        try:
            with pytest.raises(BrainError, match="does not answer in time"):
                await index.search("a", limit=1)
            assert (await index.embed(["text"])).shape == (1, 4)
        finally:
            os.kill(own_chroma_server.pid, signal.SIGCONT)
        assert await _found_again(index) == ["a"]


async def _found_again(index: ChromaIndex) -> list[str]:
    deadline = time.monotonic() + 30
    while True:
        try:
            return [id_ for id_, _ in await index.search("a", limit=1)]
        except BrainError:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)


async def test_a_collection_made_anew_by_somebody_else_is_found(
    chroma_server: ChromaProcess,
) -> None:
    address = chroma_server.address(f"test.{uuid4()}")
    with index_at(address) as mine, index_at(address) as yours:
        await mine.upsert([("a", "a")])
        assert await yours.ids() == {"a"}
        await yours.reset()
        await yours.upsert([("b", "b")])
        assert await mine.ids() == {"b"}
        assert [id_ for id_, _ in await mine.search("b", limit=5)] == ["b"]


async def test_another_computers_model_is_not_fought_over(chroma_server: ChromaProcess) -> None:
    class Other(Stub):
        name = "other"

    address = chroma_server.address(f"test.{uuid4()}")
    with index_at(address) as mine:
        await mine.upsert([("a", "a")])
        other = ChromaIndex(ServerHome(address), Other())
        assert (await other.status()).reembedding_reason
        with pytest.raises(StorageError, match="another computer"):
            await mine.ids()
        await other.upsert([("b", "b")])
        assert await other.ids() == {"b"}
        other.close()


async def test_many_first_uses_at_once_make_one_collection(chroma_server: ChromaProcess) -> None:
    address = chroma_server.address(f"test.{uuid4()}")
    indexes = [ChromaIndex(ServerHome(address), Stub()) for _ in range(6)]
    await asyncio.gather(*(index.upsert([(str(n), "x")]) for n, index in enumerate(indexes)))
    assert [len(await index.ids()) for index in indexes] == [6] * 6
    for index in indexes:
        index.close()


async def test_a_server_on_loopback_is_not_asked_through_a_proxy(
    chroma_server: ChromaProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with index_at(chroma_server.address(f"test.{uuid4()}")) as index:
        assert await index.upsert([("a", "a")]) == 1
