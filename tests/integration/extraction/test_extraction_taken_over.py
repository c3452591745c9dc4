"""What the background run read reaches the vault's graph, or one is told that it did not."""

import asyncio
import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from graphs.app import open_brain
from graphs.jobs.extraction import inferred_store, start_in_background, stop_extraction
from graphs.stores.extraction_progress import is_extracting
from graphs.stores.index_lock import only_indexer
from tests.fakes.ollama import FakeOllama, Reply
from tests.fakes.reader import read
from tests.support.processes.connections import LOCAL, seen
from tests.support.servers.falkor_server import falkor_server
from tests.support.vaults.extraction import Place, note
from tests.support.waiting import until_async
from tools.base.errors import InputError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.extraction.job import ExtractionJob, JobState, load_job
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

PASSWORD = "open sesame"  # noqa: S105 - of a server that lives as long as a test


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run in the background over a folder of two notes; the model waits before Bob's."""

    settings: Settings
    folder: str
    ready_at: datetime
    go_on: threading.Event

    async def index(self) -> None:
        given = self.settings.model_dump(exclude={"vault", "data_dir"})
        at = self.settings.vault, self.settings.data_dir
        async with open_brain(at[0], data_dir=at[1], **given) as brain:
            await brain.index()

    async def start(self) -> None:
        await start_in_background(self.settings, [self.folder])

    @property
    def job(self) -> ExtractionJob | None:
        job = load_job(self.settings.inferred_path)
        return job if job is not None and job.started_at > self.ready_at else None

    async def reached(self, state: JobState, *, notes: int = 0) -> None:
        """Wait until it says that of itself."""
        await until_async(
            lambda: (job := self.job) is not None and job.state == state and job.notes_done >= notes
        )

    async def ended(self) -> ExtractionJob:
        await until_async(lambda: (job := self.job) is not None and job.state != "waiting")
        await until_async(lambda: not is_extracting(self.settings))
        assert self.job is not None
        return self.job

    def waits_for_the_graph(self) -> bool:
        changed = inferred_store(self.settings).changed()
        return any(path.startswith(f"{self.folder}/") for path in changed)

    def log(self) -> str:
        return (self.settings.data_dir / "logs" / "extract.log").read_text("utf-8")

    def last_line(self) -> str:
        return self.log().splitlines()[-1]


@pytest.fixture
def run(place: Place, request: pytest.FixtureRequest) -> Iterator[Run]:
    folder = hashlib.sha256(request.node.name.encode()).hexdigest()[:8]
    for name in ("Ann", "Bob"):
        said = note("2024-01-01", f"{name} {folder} lives in {name}ville.")
        place.write({f"{folder}/{name}.md": said})
    go_on = threading.Event()
    go_on.set()

    def script(prompt: str) -> Reply:
        if f"Bob {folder}" in prompt:
            go_on.wait(60)
        return read(prompt)

    with FakeOllama(replies=script) as server:
        settings = place.settings(server, model_timeout=5.0)
        yield Run(settings=settings, folder=folder, ready_at=datetime.now(UTC), go_on=go_on)
        asyncio.run(stop_extraction(settings))
        go_on.set()


async def test_a_run_that_is_told_to_stop_says_so_and_leaves_the_graph_to_the_next_indexing(
    run: Run,
) -> None:
    await run.index()
    run.go_on.clear()
    await run.start()
    await run.reached("running", notes=1)
    with pytest.raises(InputError, match="already"):
        await run.start()
    assert await stop_extraction(run.settings)
    assert not is_extracting(run.settings)
    assert not await stop_extraction(run.settings)
    assert run.job is not None
    assert (run.job.state, run.job.error) == ("stopped", "It was told to stop.")
    assert run.last_line().startswith("extract: stopped: 1 of 2 notes.")
    assert not any(word in run.log() for word in ("Ann", "Bob", "lives in"))
    assert run.waits_for_the_graph()


@pytest.mark.torture
async def test_a_run_can_be_stopped_while_it_waits_for_the_graph(run: Run) -> None:
    await run.index()
    with only_indexer(run.settings.data_dir):
        await run.start()
        await run.reached("finished")
        assert is_extracting(run.settings)
        assert await stop_extraction(run.settings)
    assert not await stop_extraction(run.settings)
    assert not is_extracting(run.settings)
    assert run.last_line().startswith("extract: finished: 2 of 2 notes.")
    assert run.waits_for_the_graph()


async def test_what_could_not_be_put_into_the_graph_is_told(run: Run) -> None:
    await run.index()
    with only_indexer(run.settings.data_dir):
        await run.start()
        job = await run.ended()
    assert job.error is not None
    assert "not in the graph yet" in job.error
    assert "another process" in job.error
    assert job.error in run.last_line()


async def test_the_run_logs_into_a_database_as_it_was_told_and_connects_to_this_machine_alone(
    run: Run, tmp_path: Path, watcher: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    with falkor_server(tmp_path / "falkor", password=PASSWORD) as address:
        there = {"graph_uri": address, "graph_password": SecretStr(PASSWORD)}
        run = replace(run, settings=run.settings.model_copy(update=there))
        await run.index()
        monkeypatch.setenv("LD_PRELOAD", str(watcher))
        monkeypatch.setenv("LD_CONNECTIONS_LOG", str(log))
        await run.start()
        job = await run.ended()
        graph = FalkorBackend(address, graph=run.settings.vault_mark, password=PASSWORD)
        rows = await graph.query(
            "MATCH ()-[e:RELATES_TO]->() WHERE e.origin = 'inferred' AND e.note_path "
            "STARTS WITH $folder RETURN e.name",
            folder=run.folder,
        )
        await graph.close()
    assert (job.state, job.error) == ("finished", None)
    assert rows == [["LIVES_IN"]] * 2
    assert not run.waits_for_the_graph()
    assert {"unix", "127.0.0.1"} <= seen(log) <= LOCAL
