"""Whether the passages found hold an answer, and how an answer says that they do not."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import page
from tests.results import a_plan, a_result
from tools.answerability import ABSENT_BELOW, Support, names_in, support
from tools.domain import Excerpt, Result
from tools.page import Absence
from tools.rendering import render
from tools.utterances import utterances
from tools.vault.text import text_query

TALK = (
    "**Ines**: I ran the charity race on Saturday, my knees still hurt. ^1-1\n\n"
    "**Tobias**: Well done! I stayed home and repaired the kettle. ^1-2\n\n"
    "**Ines**: What was wrong with the kettle? ^1-3\n\n"
    "**Tobias**: The switch had melted. ^1-4\n"
)


def found(text: str, *, title: str = "a.md", relevance: float = 0.9) -> Result:
    lines = text.count("\n") + 1
    return a_result(
        title,
        excerpts=(Excerpt(text=text, line_start=1, line_end=lines),),
        sources=("semantic", "text"),
        relevance_score=relevance,
    )


def held_against(question: str, *results: Result) -> Support:
    return support(question, text_query(question).words, results)


@pytest.mark.parametrize(
    ("hers", "his"),
    [
        ("When did Ines run the charity race?", "When did Tobias run the charity race?"),
        ("What hurts Ines after the race?", "What hurts Tobias after the race?"),
        ("why did tobias repair the kettle?", "why did ines repair the kettle?"),
    ],
)
def test_what_another_said_is_likely_no_answer(hers: str, his: str) -> None:
    said, unsaid = held_against(hers, found(TALK)), held_against(his, found(TALK))
    assert said.probability() > unsaid.probability()
    assert said.probability() > ABSENT_BELOW


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the capital of Mongolia?", ("mongolia",)),
        ("Moğolistan'ın başkenti neresi?", ("mogolistan",)),
        ("What did Ines's sister bring from Oslo and Bergen?", ("ines", "oslo", "bergen")),
        ("Would she like the song “The Four Seasons” as I do?", ()),
        ("What Is The Capital Of Mongolia", ()),
        ("what have i learned about sleep?", ()),
        ("Dün ne yaptım?", ()),
    ],
)
def test_the_names_of_a_question(question: str, names: tuple[str, ...]) -> None:
    assert names_in(question) == names


def test_a_name_that_no_note_has_leaves_little_of_the_probability() -> None:
    known = Support(held=0.45, meant=0.4, told=1.0)
    unknown = Support(held=0.45, meant=0.4, told=1.0, unknown=("mongolia",))
    assert known.probability() > ABSENT_BELOW > unknown.probability()


def test_who_said_it_instead_is_known() -> None:
    against = held_against("When did Tobias run the charity race?", found(TALK))
    assert (against.person, against.another) == ("Tobias", "Ines")
    assert against.probability() < ABSENT_BELOW


def test_the_reply_to_a_question_is_counted_as_its_answer() -> None:
    asked = "What was wrong with Tobias's kettle?"
    silent = TALK.replace("**Tobias**: The switch had melted. ^1-4\n", "")
    told, untold = held_against(asked, found(TALK)).told, held_against(asked, found(silent)).told
    assert told > untold + 0.1


def test_words_that_no_note_has_are_named_and_lower_the_probability() -> None:
    note = found("I planted two tomatoes on the balcony.", relevance=0.2)
    there = held_against("When did I plant the tomatoes?", note)
    gone = held_against("When did I repair the bicycle brakes?", note)
    assert there.missing == ()
    assert gone.missing == ("repair", "bicycle", "brakes")
    assert gone.probability() < ABSENT_BELOW < there.probability()


def test_a_title_says_what_its_fields_are_about() -> None:
    kiln = found("status:: in service", title="Kiln.md")
    assert held_against("What is the status of the kiln?", kiln).held > 0.8


def test_nothing_found_is_likely_no_answer() -> None:
    assert held_against("Who repaired the kettle?").probability() < ABSENT_BELOW


@pytest.mark.parametrize(
    "text",
    [
        "Status: done\nOwner: Ines\nDue: Friday\n",
        "Pros: it is warm.\n\nCons: it is loud.\n",
        "Note: read this first. Warning: it is hot.\n",
    ],
)
def test_labels_that_name_fields_are_no_speakers(text: str) -> None:
    assert {part.speaker for part in utterances(found(text))} == {None}


@pytest.mark.parametrize("label", ["**{}**:", "**{}:**", "{}:", "- **{}**:", "[10:05] {}:"])
def test_turns_are_found_however_they_are_labelled(label: str) -> None:
    names = ["Ada", "Ben Okri", "Ada"]
    text = "\n\n".join(f"{label.format(name)} I said so." for name in names)
    parts = utterances(found(text))
    assert [part.speaker for part in parts] == names
    assert all(part.words == ("i", "said", "so") for part in parts)


@given(st.text(max_size=120), st.lists(st.text(max_size=300), max_size=3))
def test_whatever_is_asked_of_whatever_text_has_a_probability(
    question: str, texts: list[str]
) -> None:
    against = held_against(question, *(found(text) for text in texts))
    assert 0 <= against.probability() <= 1
    assert 0 <= against.held <= 1
    assert 0 <= against.told <= 1


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_more_support_never_makes_an_answer_less_likely(
    held: float, meant: float, told: float, more: float
) -> None:
    less = Support(held=held, meant=meant, told=told).probability()
    assert Support(held=max(held, more), meant=meant, told=told).probability() >= less
    assert Support(held=held, meant=meant, told=max(told, more)).probability() >= less


def absence(stale: int = 0, **changes: Any) -> Absence:
    checked = datetime(2025, 3, 1, 9, 30, tzinfo=UTC)
    against = Support(held=0.6, meant=0.9, told=0.2, **changes)
    return Absence(support=against, notes=48, stale=stale, checked=checked)


def test_an_absent_answer_says_so_first_with_why_the_nearest_and_the_index() -> None:
    shown = page(absence=absence(person="Tobias", another="Ines"))
    written = render(shown)
    assert written.index("## Not in your notes") < written.index("## Nearest")
    assert "No line found says this of Tobias; the nearest one is Ines's." in written
    assert "The index holds 48 notes and was up to date with the files at 2025-03-01 09:30." in (
        written
    )
    assert "## Answer" not in written
    assert "Basil wants a weak solution." in written


def test_what_the_lines_found_lack_is_named() -> None:
    written = render(page(absence=absence(missing=("lantern",))))
    assert "No line found has “lantern”" in written


def test_notes_that_changed_since_are_counted() -> None:
    assert "3 notes changed since and were not searched" in render(page(absence=absence(stale=3)))


def test_the_date_of_a_line_on_something_else_is_not_given_as_the_answer() -> None:
    shown = page(plan=a_plan(query="When did I sow basil?", intent="factual"), held=0.3)
    assert "No line found says when; the nearest is of 12 March 2024." in render(shown)
    assert "**12 March 2024**" not in render(shown)
