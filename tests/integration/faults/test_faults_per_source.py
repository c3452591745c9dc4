"""Each source slow, hanging, refusing or talking nonsense: it costs its own results at most."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from graphs.brain import Brain
from tests.support.servers.faulty_server import faulty_server
from tests.support.vaults.indexed import Indexed, of_notes
from tools.base.domain import Answer, Hit, Source
from tools.base.errors import StorageError
from tools.base.guards import one_line
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.model import note_id
from tools.runtime.services import Service, graph_service, semantic_service, stop
from tools.semantic.client import SemanticClient
from tools.settings.loading import load_settings
from tools.vault.catalog.text import search_text

pytestmark = pytest.mark.integration

NOTES = {
    "projects/Greenhouse.md": "# Greenhouse\n\nThe greenhouse is heated by [[Compost]].\n",
    "notes/Compost.md": "# Compost\n\nCompost is warm in winter. Basil grows above it.\n",
    "notes/Basil.md": "# Basil\n\nBasil grows in the [[Greenhouse]] in summer.\n",
}
QUESTION = "Give me an overview of everything about Greenhouse"
SLOW, SLACK = 0.3, 15.0
"""Seconds of a slow source, and for a whole question on a busy machine."""


def page(body: bytes, *, status: bytes = b"200 OK", headers: bytes = b"") -> bytes:
    length = b"content-length: %d\r\n" % len(body)
    return b"HTTP/1.1 " + status + b"\r\n" + length + headers + b"\r\n" + body


def rows(*values: bytes | int | None, times: int = 1) -> bytes:
    """A graph server's reply of a few equal rows of these values."""
    told = [
        b"$-1\r\n"
        if value is None
        else b":%d\r\n" % value
        if isinstance(value, int)
        else b"$%d\r\n%s\r\n" % (len(value), value)
        for value in values
    ]
    row = b"*%d\r\n%s" % (len(told), b"".join(told))
    return b"*3\r\n*0\r\n*%d\r\n%s*0\r\n" % (times, row * times)


STRANGER = b"someone\x1fnote\x1fSomeone\x1fSomeone.md\x1f"
"""What the graph tells of an entity that nobody asked for."""
ASKED = f"{note_id('projects/Greenhouse.md')}\x1fnote\x1fGreenhouse\x1f\x1f".encode()
EDGE = b"LINKS_TO\x1fSomeone.md\x1f1\x1f%s\x1fwritten\x1f%s\x1f\x1f2025-01-01\x1f\x1f"
DATED = EDGE % (b"0.5", b"2025-01-01")

