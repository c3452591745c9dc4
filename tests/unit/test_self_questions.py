"""Questions that a vault answers by how it is made, with their evidence."""

from datetime import UTC, datetime

from evals.answers import AnswerCase, Place
from evals.self_questions import self_questions
from tools.domain import Note
from tools.vault.notes import parse_note

NOW = datetime(2025, 6, 18, tzinfo=UTC)
KILN = """---
created: 2024-03-09
aliases: [oven]
---
# Kiln

Bought from Wilhelmina in the autumn sales.

## How to fire it

Slowly.

See [[Glaze]] for the colours of the second firing.

## Cost
"""


def note(path: str, text: str) -> Note:
    return parse_note(path, text.encode(), mtime=NOW)


NOTES = [note("Kiln.md", KILN), note("craft/Glaze.md", "# Glaze\n\nMatt or shiny.\n")]


def asked(kind: str, notes: list[Note] = NOTES) -> dict[str, tuple[Place, ...]]:
    cases = self_questions(notes, each=50)
    return {case.q: case.gold for case in cases if case.kind == kind}


def whole(path: str, last: int) -> tuple[Place, ...]:
    return (Place(path=path, lines=(1, last)),)


def test_a_title_and_an_alias_lead_to_their_note() -> None:
    kiln, glaze = whole("Kiln.md", 16), whole("craft/Glaze.md", 4)
    assert asked("title") == {"Kiln": kiln, "Glaze": glaze}
    assert asked("what is title") == {"What is Kiln?": kiln, "What is Glaze?": glaze}
    assert asked("alias") == {"oven": kiln}


def test_a_heading_leads_to_its_section() -> None:
    assert asked("heading") == {"How to fire it": (Place(path="Kiln.md", lines=(9, 14)),)}


def test_what_is_said_beside_a_link_leads_to_its_line_and_to_where_it_goes() -> None:
    own = Place(path="Kiln.md", lines=(13, 13))
    gold = (own, *whole("craft/Glaze.md", 4))
    assert asked("beside a link") == {"See for the colours of the second firing.": gold}


def test_a_name_in_one_line_leads_to_that_line() -> None:
    gold = (Place(path="Kiln.md", lines=(7, 7)),)
    assert asked("rare name") == {"What about Wilhelmina?": gold}
    assert asked("rare name", [*NOTES, note("W.md", "To Wilhelmina.")]) == {}


def test_a_day_leads_to_its_notes() -> None:
    assert asked("day") == {"What did I write on 9 March 2024?": whole("Kiln.md", 16)}


def test_a_name_of_two_notes_asks_for_neither() -> None:
    assert asked("title", [*NOTES, note("other/Glaze.md", "# Glaze\n")]).keys() == {"Kiln"}


def test_of_each_kind_there_are_no_more_than_asked_for_and_always_the_same() -> None:
    first = self_questions(NOTES, each=1)
    assert len(first) == len({case.kind for case in first})
    assert first == self_questions(NOTES, each=1)


def test_an_empty_vault_asks_nothing() -> None:
    assert self_questions([], each=5) == list[AnswerCase]()
