"""A note is superseded from when that is said, as its facts end then."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from graphs.query.retrieval.evolution import find_evolution
from graphs.query.retrieval.supersession import supersessions
from tests.support.vaults.desk import Desk
from tests.support.vaults.repositories import commit, day, git
from tools.base.domain import Event, Moment


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    git(desk.vault, "init", "-q")
    desk.write("Plan.md", "---\ncreated: 2019-05-01\n---\n\nleads to:: [[Rest]]")
    desk.write("New plan.md", "---\ncreated: 2019-06-01\n---\n\nBetter.")
    commit(desk.vault, on=1)
    yield desk
    desk.close()


def events(desk: Desk, at: Moment) -> list[Event]:
    async def ask() -> dict[str, Event]:
        deps = desk.deps
        replaced = await deps.graph.superseded(["Plan.md", "New plan.md"], at=at)
        return await supersessions(deps, replaced, at=at)

    return list(asyncio.run(ask()).values())


def superseded(desk: Desk) -> list[tuple[datetime, str, datetime | None]]:
    """What the timeline shows of it, which is what an answer shows."""
    shown = [
        one.event
        for one in asyncio.run(find_evolution(desk.deps, "Plan")).occurrences
        if one.event.kind == "superseded"
    ]

    assert events(desk, Moment()) == shown
    return [(event.timestamp, event.detail, event.known_at) for event in shown]


@pytest.mark.parametrize(
    ("path", "says"),
    [("New plan.md", "supersedes:: [[Plan]]"), ("Plan.md", "superseded by:: [[New plan]]")],
)
def test_it_is_dated_from_when_it_is_said(desk: Desk, path: str, says: str) -> None:
    text = (desk.vault / path).read_text()
    desk.write(path, f"{text}\n\n{says}")
    commit(desk.vault, on=8)
    desk.write(path, f"{text}\n\n{says}\n\nMore words.")
    commit(desk.vault, on=9)
    desk.ingest()

    assert superseded(desk) == [(day(8), "New plan", day(8))]
    assert ("Plan", "LEADS_TO", "Rest") in desk.facts("Plan", at=Moment(as_of=day(7)))
    assert ("Plan", "LEADS_TO", "Rest") not in desk.facts("Plan", at=Moment(as_of=day(8)))


def test_said_again_it_is_dated_from_then(desk: Desk) -> None:
    text = (desk.vault / "New plan.md").read_text()
    for on, says in ((3, "supersedes:: [[Plan]]"), (5, ""), (8, "supersedes:: [[Plan]]")):
        desk.write("New plan.md", f"{text}\n\n{says}")
        commit(desk.vault, on=on)
    desk.ingest()

    assert superseded(desk) == [(day(8), "New plan", day(8))]
    assert ("Plan", "LEADS_TO", "Rest") in desk.facts("Plan", at=Moment(as_of=day(7)))
    assert [event.timestamp for event in events(desk, Moment(as_of=day(4)))] == [day(3)]
    assert events(desk, Moment(as_of=day(6))) == []


def test_said_from_the_first_it_is_dated_by_the_date_of_the_note(desk: Desk) -> None:
    desk.write("Best.md", "---\ncreated: 2019-12-24\n---\n\nsupersedes:: [[Plan]]")
    commit(desk.vault, on=4)
    desk.ingest()

    ((since, detail, known),) = superseded(desk)
    assert (f"{since:%Y-%m-%d}", detail, known) == ("2019-12-24", "Best", day(4))


def test_a_note_that_says_so_no_more_supersedes_nothing(desk: Desk) -> None:
    text = (desk.vault / "New plan.md").read_text()
    for on, says in ((3, "supersedes:: [[Plan]]"), (5, "")):
        desk.write("New plan.md", f"{text}\n\n{says}")
        commit(desk.vault, on=on)
    desk.ingest()

    assert superseded(desk) == []
