"""Vectors on a Chroma server: shared by vaults, moved to and fro, lost and filled again."""

import asyncio
import os
from collections.abc import Generator, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from graphs.app import make_deps, open_brain
from graphs.brain import Brain
from graphs.core.ingest_report import IngestReport
from graphs.operations.doctor import diagnose
from graphs.operations.status import whole_status
from graphs.stores.freshness import nothing_to_do
from tests.support.servers.chroma_server import ChromaProcess
from tests.support.vaults.indexed import stop_servers_of
from tools.runtime.services import semantic_service
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

NOTES = {
    "2024-01-01 a.md": "Basil grows fast in a warm place.",
    "2024-01-02 b.md": "Tea is hot, and coffee is hotter.",
}
QUESTION = "Does basil grow fast?"
TOKEN = "hush-hush"  # noqa: S105 - of a server that asks for none


@dataclass(frozen=True, slots=True)
class Place:
    """A vault, its data directory and its settings; ``options`` are more of them."""

    vault: Path
    data_dir: Path
    given: dict[str, Any]

    def write(self, notes: dict[str, str]) -> None:
        """Have these notes and no others."""
        for file in self.vault.iterdir():
            if file.name not in notes:
                file.unlink()
        for name, text in notes.items():
            (self.vault / name).write_text(text, "utf-8")

    def open(self, **options: Any) -> AbstractAsyncContextManager[Brain]:
        return open_brain(self.vault, data_dir=self.data_dir, **self._options(options))

    def settings(self) -> Settings:
        return load_settings(vault=self.vault, data_dir=self.data_dir, **self._options({}))

    def stop(self) -> None:
        stop_servers_of(self.vault, self.data_dir)

    def _options(self, more: dict[str, Any]) -> dict[str, Any]:
        return {"mode": "local", "services_owner": os.getpid(), **self.given, **more}


def _place(folders: pytest.TempPathFactory, **given: Any) -> Place:
    # Of the same name, as two vaults may be.
    place = Place(folders.mktemp("v") / "Nötes 🌱", folders.mktemp("d"), given)
    place.vault.mkdir()
    return place


@pytest.fixture
def yours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A place of a test's own."""
    place = _place(tmp_path_factory)
    yield place
    place.stop()


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory, chroma_server: ChromaProcess
) -> Iterator[Place]:
    """A place whose vectors are on the server."""
    place = _place(tmp_path_factory, chroma_url=chroma_server.url, chroma_token=TOKEN)
    report = asyncio.run(_renewed(place))
    assert (report.vectors_written, report.warnings) == (2, ())
    assert not (place.data_dir / "chroma" / "chroma.sqlite3").exists()
    yield place
    place.stop()


@pytest.fixture
async def mine(shared: Place) -> Place:
    """The shared place with its first notes, indexed."""
    await _renewed(shared)
    return shared


async def _renewed(place: Place) -> IngestReport:
    place.write(NOTES)
    async with place.open() as brain:
        return await brain.index()


async def semantic(brain: Brain) -> tuple[set[str], list[str]]:
    """What a search by meaning finds, and what it says where it fails."""
    answer = await brain.ask(QUESTION, intent="exploratory")
    found = {one.note_path for one in answer.results if "semantic" in one.sources}
    assert answer.status == "answered"  # whatever happens to one source
    return found, [one.error for one in answer.warnings if one.source == "semantic"]


# --- as it should be -------------------------------------------------------------------------


async def test_two_vaults_of_one_name_share_a_server(
    mine: Place, yours: Place, chroma_server: ChromaProcess
) -> None:
    yours.write({"c.md": "Bicycles rust in the rain, basil does not."})
    for place, count in ((mine, 0), (yours, 1)):
        async with place.open(chroma_url=chroma_server.url) as brain:
            report = await brain.index()
            assert (report.vectors_written, report.warnings) == (count, ())
            assert (await brain.index()).vectors_written == 0
    assert not (yours.data_dir / "chroma" / "chroma.sqlite3").exists()
    for place, path in ((mine, "2024-01-01 a.md"), (yours, "c.md")):
        async with place.open(chroma_url=chroma_server.url) as brain:
            found, warnings = await semantic(brain)
            assert path in found
            assert found <= {note.name for note in place.vault.iterdir()}
            assert warnings == []


async def test_a_collection_that_somebody_deleted_is_filled_again(
    mine: Place, chroma_server: ChromaProcess
) -> None:
    async with mine.open() as brain:
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
    mine: Place, chroma_server: ChromaProcess
) -> None:
    service = semantic_service(mine.settings())
    told = " ".join(psutil.Process(int(service.pid.read_text("ascii"))).cmdline())
    assert "tools.semantic.server" in told
    assert str(chroma_server.port) not in told
    assert "hush" not in f"{told} {service} {service.arguments}"


# --- failing ---------------------------------------------------------------------------------


@contextmanager
def _ended(server: ChromaProcess) -> Generator[None]:
    """The server is killed, and starts again after the block: other tests use it."""
    server.stop()
    try:
        yield
    finally:
        server.start()


async def test_a_server_that_is_down_costs_the_vectors_only_until_it_is_back(
    mine: Place, chroma_server: ChromaProcess
) -> None:
    async with mine.open() as brain:
        pid = semantic_service(brain.settings).pid.read_text("ascii")
        (mine.vault / "c.md").write_text("Mint spreads.", "utf-8")
        with _ended(chroma_server):
            _, warnings = await semantic(brain)
            said = [line.split(";")[0] for line in warnings]
            assert said == ["The Chroma server cannot be reached"]
            report = await brain.index()
            assert (report.notes, report.vectors_written) == (3, 0)
            assert "1 passage has no vector yet" in report.warnings[0].impact
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
        assert (await brain.index()).vectors_written == 1
        assert "2024-01-01 a.md" in (await semantic(brain))[0]
        assert semantic_service(brain.settings).pid.read_text("ascii") == pid


# --- elsewhere -------------------------------------------------------------------------------


# The last one, as others would go back to the server and wait for one of ours over it.
async def test_moving_from_a_server_and_back_embeds_what_is_lacking_and_says_so(
    mine: Place,
) -> None:
    await asyncio.to_thread(mine.stop)
    async with mine.open(chroma_url=None) as brain:
        _, warnings = await semantic(brain)
        assert len(warnings) == 1
        assert "run `brain index`" in warnings[0]
        report = await brain.index()
        assert report.vectors_written == 2
        assert "kept elsewhere now: 2 passages were embedded there" in report.warnings[0].error
        assert "2024-01-01 a.md" in (await semantic(brain))[0]
        (mine.vault / "c.md").write_text("Mint spreads.", "utf-8")
        report = await brain.index()
        assert (report.vectors_written, report.warnings) == (1, ())
    # Back without `brain stop`: indexing ends the server that keeps the vectors elsewhere.
    async with mine.open() as brain:
        report = await brain.index()
        assert report.vectors_written == 1
        assert "1 passage was embedded" in report.warnings[0].error
        assert (await brain.index()).vectors_written == 0
    async with mine.open(chroma_url=None) as brain:
        report = await brain.index()
        assert (report.vectors_written, len(report.warnings)) == (0, 1)
