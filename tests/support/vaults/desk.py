"""A desk with a vault, its stores and a graph in memory, where every run is a day later."""

import asyncio
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from graphs.core.deps import Deps
from graphs.core.ingest_report import IngestReport
from graphs.core.nodes import compiled, stream
from graphs.core.state import IngestContext
from graphs.ingest import graph as ingest
from graphs.ingest.sync_graph import fill_graph
from graphs.query.retrieval.facts import find_facts
from graphs.stores.freshness import catch_up
from tests.fakes.graph import InMemoryGraph
from tests.support.vaults.histories import day
from tests.support.vaults.repositories import git
from tools.base.domain import Moment
from tools.base.errors import ServiceUnavailableError
from tools.graph.extraction.store import InferredStore
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import scan
from tools.vault.history.history import History
from tools.vault.indexing.indexing import Freshness, index_text, plan_changes

MOST = 100_000


@dataclass
class Desk:
    """Of everything but the vectors, for which there is no server."""

    folder: Path
    graph: InMemoryGraph = field(default_factory=InMemoryGraph)
    today: int = 0
    folders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.vault = self.folder / "vault"
        self.vault.mkdir(parents=True)
        self.catalog = Catalog(self.folder / "index.db")
        self.history = History(self.folder / "history.db")

    def look_at(self, *folders: str) -> None:
        """Use these folders from now on, or the whole vault."""
        self.folders = folders
        self.history.close()
        self.history = History(self.folder / "history.db", folders=folders)

    def close(self) -> None:
        self.catalog.close()
        self.history.close()

    @property
    def now(self) -> datetime:
        return day(self.today)

    @property
    def deps(self) -> Deps:
        parts = SimpleNamespace(
            settings=SimpleNamespace(
                vault=self.vault,
                data_dir=self.folder,
                max_note_bytes=MOST,
                graph_dir=self.folder / "graph",
                encoder="all-MiniLM-L6-v2",
                chroma_dir=self.folder / "chroma",
                graph_uri=None,
                graph_database=None,
                folders=self.folders,
            ),
            catalog=self.catalog,
            history=self.history,
            inferred=InferredStore(self.folder / "inferred.db", model="none"),
            graph=self.graph,
            graph_writer=self.graph,
            clock=lambda: self.now,
            catch_up=self.catch_up,
            empty_graph=self.graph.reset,
            index=None,
            use_encoder=_nothing_embeds,
        )
        return cast("Deps", parts)

    def catch_up(self) -> Freshness:
        settings = self.deps.settings
        found = scan(self.vault, folders=self.folders, max_bytes=MOST)
        return catch_up(settings, self.catalog, self.history, found, now=self.now)

    def write(self, path: str, text: str) -> None:
        (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / path).write_text(text, "utf-8")

    def index(self) -> None:
        """Read what is on disk, without the graph."""
        self.today += 1
        plan = plan_changes(
            scan(self.vault, max_bytes=MOST).files, self.catalog.files(), everything=True
        )
        index_text(
            plan,
            root=self.vault,
            catalog=self.catalog,
            history=self.history,
            seen_at=self.now,
            max_bytes=MOST,
            git={},
        )

    def fill(self, *, rebuild: bool = False) -> int:
        def tell(phase: str, done: int, total: int) -> None:
            """Nobody watches."""

        return asyncio.run(fill_graph(self.deps, tell, rebuild=rebuild)).written

    def ingest(self, *, rebuild: bool = False) -> IngestReport:
        """A whole run, of which only the vectors fail."""
        self.today += 1
        graph, context = compiled(ingest.build(self.deps)), IngestContext(rebuild=rebuild)

        async def run() -> IngestReport:
            states = [
                state async for state in stream(graph, {}, context=context, stream_mode="values")
            ]
            return states[-1]["report"]

        return asyncio.run(run())

    def run(self) -> int:
        self.index()
        return self.fill()

    def facts(self, subject: str, *, at: Moment | None = None) -> list[tuple[str, str, str]]:
        found = asyncio.run(find_facts(self.deps, subject, at=at or Moment()))
        return [(fact.subject, fact.relation, fact.object) for fact in found.facts]

    def graph_now(self) -> dict[str, object]:
        return dict(sorted(self.graph.notes.items()))


@contextmanager
def _opened(folder: Path) -> Generator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An empty one."""
    with _opened(tmp_path) as made:
        yield made


@pytest.fixture
def desk_in_git(tmp_path: Path) -> Iterator[Desk]:
    """An empty one, whose vault is a repository without a commit."""
    with _opened(tmp_path) as made:
        git(made.vault, "init", "-q")
        yield made


async def _nothing_embeds() -> None:
    raise ServiceUnavailableError("There is no semantic server.")
