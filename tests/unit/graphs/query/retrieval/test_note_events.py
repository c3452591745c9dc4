"""What an answer tells of the notes it found: what happened to them as far as the question goes."""

import asyncio

from graphs.query.retrieval.evolution import note_events
from tests.support.vaults.desk import Desk
from tests.support.vaults.desk import desk_in_git as desk
from tests.support.vaults.repositories import commit

__all__ = ["desk"]


def grow(desk: Desk) -> None:
    for on, tea, log in (
        (1, "The leaf.", "Rain.\n\nThe green tea was bitter."),
        (2, "The leaf.\n\nAnd the cup.", "Sun.\n\nThe green tea was bitter.\n\n[[Milk]]"),
        (3, "The cup.", "Sun.\n\nWhite tea is mild."),
    ):
        desk.write("Tea.md", tea)
        desk.write("Log.md", log)
        desk.write("New log.md", "supersedes:: [[Log]]")
        commit(desk.vault, on=on)
    desk.ingest()


def told(desk: Desk, *concepts: str) -> dict[str, list[tuple[int, str]]]:
    found = asyncio.run(note_events(desk.deps, ["Tea.md", "Log.md"], concepts))
    return {
        path: [(event.timestamp.day, event.kind) for event in events]
        for path, events in found.items()
    }


def test_of_a_note_on_other_things_only_what_speaks_of_it(desk: Desk) -> None:
    grow(desk)

    assert told(desk, "tea") == {
        "Tea.md": [(1, "created"), (2, "modified"), (3, "modified")],
        "Log.md": [(1, "created"), (3, "modified"), (1, "superseded")],
    }


def test_where_it_is_about_nothing_or_in_other_words_everything(desk: Desk) -> None:
    grow(desk)
    tea = [(1, "created"), (2, "modified"), (3, "modified")]
    links = [(2, "linked")], [(3, "unlinked")]
    log = [(1, "created"), (2, "modified"), *links[0], (3, "modified"), *links[1]]

    for concepts in ((), ("hot drinks",)):
        found = told(desk, *concepts)
        assert found.pop("New log.md") == [(1, "created")]
        assert found == {"Tea.md": tea, "Log.md": [*log, (1, "superseded")]}


def test_a_successor_that_was_itself_superseded_says_so(desk: Desk) -> None:
    desk.write("Tea.md", "The leaf.")
    desk.write("Log.md", "supersedes:: [[Tea]]\n\nThe green tea was bitter.")
    desk.write("New log.md", "supersedes:: [[Log]]")
    commit(desk.vault, on=1)
    desk.ingest()

    assert told(desk, "tea") == {
        "Tea.md": [(1, "created"), (1, "superseded")],
        "Log.md": [(1, "created"), (1, "superseded")],
    }
