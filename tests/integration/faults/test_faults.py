"""Servers that die, sources that fail: the others still answer, and the next question heals."""

import asyncio
import os
import signal
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from graphs.core.state import QueryContext
from graphs.query.progress import QueryProgress
from graphs.query.retrieval.retrievers import SOURCES
from tests.support.processes.command_line import run_here
from tests.support.vaults.indexed import Indexed, of_notes
from tests.support.waiting import until
from tools.base.domain import Answer, Neighbourhood
from tools.base.errors import ServiceUnavailableError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.cypher.port import Row
from tools.runtime.services import Service, graph_service, is_running, semantic_service
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

EVERYTHING = "Give me an overview of everything about the Heron"
NOTES = {
    "Heron.md": "# Heron\n\nThe heron eats fish. It stands in the [[Pond]].\n",
    "Pond.md": "# Pond\n\nThe pond freezes in January. The [[Heron]] leaves it then.\n",
    "Otter.md": "# Otter\n\nThe otter sleeps by the [[Pond]].\n",
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    """Of a few notes: questions and runs take little time."""
    yield from of_notes(NOTES, tmp_path_factory)


def kill(service: Service) -> None:
    process = psutil.Process(int(service.pid.read_text("ascii")))
    process.kill()
    process.wait(20)


def services(indexed: Indexed) -> dict[str, Service]:
    settings = load_settings(vault=indexed.vault, data_dir=indexed.data_dir)
    return {"semantic": semantic_service(settings), "graph": graph_service(settings)}


def kill_after(step: str, *victims: Service) -> Callable[[QueryProgress], None]:
    def hear(progress: QueryProgress) -> None:
        if (progress["step"], progress["state"]) == (step, "finished"):
            for victim in victims:
                kill(victim)

    return hear


@pytest.mark.parametrize("victim", [pytest.param("semantic", marks=pytest.mark.torture), "graph"])
async def test_a_server_killed_in_the_middle_costs_its_own_results_at_most(
    indexed: Indexed, victim: str
) -> None:
    async with indexed.open() as brain:
        await brain.ask(EVERYTHING)  # both servers are up
        killer = kill_after("interpret", services(indexed)[victim])
        answer = await brain.ask(EVERYTHING, on_progress=killer)
        assert answer.status == "answered"
        assert {*SOURCES} - {victim} <= set(answer.sources_available)
        assert {warning.source for warning in answer.warnings} == set(answer.sources_failed)
        healed = await brain.ask(EVERYTHING)
    assert healed.sources_failed == ()


@pytest.mark.torture
@pytest.mark.parametrize("question", [EVERYTHING, "Why does the heron leave?"])
async def test_both_servers_killed_leave_the_text(indexed: Indexed, question: str) -> None:
    async with indexed.open() as brain:
        await brain.ask(EVERYTHING)
        killer = kill_after("interpret", *services(indexed).values())
        answer = await brain.ask(question, on_progress=killer)
    assert answer.status == "answered"
    assert "text" in answer.sources_available


async def test_a_source_beyond_its_time_limit_is_named_with_its_impact(indexed: Indexed) -> None:
    async with indexed.open(source_timeout=0.0001) as brain:
        answer = await brain.ask(EVERYTHING)
    assert answer.status == "failed"
    assert set(answer.sources_failed) == {*SOURCES}
    assert {warning.source for warning in answer.warnings} == {*SOURCES}
    assert all(warning.impact for warning in answer.warnings)


async def test_a_mistake_of_the_program_costs_one_source_and_is_reported(
    indexed: Indexed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def neighbours(*_: object, **__: object) -> None:
        raise LookupError("nobody thought of it")

    monkeypatch.setattr(GraphitiStore, "neighbours", neighbours)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with indexed.open() as brain:
        answer = await brain.ask(EVERYTHING)
    (warning,) = answer.warnings
    (report,) = await asyncio.to_thread(lambda: [*tmp_path.iterdir()])
    assert (answer.status, answer.sources_failed) == ("answered", ("graph",))
    assert str(report) in warning.error
    assert "nobody thought of it" not in warning.error
    assert "LookupError: nobody thought of it" in report.read_text("utf-8")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_comparison_without_its_connections_says_so(
    indexed: Indexed, monkeypatch: pytest.MonkeyPatch, *, hangs: bool
) -> None:
    async def around(*_: object, **__: object) -> Neighbourhood:
        if hangs:
            await asyncio.Event().wait()
        raise ServiceUnavailableError("The graph is gone; search still works. Start it.")

    monkeypatch.setattr(GraphitiStore, "around", around)
    monkeypatch.setattr("graphs.query.compare._CONNECTION_SECONDS", 0.05)
    async with indexed.open() as brain:
        answer = await brain.ask("Compare Heron and Otter")
    assert answer.status == "answered"
    assert answer.sources_failed == ()
    assert "| **" in answer.answer
    (warning,) = answer.warnings
    assert warning.source == "graph"
    assert ("time limit" if hangs else "Start it.") in warning.error
    assert "connected to" in warning.impact
    assert warning.impact in answer.answer


async def test_a_comparison_without_the_graph_warns_once(
    indexed: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object, **__: object) -> list[Row]:
        raise ServiceUnavailableError("The graph is gone; search still works. Start it.")

    async with indexed.open() as brain:
        monkeypatch.setattr(FalkorBackend, "flat", gone)
        answer = await brain.ask("Compare Heron and Otter")
    assert answer.status == "answered"
    assert answer.sources_failed == ("graph",)
    assert [warning.source for warning in answer.warnings] == ["graph"]


def test_a_search_tells_what_it_lacks(indexed: Indexed, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: object, **__: object) -> list[Row]:
        raise ServiceUnavailableError("The graph is gone; search still works. Start it.")

    monkeypatch.setattr(FalkorBackend, "flat", gone)
    found = run_here("search", "heron", environment=indexed.environment)
    assert "Heron.md" in found.stdout
    assert "The graph is gone; search still works." in found.stderr
    assert found.returncode == 0


async def test_questions_are_answered_while_the_vault_is_indexed(indexed: Indexed) -> None:
    async with indexed.open() as one, indexed.open() as other:
        run = asyncio.create_task(one.index(rebuild=True))
        answers: list[Answer] = []
        while not run.done():
            answers.append(await other.ask("What does the heron eat?"))
        report = await run
        final = await other.ask("What does the heron eat?")
    assert report.notes == len(NOTES)
    assert answers
    assert {answer.status for answer in answers} == {"answered"}
    assert final.results[0].note_path == "Heron.md"


async def test_two_indexers_do_not_run_at_once(indexed: Indexed) -> None:
    async with indexed.open() as one, indexed.open() as other:
        results = await asyncio.gather(one.index(), other.index(), return_exceptions=True)
    failures = [result for result in results if isinstance(result, BaseException)]
    assert len(failures) <= 1
    assert all("being indexed by another process" in str(failure) for failure in failures)


async def test_a_changed_note_is_found_and_quoted_as_it_is_now(indexed: Indexed) -> None:
    note = indexed.vault / "Otter.md"
    before = note.read_text("utf-8")
    try:
        note.write_text(before + "\n\nThe quokkaberry grows by the water.\n", "utf-8")
        async with indexed.open() as brain:
            answer = await brain.ask("Where does the quokkaberry grow?")
        assert answer.results[0].note_path == "Otter.md"
        assert answer.results[0].excerpts[0].text == "The quokkaberry grows by the water."
    finally:
        note.write_text(before, "utf-8")
    async with indexed.open() as brain:
        gone = await brain.ask("Where does the quokkaberry grow?")
    assert "quokkaberry" not in str([result.excerpts for result in gone.results])


async def test_a_deleted_note_is_gone_from_all_three_stores(indexed: Indexed) -> None:
    note = indexed.vault / "Otter.md"
    text = note.read_text("utf-8")
    path = "Otter.md"
    try:
        note.unlink()
        async with indexed.open() as brain:
            answer = await brain.ask("What does the otter do?", context=QueryContext(limit=50))
            assert path not in {result.note_path for result in answer.results}
            report = await brain.index()
            assert report.removed + report.vectors_removed > 0
            everything = await brain.search("otter", limit=50)
            assert path not in {result.note_path for result in everything}
    finally:
        note.write_text(text, "utf-8")
        async with indexed.open() as brain:
            await brain.index()


async def test_a_semantic_server_that_hangs_keeps_no_answer(indexed: Indexed) -> None:
    async with indexed.open(source_timeout=1.0) as brain:
        await brain.ask(EVERYTHING)
        server = int(services(indexed)["semantic"].pid.read_text("ascii"))
        os.kill(server, signal.SIGSTOP)
        try:
            async with asyncio.timeout(10):
                answer = await brain.ask("Does the pond freeze in winter?")
        finally:
            os.kill(server, signal.SIGCONT)
    assert answer.status == "answered"
    assert answer.sources_failed == ("semantic",)


async def test_the_first_question_after_a_kill_waits_for_servers_that_are_still_loading(
    indexed: Indexed,
) -> None:
    async with indexed.open() as brain:
        await brain.ask(EVERYTHING)  # both servers are up
    both = services(indexed)
    for service in both.values():
        kill(service)
    async with indexed.open() as brain:
        # It accepts connections, and cannot answer yet.
        await asyncio.to_thread(until, lambda: is_running(both["semantic"]))
        answer = await brain.ask(EVERYTHING)
    assert answer.status == "answered"
    assert answer.sources_failed == ()
