"""What is asked and not said by the notes found, and how an answer says so."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.checks.shown import places, sections
from tests.support.values.pages import page
from tests.support.values.results import a_plan, a_reading, a_result
from tools.base.domain import Excerpt, Result
from tools.evidence.answerability import MissingEvidence, missing_evidence, names_in
from tools.evidence.features import Candidate, Found, candidates, persons_in, query_terms
from tools.evidence.ranking import FEATURES
from tools.evidence.spans import spans_of
from tools.rendering.answer import render
from tools.rendering.page import Absence
from tools.text.markdown.dialogue import is_conversation
from tools.text.tokens import words_of
from tools.vault.catalog.text import text_query

TALK = (
    "**Ines**: I ran the charity race on Saturday, my knees still hurt. ^1-1\n\n"
    "**Tobias**: Well done! I stayed home and repaired the kettle. ^1-2\n\n"
    "**Ines**: What was wrong with the kettle? ^1-3\n\n"
    "**Tobias**: The switch had melted. ^1-4\n"
)


def found(text: str, *, title: str = "a.md") -> Result:
    lines = text.count("\n") + 1
    return a_result(title, excerpts=(Excerpt(text=text, line_start=1, line_end=lines),))


def said_of(
    question: str, text: str, *, title: str = "Talk"
) -> tuple[list[Candidate], MissingEvidence]:
    """The spans of a note with those that tell most of who is asked about first, and what lacks."""
    words = text_query(question).words
    asked = query_terms(a_reading(question), words, [1.0] * len(words))
    note = Found(path="a.md", title=title, rank=0, score=0.8, relevance=0.7, passages=[])
    spans = spans_of(text)
    own = candidates(asked, note, spans, persons=persons_in(asked, spans))
    own.sort(key=lambda one: -one.features[FEATURES.index("span_coverage")])
    return own, missing_evidence(asked, words, own)


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


@pytest.mark.parametrize(
    ("hers", "his"),
    [
        ("When did Ines run the charity race?", "When did Tobias run the charity race?"),
        ("What hurts Ines after the race?", "What hurts Tobias after the race?"),
    ],
)
def test_who_said_it_instead_is_known(hers: str, his: str) -> None:
    _, of_hers = said_of(hers, TALK)
    _, of_his = said_of(his, TALK)
    assert (of_hers.person, of_hers.another) == ("Ines", None)
    assert (of_his.person, of_his.another) == ("Tobias", "Ines")


def test_words_that_no_line_has_are_named() -> None:
    note = "I planted two tomatoes on the balcony."
    assert said_of("When did I plant the tomatoes?", note)[1].missing == ()
    gone = said_of("When did I repair the bicycle brakes?", note)[1]
    assert gone.missing == ("repair", "bicycle", "brakes")
    assert (
        said_of("What is the status of the kiln?", "status:: on", title="Kiln")[1]
        == MissingEvidence()
    )


@pytest.mark.parametrize(
    "text",
    [
        "Status: done\nOwner: Ines\nDue: Friday\n",
        "Pros: it is warm.\n\nCons: it is loud.\n",
        "Note: read this first. Warning: it is hot.\n",
    ],
)
def test_labels_that_name_fields_are_no_speakers(text: str) -> None:
    assert not is_conversation((text,))
    assert {one.speaker for one in spans_of(text)} == {""}


@pytest.mark.parametrize("label", ["**{}**:", "**{}:**", "{}:", "- **{}**:", "[10:05] {}:"])
def test_turns_are_found_however_they_are_labelled(label: str) -> None:
    names = ["Ada", "Ben Okri", "Ada"]
    text = "\n\n".join(f"{label.format(name)} I said so." for name in names)
    assert [one.speaker for one in spans_of(text) if one.kind != "list"] == names


@given(st.text(max_size=120), st.text(max_size=300))
def test_whatever_is_asked_of_whatever_text_something_can_be_said(question: str, text: str) -> None:
    spans, lacks = said_of(question, text)
    assert set(lacks.missing) <= {
        part for word in text_query(question).words for part in words_of(word)
    }
    assert lacks.another is None or spans[0].span.speaker.startswith(lacks.another)


def absence(found: MissingEvidence | None = None, *, stale: int = 0) -> Absence:
    checked = datetime(2025, 3, 1, 9, 30, tzinfo=UTC)
    return Absence(lacking=found or MissingEvidence(), notes=48, stale=stale, checked=checked)


ABSENT = """\
## Not in your notes

No line found says this of Tobias; the nearest one is Ines's.

The index holds 48 notes and was up to date with the files at 2025-03-01 09:30.

Nearest:

- Basil wants a weak solution. — [[Basil#Dosing]] line 7

*1 note · `--all` shows everything*
"""


def test_an_absent_answer_says_so_first_with_why_the_nearest_and_the_index() -> None:
    shown = page(absence=absence(MissingEvidence(person="Tobias", another="Ines")))
    assert render(replace(shown, whole=False)) == ABSENT
    said, nearest = sections(render(shown))[1:3]
    assert ABSENT.startswith(f"## {said.strip()}\n")
    assert places(nearest) == [("Basil#Dosing", 7)]


def test_what_the_lines_found_lack_is_named() -> None:
    written = render(page(absence=absence(MissingEvidence(missing=("lantern",)))))
    assert "“lantern”" in sections(written)[1]


def test_notes_that_changed_since_are_counted() -> None:
    said = sections(render(page(absence=absence(stale=3))))[1]
    assert re.search(r"\b48\b.*\b3\b", said)


def test_the_date_of_a_line_on_something_else_is_not_given_as_the_answer() -> None:
    shown = page(plan=a_plan(query="When did I sow basil?", intent="factual"), held=0.3)
    said, quoted = sections(render(shown))[1].strip().split("\n\n")[1:]
    assert "12 March 2024" in said
    assert "**" not in said
    assert places(quoted) == [("Basil#Dosing", 7)]