REPLIES: dict[str, tuple[Source, bytes | None]] = {
    "semantic hangs": ("semantic", None),
    "semantic hangs up": ("semantic", b""),
    "semantic fails": ("semantic", page(b"\x1b[31m<h1>no</h1>", status=b"500 No")),
    "semantic is of an older version": ("semantic", page(b"Not Found", status=b"404 Not Found")),
    "semantic speaks another protocol": ("semantic", b"\x00\xff-ERR \x1b[31m\r\n\r\n"),
    "semantic sends no JSON": ("semantic", page(b'{"a": [')),
    "semantic sends other JSON": ("semantic", page(b'{"a": [{}]}')),
    "semantic sends no number": (
        "semantic",
        page(b"\0\0\xc0\x7f", headers=b"x-rows: 1\r\nx-columns: 1\r\n"),
    ),
    "graph hangs": ("graph", None),
    "graph hangs up": ("graph", b""),
    "graph fails": ("graph", b"-ERR \x1b[31mno\r\n"),
    "graph speaks another protocol": ("graph", page(b"<h1>hello</h1>")),
    "graph sends a word": ("graph", b"+OK\r\n"),
    "graph sends nothing": ("graph", b"*0\r\n"),
    "graph sends other rows": ("graph", b"*2\r\n*0\r\n*1\r\n*1\r\n$4\r\nrows\r\n"),
    "graph sends flat rows": ("graph", b"*3\r\n*0\r\n*1\r\n:1\r\n*0\r\n"),
    "graph sends rows of nothing": ("graph", rows()),
    "graph sends a column": ("graph", rows(b"rows", times=3)),
    "graph sends numbers": ("graph", rows(1, 2, 3, 4, 5)),
    "graph sends nulls": ("graph", rows(*[None] * 5)),
    "graph sends empty texts": ("graph", rows(1, 1, b"", b"", b"")),
    "graph sends edges of strangers": ("graph", rows(1, 1, STRANGER, DATED, STRANGER)),
    "graph sends a level that is none": ("graph", rows(3, 1, ASKED, DATED, STRANGER)),
    "graph sends a strength that is none": (
        "graph",
        rows(1, 1, ASKED, EDGE % (b"nan", b"2025-01-01"), STRANGER),
    ),
    "graph sends a date that is none": (
        "graph",
        rows(1, 1, ASKED, EDGE % (b"0.5", b"yesterday"), STRANGER),
    ),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    """With its servers up, as each test leaves them."""

    async def ask(place: Indexed) -> None:
        async with place.open() as opened:
            assert (await opened.ask(QUESTION)).sources_failed == ()

    for place in of_notes(NOTES, tmp_path_factory):
        asyncio.run(ask(place))
        yield place


@pytest.fixture
async def brain(served: Indexed) -> AsyncIterator[Brain]:
    """One that has its connections."""
    async with served.open(source_timeout=1.0) as opened:
        await opened.ask(QUESTION)
        yield opened


def service_of(place: Indexed, source: Source) -> Service:
    settings = load_settings(vault=place.vault, data_dir=place.data_dir)
    return (semantic_service if source == "semantic" else graph_service)(settings)


@contextmanager
def standing_in(socket: Path, other: Path) -> Generator[None]:
    """Let clients find the ``other`` socket in place of one whose server runs on."""
    aside = socket.with_name("aside")
    aside.hardlink_to(socket)
    other.replace(socket)  # at once: a server whose socket is gone would end
    try:
        yield
    finally:
        aside.replace(socket)


async def asked(brain: Brain) -> Answer:
    started = time.monotonic()
    answer = await brain.ask(QUESTION)
    assert time.monotonic() - started < SLACK
    return answer


def assert_only(failed: Source, answer: Answer) -> None:
    assert answer.status == "answered"
    assert answer.results
    assert answer.sources_failed == (failed,)
    (warning,) = [warning for warning in answer.warnings if warning.source == failed]
    assert {other.source for other in answer.warnings} == {failed}
    assert "internal error" not in warning.error
    for said in (warning.error, warning.impact):
        assert said == one_line(said)


@pytest.mark.parametrize("fault", REPLIES)
async def test_a_server_that_does_no_work_costs_its_own_results(
    served: Indexed, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    source, reply = REPLIES[fault]
    socket = service_of(served, source).socket
    odd = socket.with_name("odd")
    # Who opens the vault now waits for a server to wake up, and one that hangs never does.
    monkeypatch.setattr("graphs.stores.servers.WAKE_SECONDS", 1.0)
    async with faulty_server(odd, reply):
        with standing_in(socket, odd):
            async with served.open(source_timeout=1.0) as opened:
                assert_only(source, await asked(opened))


def faults_of(server: Source, *, daily: str) -> pytest.MarkDecorator:
    """All that one server may reply; any but the ``daily`` fault only before a release."""
    faults = [
        pytest.param(fault, marks=() if fault == daily else pytest.mark.torture)
        for fault, (source, _) in REPLIES.items()
        if source == server
    ]
    return pytest.mark.parametrize("fault", faults)


@faults_of("semantic", daily="semantic fails")
async def test_a_semantic_server_that_fails_after_it_did_work_is_asked_again(
    served: Indexed, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    service = service_of(served, "semantic")
    odd = service.socket.with_name("odd")
    # No connection is kept, as if the server had ended.
    monkeypatch.setattr("tools.semantic.client._IDLE_CONNECTIONS", 0)
    async with served.open(source_timeout=1.0) as brain:
        assert (await brain.ask(QUESTION)).sources_failed == ()
        async with faulty_server(odd, REPLIES[fault][1]):
            with standing_in(service.socket, odd):
                assert_only("semantic", await asked(brain))
        assert (await brain.ask(QUESTION)).sources_failed == ()


@faults_of("graph", daily="graph fails")
async def test_a_graph_server_that_fails_after_it_did_work_is_started_again(
    served: Indexed, brain: Brain, fault: str
) -> None:
    service = service_of(served, "graph")
    await stop(service)
    async with faulty_server(service.socket, REPLIES[fault][1]):
        assert_only("graph", await asked(brain))
    async with asyncio.timeout(30):
        while (await brain.ask(QUESTION)).sources_failed:
            """The server that was started for the question before is still loading."""


async def test_a_slow_source_is_waited_for(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[Source] = []

    def late[**P, R](source: Source, work: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        async def run(*args: P.args, **kwargs: P.kwargs) -> R:
            waited.append(source)
            await asyncio.sleep(SLOW)
            return await work(*args, **kwargs)

        return run

    def late_text(*args: Any, **kwargs: Any) -> list[Hit]:
        waited.append("text")
        Event().wait(SLOW)
        return search_text(*args, **kwargs)

    monkeypatch.setattr(SemanticClient, "search", late("semantic", SemanticClient.search))
    monkeypatch.setattr(GraphitiStore, "neighbours", late("graph", GraphitiStore.neighbours))
    monkeypatch.setattr("graphs.query.retrieval.text_search.search_text", late_text)
    answer = await asked(brain)
    assert set(waited) == {"semantic", "text", "graph"}
    assert answer.sources_failed == ()


@pytest.mark.parametrize("fault", ["hangs", "refuses"])
async def test_without_the_words_meaning_and_graph_answer(
    brain: Brain, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    over = Event()

    def broken(*_: object, **__: object) -> Sequence[Hit]:
        if fault == "hangs":
            over.wait(SLACK)
        raise StorageError("The index cannot be read; run `brain doctor`.")

    monkeypatch.setattr("graphs.query.retrieval.text_search.search_text", broken)
    try:
        assert_only("text", await asked(brain))
    finally:
        over.set()
