"""Vectors on a Chroma server: shared by vaults, moved to and fro, lost and filled again."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from graphs.app import make_deps, open_brain
from graphs.brain import Brain
from graphs.operations.doctor import diagnose
from graphs.operations.status import whole_status
from graphs.stores.freshness import nothing_to_do
from tests.support.servers.chroma_server import ChromaProcess
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

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
        assert "1 passage was embedded" in report.warnings[0].error
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
        server.start()
        assert (await brain.index()).vectors_written == 1
        assert "2024-01-01 a.md" in (await semantic(brain))[0]
        assert semantic_service(brain.settings).pid.read_text("ascii") == pid
