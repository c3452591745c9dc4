"""Plans and what came of them: which of the two a question asks for, and is given."""

from datetime import UTC, datetime

import pytest

from tests.results import a_result
from tests.unit.test_rendering import page, plan
from tools.domain import Excerpt, Result
from tools.evidence import focus
from tools.outcomes import as_asked_first
from tools.rendering import render
from tools.tense import Tense, asked_tense

ONLY_A_PLAN = "Only a plan: no line found says that it came about."


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When did I sell the bike?", "past"),
        ("Did I ever sell the bike?", "past"),
        ("When was the bike sold?", "past"),
        ("Has the roof been mended?", "past"),
        ("Did Pluto lose its planet status?", "past"),
        ("Who sold the bike?", "past"),
        ("Bisikleti ne zaman sattım?", "past"),
        ("Bisikleti sattım mı?", "past"),
        ("Çatı ne zaman onarılmış?", "past"),
        ("When will I sell the bike?", "future"),
        ("When are we going to move?", "future"),
        ("Bisikleti ne zaman satacağım?", "future"),
        ("Bisikleti satacak mıyım?", "future"),
        ("When do we move?", ""),
        ("What do I know about the bike?", ""),
        ("When did I plan to sell the bike?", ""),
        ("Bisikleti ne zaman satmayı planlıyordum?", ""),
        ("Ne zaman taşınıyoruz?", ""),
        ("danışmanın ofis saati", ""),
    ],
)
def test_a_question_asks_for_what_happened_for_what_is_to_come_or_for_neither(
    question: str, asked: str
) -> None:
    assert asked_tense(question) == asked


def noted(path: str, *lines: str) -> Result:
    said = Excerpt(text="\n\n".join(lines), line_start=1, line_end=len(lines))
    return a_result(path, created=datetime(2026, 3, 10, tzinfo=UTC), excerpts=(said,))


PLANNED, SOLD = "I will sell the bike in May.", "Sold the bike on 12 June."


@pytest.mark.parametrize(
    ("asked", "lines", "first"),
    [
        (
            "past",
            ("I will sell my bike.", "Got rid of my bike, sell nothing else."),
            "Got rid of my bike, sell nothing else.",
        ),
        ("past", (PLANNED, SOLD), SOLD),
        (
            "past",
            ("Sell my bike in May.", "The bike was sold to Ada."),
            "The bike was sold to Ada.",
        ),
        ("past", (PLANNED, "The March bike sell went well."), "The March bike sell went well."),
        ("future", (SOLD, PLANNED), PLANNED),
        ("past", ("Bisikleti satacağım.", "Bisikleti sattım."), "Bisikleti sattım."),
        ("", (SOLD, PLANNED), SOLD),
        ("past", (PLANNED, "The cellar was full."), PLANNED),
    ],
)
def test_of_a_plan_and_its_outcome_that_is_quoted_which_is_asked_for(
    asked: Tense, lines: tuple[str, ...], first: str
) -> None:
    words = ("bisikleti", "sattim") if "Bisiklet" in first else ("sell", "bike")
    within = focus([noted("a.md", *lines)], words, timed=True, asked=asked)
    assert within[0].excerpts[0].text == first
    notes = [noted(f"{at}.md", line) for at, line in enumerate(lines)]
    ordered = as_asked_first(notes, words, asked)
    assert ordered[0].excerpts[0].text == first
    assert {*ordered} == {*notes}


def test_a_plan_without_an_outcome_is_said_to_be_one() -> None:
    def asked(question: str, line: str) -> str:
        return render(page("list", noted("a.md", line), plan=plan(query=question)))

    for question in ("When did I sell the bike?", "Did I sell the bike?"):
        assert ONLY_A_PLAN in asked(question, PLANNED)
        assert ONLY_A_PLAN not in asked(question, SOLD)
    assert ONLY_A_PLAN not in asked("When will I sell the bike?", PLANNED)
