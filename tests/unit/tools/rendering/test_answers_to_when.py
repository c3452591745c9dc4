"""A question that asks when is answered with a day, where a line says one."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.support.checks.shown import bold_lines, places, sections
from tests.support.values.pages import WRITTEN, page, plan, result, statement
from tools.base.domain import INTENTS, AnswerFormat, Event, Intent
from tools.rendering.answer import render
from tools.rendering.page import Page


def asking_when(intent: Intent, question: str = "When did I sow basil?") -> Page:
    shown: dict[Intent, AnswerFormat] = {
        "factual": "list", "temporal": "timeline", "causal": "narrative",
        "comparative": "table", "exploratory": "list",
    }  # fmt: skip
    line = result(text="Sown two days ago.")
    return page(shown[intent], line, plan=plan(intent, query=question))


@pytest.mark.parametrize("intent", INTENTS)
@pytest.mark.parametrize(
    ("question", "day", "written"),
    [
        ("When did I sow basil?", "10 March 2024", "12 March 2024"),
        ("Fesleğeni ne zaman ektim?", "10 Mart 2024", "12 Mart 2024"),
    ],
)
def test_an_answer_to_when_begins_with_the_day_and_the_line(
    intent: Intent, question: str, day: str, written: str
) -> None:
    dated, quoted = sections(render(asking_when(intent, question)))[1].split("\n\n")[1:3]
    assert dated.startswith(f"**{day}** (“two days ago”")
    assert written in dated
    assert quoted.startswith("> Sown two days ago.")
    assert places(quoted) == [("Basil#Dosing", 7)]


def test_over_what_there_is_of_some_days_a_day_stands_where_the_line_says_it() -> None:
    for question in ("What happened in March 2024?", "When did I sow basil in March 2024?"):
        asked = asking_when("temporal", question)
        march = replace(asked.plan, start_date=datetime(2024, 3, 1, tzinfo=UTC))
        later = replace(asked, plan=replace(march, start_date=WRITTEN))
        asked = replace(asked, plan=march)
        silent = replace(asked, results=(result(text="Basil."),))
        assert march.reading.asks("when")
        assert "**10 March 2024** (“two days ago”" in render(asked)
        assert "10 March" not in render(later)
        assert "12 March" not in render(silent)  # the day of the note, which is no answer


def test_only_a_question_that_asks_when_is_given_a_day() -> None:
    assert "two days ago”" not in render(asking_when("temporal", "How did basil evolve?"))


def test_the_day_stands_before_what_was_written_and_the_line_is_quoted_once() -> None:
    asked = replace(asking_when("factual"), statements=(statement(),))
    answer = sections(render(asked))[1]
    assert answer.index("**10 March 2024**") < answer.index(statement().text)
    assert answer.count("> Sown") == 1


def test_a_line_that_no_longer_holds_is_dated_and_said_to_be_superseded() -> None:
    gone = Event(timestamp=WRITTEN, kind="superseded", detail="Mint")
    for shown in ("list", "timeline"):
        asked = page(shown, result(events=(gone,)), plan=plan(query="When did I sow basil?"))
        (said,) = bold_lines(render(asked))
        assert "Mint" in said
