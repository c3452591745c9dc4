"""What a question's graph tells while it works, and that a store which was busy is asked again."""

import pytest

from graphs.query.progress import QueryProgress
from graphs.query.retrieval.retrievers import SOURCES
from tests.support.vaults.indexed import Indexed
from tools.base.errors import TransientError
from tools.graph.backends.graphiti import GraphitiStore
from tools.semantic.client import SemanticClient

pytestmark = pytest.mark.integration

EVERYTHING = "Give me an overview of everything about Greenhouse"


async def told(indexed: Indexed, question: str) -> list[QueryProgress]:
    heard: list[QueryProgress] = []
    async with indexed.open() as brain:
        await brain.ask(question, on_progress=heard.append)
    return heard


def ended(heard: list[QueryProgress], step: str) -> list[QueryProgress]:
    return [one for one in heard if (one["step"], one["state"]) == (step, "finished")]


async def test_steps_are_told_as_they_begin_and_end(indexed: Indexed) -> None:
    heard = await told(indexed, EVERYTHING)
    started = [one["step"] for one in heard if one["state"] == "started"]
    assert [*started[:2], *started[-4:]] == [
        *("guard", "interpret"),
        *("merge", "read", "judge", "answer"),
    ]
    assert set(started[2:-4]) == set(SOURCES)
    assert sorted(started) == sorted(one["step"] for one in heard if one["state"] == "finished")
    for source in SOURCES:
        (one,) = ended(heard, source)
        assert one.get("found", 0) > 0


async def test_each_compared_thing_is_searched_for_by_itself(indexed: Indexed) -> None:
    heard = await told(indexed, "Compare Zettelkasten and PARA")
    found = [len(ended(heard, source)) for source in (*SOURCES, "merge")]
    assert found == [3, 3, 3, 1]  # and the whole question


async def test_one_subject_that_fails_costs_its_own_hits_alone(
    indexed: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = SemanticClient.search

    async def fails_for_one(
        self: SemanticClient, text: str, *, limit: int
    ) -> list[tuple[str, float]]:
        if text.startswith("PARA"):
            raise LookupError("nobody thought of it")
        return await search(self, text, limit=limit)

    monkeypatch.setattr(SemanticClient, "search", fails_for_one)
    async with indexed.open() as brain:
        answer = await brain.ask("Compare Zettelkasten and PARA")
    assert answer.status == "answered"
    assert answer.sources_failed == ("semantic",)
    assert len(answer.warnings) == 1
    assert "Zettelkasten" in {result.note_title for result in answer.results}


@pytest.mark.parametrize(("times", "failed"), [(2, ()), (3, ("graph",))])
async def test_a_store_that_is_busy_is_asked_again(
    indexed: Indexed, monkeypatch: pytest.MonkeyPatch, times: int, failed: tuple[str, ...]
) -> None:
    neighbours, asked = GraphitiStore.neighbours, 0

    async def busy(self: GraphitiStore, *args: object, **kwargs: object) -> object:
        nonlocal asked
        asked += 1
        if asked <= times:
            raise TransientError("The graph is busy; search still works. Ask again in a moment.")
        return await neighbours(self, *args, **kwargs)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(GraphitiStore, "neighbours", busy)
    async with indexed.open() as brain:
        answer = await brain.ask(EVERYTHING)
    assert answer.sources_failed == failed
    assert [warning.source for warning in answer.warnings] == list(failed)
