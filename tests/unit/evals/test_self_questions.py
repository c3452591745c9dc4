"""Questions that a vault answers by how it is made, with their evidence."""

from datetime import UTC, datetime

from evals.answers.self_questions import EXPLAINED, in_turns, self_questions
from evals.datasets.evidence import AnswerCase, Place
from tools.base.domain import Note
from tools.vault.notes.notes import parse_note

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


def follow_ups(notes: list[Note]) -> list[AnswerCase]:
    return [case for case in self_questions(notes, each=50) if case.kind == "follow-up"]


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
    ((question, places),) = asked("rare name").items()
    assert ("Wilhelmina" in question, places) == (True, gold)
    assert asked("rare name", [*NOTES, note("W.md", "To Wilhelmina.")]) == {}


def test_what_is_said_beside_several_links_leads_to_each() -> None:
    again = note("Again.md", "See [[Kiln]] for the colours of the second firing.\n")
    (gold,) = asked("beside a link", [*NOTES, again]).values()
    assert {(place.path, place.lines[0]) for place in gold} == {
        *(("Kiln.md", 13), ("craft/Glaze.md", 1)),
        *(("Again.md", 1), ("Kiln.md", 1)),
    }


def test_a_note_and_a_section_without_a_text_are_not_asked_for() -> None:
    empty = "---\naliases: [blank]\n---\n# Void\n\n## Nothing to see\n\n## Of Wilhelm\n"
    assert self_questions([note("Void.md", empty)], each=5) == list[AnswerCase]()


def test_a_day_leads_to_its_notes() -> None:
    ((question, gold),) = asked("day").items()
    assert "9 March 2024" in question
    assert gold == whole("Kiln.md", 16)


def test_a_follow_up_asks_for_a_section_without_naming_its_note() -> None:
    (case,) = follow_ups(NOTES)
    assert case.after in asked("what is title")
    assert ("How to fire it" in case.q, "Kiln" in case.q) == (True, False)
    assert case.gold == (Place(path="Kiln.md", lines=(9, 14)),)


def test_a_heading_that_says_nothing_or_names_a_note_is_no_follow_up() -> None:
    text = (
        "# Wheel\n\n## Links\n\n- [[Kiln]]\n- [[Glaze]]\n\n## Glaze\n\nIt is not glazed at all.\n"
    )
    named = "\n## The wheel\n\nIt turns to the left.\n\n## 2024\n\nIt was bought in that year.\n"
    assert follow_ups([*NOTES, note("Wheel.md", text + named)]) == follow_ups(NOTES)


BREAD = """# Bread

## Ingredients

- flour
- water
- salt

## Steps

For a loaf that rises it takes:

1. time
2. warmth
3. a hot oven
"""


def test_a_list_is_asked_for_by_its_note_and_what_stands_over_it() -> None:
    assert asked("list", [note("Bread.md", BREAD)]) == {
        "What does Bread list under Ingredients?": (Place(path="Bread.md", lines=(5, 7)),),
        "What does Bread list under For a loaf that rises it takes?": (
            Place(path="Bread.md", lines=(13, 15)),
        ),
    }


def test_lists_under_headings_alike_are_each_an_answer() -> None:
    text = "# Bread\n\n## Day\n\n- a\n- b\n- c\n\n## Rest\n\nNo.\n\n## Day\n\n- d\n- e\n- f\n"
    places = [Place(path="Bread.md", lines=lines) for lines in ((5, 7), (15, 17))]
    assert list(asked("list", [note("Bread.md", text)]).values()) == [tuple(places)]


def test_two_items_and_a_list_under_nothing_are_no_list_to_ask_for() -> None:
    short = "# Tea\n\n- black\n- green\n- white\n\n## Cups\n\n- blue\n- red\n"
    assert asked("list", [note("Tea.md", short)]) == {}


FIRIN = """---
created: 2024-03-09
---
# Fırın

Bu fırını geçen sonbaharda komşumuz Wilhelmina ile birlikte aldık.

## Nasıl yakılır

Önce küçük odunlar yakılır, sonra büyükleri eklenir.

## Gerekenler

- odun
- kibrit
- sabır
"""


def test_a_turkish_note_is_asked_for_in_turkish() -> None:
    notes = [*NOTES[1:], note("Fırın.md", FIRIN)]
    assert set(asked("what is title", notes)) == {"What is Glaze?", "Fırın nedir?"}
    assert set(asked("day", notes)) == {"9 Mart 2024 günü ne yazdım?"}
    assert set(asked("rare name", notes)) == {"Wilhelmina hakkında ne var?"}
    assert set(asked("list", notes)) == {"Fırın notunda Gerekenler başlığı altında neler var?"}
    (case,) = follow_ups(notes)
    assert (case.after, case.q) == ("Fırın nedir?", "Peki Nasıl yakılır?")


def test_the_kinds_take_turns_and_each_is_explained() -> None:
    cases = self_questions(NOTES, each=2)
    turns = in_turns(cases)
    kinds = {case.kind for case in cases}
    assert {case.kind for case in turns[: len(kinds)]} == kinds
    assert sorted(turns, key=str) == sorted(cases, key=str)
    assert kinds <= EXPLAINED.keys()


def test_a_name_of_two_notes_asks_for_neither() -> None:
    assert asked("title", [*NOTES, note("other/Glaze.md", "# Glaze\n")]).keys() == {"Kiln"}


def test_of_each_kind_there_are_no_more_than_asked_for_and_always_the_same() -> None:
    first = self_questions(NOTES, each=1)
    assert len(first) == len({case.kind for case in first})
    assert first == self_questions(NOTES, each=1)


def test_an_empty_vault_asks_nothing() -> None:
    assert self_questions([], each=5) == list[AnswerCase]()
