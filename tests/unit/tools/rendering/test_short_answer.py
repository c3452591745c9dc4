"""The short page: the answer first, at most three lines more, and where the rest is."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.checks.shown import lines_with, places
from tests.support.values.pages import (
    comparison,
    contradiction,
    page,
    plan,
    result,
    row,
    statement,
    step,
)
from tools.base.domain import AnswerFormat, Period, Result, SourceWarning
from tools.rendering.answer import render
from tools.rendering.lines import cut
from tools.rendering.page import Page
from tools.temporal.timeline import timeline

LONG = " ".join(["Basil grows slowly in the dark corner of the shed."] * 9)


def brief(shown: AnswerFormat, *results: Result, **changes: object) -> str:
    made: Page = page(shown, *results)
    return render(replace(made, whole=False, **changes))  # pyright: ignore[reportArgumentType]


SHORT = """\
> graph: No answer. Links are missing.

> Basil wants a weak solution. — [[Basil#Dosing]] line 7

- Mint wants shade. — [[Mint#Dosing]] line 7

- Contradiction: “Basil wants 1.2.” ([[New]], 2024-03-12) / “Basil wants 1.2.” ([[Old]])

*Written without a model.*

*confidence 0.73 · 2 notes · `--all` shows everything*
"""


def test_the_answer_stands_first_and_below_it_the_next_lines_and_what_contradicts() -> None:
    written = brief(
        "list",
        result(),
        result("notes/Mint.md", text="Mint wants shade."),
        contradictions=(contradiction(),),
        warnings=(SourceWarning(source="graph", error="No answer.", impact="Links are missing."),),
        remarks=("Written without a model.",),
        confidence=0.73,
    )
    assert written == SHORT


def test_no_more_than_three_lines_follow_and_each_is_short() -> None:
    many = [result(f"notes/N{number}.md", text=LONG) for number in range(9)]
    written = brief("list", *many)
    lines = [line for line in written.split("\n") if line.startswith("- ")]
    assert len(lines) == 3
    assert all(len(line.split()) < 40 for line in lines)


def test_how_sure_the_answer_is_and_where_the_rest_is_stand_last() -> None:
    written = brief("list", result(), confidence=0.734)
    last = written.rstrip().split("\n")[-1]
    assert re.findall(r"[\d.]+", last) == ["0.73", "1"]
    assert "`--all`" in last
    assert "0.91" not in written  # how sure the reading of the question is


@pytest.mark.parametrize("shown", ["list", "narrative"])
def test_what_is_likelier_not_the_answer_is_given_as_perhaps(shown: AnswerFormat) -> None:
    doubt, quoted = brief(shown, result(), confidence=0.49).split("\n\n")[:2]
    assert (places(doubt), quoted[:13]) == ([], "> Basil wants")
    for confidence in (0.5, None):
        assert brief(shown, result(), confidence=confidence).startswith("> Basil wants")


def test_a_day_is_in_bold_only_where_its_line_is_likelier_the_answer_than_not() -> None:
    asked = plan(query="When did the basil bloom?")
    told = result(text="The basil bloomed on 4 May 2024.")
    sure, unsure = (brief("list", told, plan=asked, confidence=one) for one in (0.5, 0.49))
    assert "**4 May 2024**" in sure
    assert "4 May 2024 (" in unsure
    assert "**" not in unsure


def test_what_a_model_wrote_is_not_called_unsure_for_the_line_found() -> None:
    told = statement("Basil likes it weak.")
    written = brief("list", result(), statements=(told,), by_model=True, confidence=0.2)
    assert written.startswith("- Basil likes it weak.")


@pytest.mark.parametrize("shown", ["list", "narrative"])
def test_what_a_model_wrote_takes_the_place_of_the_quotation(shown: AnswerFormat) -> None:
    told = statement("Basil likes it weak.")
    written = brief(shown, result(), statements=(told,), by_model=True)
    (line,) = lines_with(written, "Basil likes it weak.")
    assert written.startswith(line)
    assert places(line) == [("Basil#Dosing", 7)]
    assert not lines_with(written, "> ")


def test_a_chain_of_causes_stands_below_the_notes_words_with_its_place() -> None:
    why = plan("causal", format="narrative")
    written = brief("narrative", result(), result("b.md", chain=(step(),)), plan=why)
    answer, chain = written.split("\n\n")[:2]
    assert answer.startswith("> Basil wants")
    assert chain.startswith("- Low EC → Yellow leaves")
    assert places(chain) == [("Low EC", 9)]


def test_a_contradiction_is_one_line() -> None:
    written = brief("list", result(), contradictions=(contradiction(),))
    (line,) = lines_with(written, "“Basil wants 1.2.”")
    assert line.startswith("- ")
    assert line.count("[[") == 2


def test_what_is_read_as_looking_around_but_asks_for_one_answer_is_answered() -> None:
    asked = plan("exploratory", query="Do I have to water the basil every day?")
    _, answered, *_ = brief("list", result(), plan=asked, confidence=0.2).split("\n\n")
    assert answered.startswith("> Basil wants")
    around = plan("exploratory", query="What do I know about basil?")
    assert brief("list", result(), plan=around, confidence=0.2).startswith("- Basil wants")
    chosen = plan("exploratory", query="Is basil thirsty?", decided_by="command")
    assert brief("list", result(), plan=chosen).startswith("- Basil wants")


def test_a_timeline_is_cut_to_its_latest_entries() -> None:
    many = [result(f"notes/N{number}.md") for number in range(30)]
    written = brief("timeline", *many, groups=timeline(many, Period()))
    assert sum(line.startswith("- **") for line in written.split("\n")) == 6
    assert re.findall(r"\d+", written.split("\n")[0]) == ["6", "30"]
    few = brief("timeline", *many[:6], groups=timeline(many[:6], Period()))
    assert few.startswith("### ")


@pytest.mark.parametrize("shown", ["timeline", "table"])
def test_the_line_that_likely_answers_stands_over_a_timeline_and_over_a_table(
    shown: AnswerFormat,
) -> None:
    of_two = timeline([result(), result("b.md")], Period())
    costs = comparison(row("Cost", "Two euros.", None))
    for confidence, shows in ((0.5, True), (0.49, False)):
        written = brief(shown, groups=of_two, comparison=costs, confidence=confidence)
        assert (
            "> Basil wants" in written.partition("###" if shown == "timeline" else "|")[0]
        ) == shows


def test_one_entry_is_no_timeline_unless_a_period_is_asked_for() -> None:
    changed = plan("temporal", format="timeline")
    groups = timeline([result()], Period())
    assert brief("timeline", result(), plan=changed, groups=groups).startswith("> Basil wants")
    bounded = replace(changed, start_date=datetime(2020, 1, 1, tzinfo=UTC))
    assert brief("timeline", result(), plan=bounded, groups=groups).startswith("### ")


@given(st.integers(1, 12), st.lists(st.sampled_from(["word", "[[A", "long", "note]]", "x"])))
def test_a_cut_never_opens_a_link_that_it_does_not_close(words: int, parts: list[str]) -> None:
    text = " ".join(parts)
    shown = cut(text, words)
    opened = shown.rfind("[[")
    assert shown == text or "]]" not in text[opened:] or opened <= shown.rfind("]]")


def test_where_nothing_can_be_set_side_by_side_the_lines_found_are_shown() -> None:
    compared = plan("comparative", format="table", subjects=("Basil", "Mint"))
    written = brief("table", result(), plan=compared)
    quoted, said, _ = written.split("\n\n")
    assert quoted.startswith("> Basil wants a weak solution.")
    assert places(quoted) == [("Basil#Dosing", 7)]
    assert said not in brief("list", result(), plan=compared)
