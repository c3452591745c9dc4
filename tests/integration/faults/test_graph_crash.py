"""The graph server killed with a load under way: no note is ever served half written."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import psutil
import pytest

from graphs.app import open_brain
from graphs.brain import Progress
from tests.bench.graph_vault import generate, projected
from tests.fakes.graph import InMemoryGraph
from tools.base.errors import ServiceUnavailableError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.model import NoteGraph
from tools.graph.store import GraphStore
from tools.runtime import services
from tools.runtime.services import Service
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

NOTES, EDGES = 400, 2000
"""Four changes: one is to come after each that is cut off, however fast the server was with it."""
CHUNK = 1 << 16
CHANGED = b"\r\nEXEC\r\n"
"""How the bytes of a change end."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Start.md").write_text("# Start\n", "utf-8")
    return load_settings(
        vault=tmp_path / "vault", data_dir=tmp_path / "data", services_owner=os.getpid()
    )


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[Service]:
    service = services.graph_service(settings)
    await services.ensure(service)
    yield service
    await services.stop(service)


def kill(service: Service) -> None:
    """Kill the database itself; its keeper follows."""
    keeper = psutil.Process(int(service.pid.read_text("ascii")))
    (database,) = keeper.children()
    os.kill(database.pid, signal.SIGKILL)
    keeper.wait(20)


class Relay:
    """Hands bytes on to the server, and kills it with its ``fatal``-th change just handed on."""

    def __init__(self, service: Service, path: Path, *, fatal: int) -> None:
        self.path = path
        self._service, self._left = service, fatal

    async def __aenter__(self) -> "Relay":
        self._listening = await asyncio.start_unix_server(self._serve, self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listening.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, questions = await asyncio.open_unix_connection(self._service.socket)
        except OSError:
            writer.close()
            return
        back = asyncio.create_task(self._hand_on(answers, writer))
        await self._hand_on(reader, questions, watched=True)
        await back

    async def _hand_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, watched: bool = False
    ) -> None:
        last = b""
        try:
            while sent := await reader.read(CHUNK):
                writer.write(sent)
                await writer.drain()
                last = (last + sent)[-len(CHANGED) :]  # which may come in two parts
                if watched and last == CHANGED:
                    self._left -= 1
                    if self._left == 0:
                        kill(self._service)
        except OSError:
            pass
        finally:
            writer.close()


async def agree(store: GraphStore, graphs: Sequence[NoteGraph], paths: Sequence[str]) -> None:
    """The store says what it would if it had been given these notes and no others."""
    expected = InMemoryGraph()
    await expected.replace(graphs)
    assert await store.status() == await expected.status()
    assert await store.facts_stated_in(paths) == await expected.facts_stated_in(paths)
    assert await store.versions(paths) == await expected.versions(paths)


@pytest.mark.parametrize(
    "fatal",
    [
        pytest.param(1, marks=pytest.mark.torture),
        2,  # one change has landed before, and one is to come
        pytest.param(3, marks=pytest.mark.torture),
    ],
)
async def test_after_a_kill_in_a_change_each_note_is_whole_or_absent(
    service: Service, tmp_path: Path, fatal: int
) -> None:
    vault = generate(NOTES, EDGES)
    graphs = list(projected(vault))
    async with Relay(service, tmp_path / "relay", fatal=fatal) as relay:
        cut = GraphitiStore(FalkorBackend(relay.path, graph="vault"))
        with pytest.raises(ServiceUnavailableError):
            await cut.replace(graphs)
        await cut.close()

    await services.ensure(service)
    store = GraphitiStore(FalkorBackend(service.socket, graph="vault"))
    whole = await store.digests()
    assert len(whole) < NOTES
    await agree(store, [graph for graph in graphs if graph.entity.path in whole], list(vault))
    await store.replace(graphs)
    await agree(store, graphs, list(vault))
    await store.close()


async def test_an_index_whose_server_is_killed_goes_on_and_the_graph_is_whole(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphs.ingest.sync_graph._GRAPH_BATCH", 10)
    names = [f"Note {number}" for number in range(25)]
    for name, other in zip(names, names[1:] + names[:1], strict=True):
        (settings.vault / f"{name}.md").write_text(f"# {name}\n\ncauses:: [[{other}]]\n", "utf-8")
    service = services.graph_service(settings)
    killed = False

    def kill_once(progress: Progress) -> None:
        nonlocal killed
        if progress.phase == "graph" and 0 < progress.done < progress.total and not killed:
            killed = True
            kill(service)

    owner = os.getpid()
    async with open_brain(
        settings.vault, data_dir=settings.data_dir, mode="local", services_owner=owner
    ) as brain:
        await brain.index(on_progress=kill_once)
        assert killed
        await brain.index()
        for name, other in zip(names, names[1:] + names[:1], strict=True):
            ((fact,),) = [(await brain.facts(name)).facts]
            assert (fact.relation, fact.object) == ("CAUSES", other)
    for started in (service, services.semantic_service(settings)):
        await services.stop(started)
