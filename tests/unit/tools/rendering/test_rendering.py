"""The markdown of an answer: every quotation has its place, and what stands around it."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.support.checks.shown import lines_with, places, sections
from tests.support.values.pages import (
    WRITTEN,
    comparison,
    contradiction,
    page,
    plan,
    result,
    row,
    statement,
    step,
)
from tools.base.domain import INTENTS, AnswerFormat, Intent, Period, SourceWarning, Tier
from tools.rendering.answer import render
from tools.rendering.page import Page
from tools.rendering.plan import plan_in_words, queried_period
from tools.temporal.timeline import timeline

# --- where it stands -----------------------------------------------------------------------


def test_a_quotation_carries_note_heading_and_line() -> None:
    lines = lines_with(render(page()), "Basil wants a weak solution.")
    assert lines
    assert all(places(line) == [("Basil#Dosing", 7)] for line in lines)


def test_an_ambiguous_note_is_named_by_its_path_everywhere() -> None:
    names = {"notes/Basil.md": "notes/Basil"}
    written = render(page("list", result(), names=names, contradictions=(contradiction(),)))
    assert ("notes/Basil#Dosing", 7) in places(written)
    assert "[[notes/Basil]]" in written
    assert "[[Basil" not in written


EVERYTHING = [
    page("list", result(), result("b.md", tier="low_relevance", chain=(step(),))),
    page("narrative", statements=(statement(), statement("It grows.", 8, 9))),
    page(
        "table",
        result(subject="basil"),
        comparison=comparison(row("Cost", "Two euros.", None), row("Use", "In pesto.", "In tea.")),
    ),
    page("timeline", groups=timeline([result(events=()), result("b.md")], Period())),
]


@pytest.mark.parametrize("shown", EVERYTHING, ids=lambda shown: shown.format)
def test_every_quotation_has_its_place_in_every_format(shown: Page) -> None:
    written = render(replace(shown, contradictions=(contradiction(),)))
    lines = lines_with(written, "Basil wants", "It grows.", "Two euros.", "In pesto.", "In tea.")
    assert len(lines) >= 3
    assert all(places(line) or "[^" in line for line in lines)


def test_a_sentence_names_all_its_places() -> None:
    written = render(page("list", statements=(statement("It grows.", 7, 12),)))
    (line,) = lines_with(written, "- It grows.")
    assert places(line) == [("Basil#Dosing", 7), ("Basil#Dosing", 12)]


def test_footnotes_are_numbered_once_for_each_place_and_all_defined() -> None:
    told = (statement("One.", 7), statement("Two.", 12, 7), statement("Three.", 12))
    written = render(page("narrative", statements=told))
    assert "One.[^1]\nTwo.[^2][^1]\nThree.[^2]" in written
    defined = re.findall(r"^\[\^(\d)\]: (.*)$", written, re.MULTILINE)
    assert [(number, places(place)) for number, place in defined] == [
        ("1", [("Basil#Dosing", 7)]),
        ("2", [("Basil#Dosing", 12)]),
    ]


def test_a_connection_that_the_page_tells_as_a_chain_is_not_told_again() -> None:
    written = render(page("narrative", result(chain=(step(), step("Yellow leaves", "Worry")))))
    assert written.count("Yellow leaves") == 1


def test_paragraphs_of_a_narrative_stand_apart() -> None:
    first, second = statement("One."), replace(statement("Two."), paragraph=1)
    assert "One.[^1]\n\nTwo.[^1]" in render(page("narrative", statements=(first, second)))


@pytest.mark.parametrize("shown", ["list", "table", "timeline"])
def test_what_a_model_wrote_stands_first_in_every_format(shown: AnswerFormat) -> None:
    answer = sections(render(page(shown, statements=(statement("It grows."),))))[1]
    (first, *_) = answer.split("\n\n")[1:]
    assert first.startswith("- It grows.")
    assert places(first) == [("Basil#Dosing", 7)]


def test_a_long_line_on_both_is_cut_on_the_short_page_alone() -> None:
    (both,) = row("", " ".join(map(str, range(60)))).cells
    told = comparison(row("Cost", "Two euros.", None), together=(both,))
    assert " 59 — [[a#Cost]]" in render(page("table", comparison=told))
    assert " 23 … — [[a#Cost]]" in render(page("table", comparison=told, whole=False))


@pytest.mark.parametrize("intent", INTENTS)
def test_a_suggestion_names_a_note_or_a_concept_and_never_the_question(intent: Intent) -> None:
    asked = "What does the basil on my balcony want of me?"
    for concepts, named in ((("BASIL",), "Basil"), ((), "Basil"), (("pesto",), "pesto")):
        read = plan(intent, query=asked, concepts=concepts)
        after = sections(render(page(plan=read)))[-1].split("<details>")[0]
        assert asked not in after
        assert named in after or intent == "comparative"


def test_what_has_no_day_in_a_timeline_is_listed_apart_and_why() -> None:
    undated = page("timeline", undated=(result("b.md"),))
    outside = replace(undated, plan=plan("temporal", start_date=WRITTEN))
    told: list[tuple[str, str]] = []
    for shown in (undated, outside):
        _, nothing, apart, *_ = sections(render(shown))
        assert "[[" not in nothing
        assert "- **[[b]]**" in apart
        assert places(apart) == [("b#Dosing", 7)]
        told.append((nothing, apart.split("\n")[0]))
    assert told[0][0] != told[1][0]
    assert told[0][1] != told[1][1]


def test_header_and_details_count_every_note_of_a_comparison_once() -> None:
    found = (
        result(subject="basil", tier="highly_relevant", composite_relevance=0.9),
        result(subject="mint"),
        result("b.md", subject="mint"),
    )
    written = render(page("table", *found))
    assert re.findall(r"\d+", written.split("\n")[2]) == ["2"]
    (tiers,) = lines_with(written, "low relevance")
    assert re.findall(r"\d+", tiers) == ["1", "1", "0", "0"]


def test_a_narrative_without_a_sentence_says_that_there_is_none() -> None:
    answer, listed = sections(render(page("narrative")))[1:3]
    (said,) = answer.strip().split("\n\n")[1:]
    assert not places(said)
    assert places(listed)
    for shown in (
        page("narrative", statements=(statement(),)),
        page("narrative", result(chain=(step(),))),
    ):
        assert said not in render(shown)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (None, None, "any"),
        (datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC),
         "2024-03-01 to 2024-03-31"),
        (None, datetime(2024, 4, 1, 12, tzinfo=UTC), "… to 2024-04-01"),
        (datetime(2024, 3, 1, tzinfo=UTC), None, "2024-03-01 to …"),
    ],
)  # fmt: skip
def test_the_dates_asked_for_are_first_and_last_day(
    start: datetime | None, end: datetime | None, said: str
) -> None:
    assert queried_period(replace(plan(), start_date=start, end_date=end)) == said


def test_the_day_by_which_it_was_known_is_shown_too() -> None:
    known = replace(plan(), known_at=datetime(2024, 4, 1, tzinfo=UTC))
    assert queried_period(known) == "any, as known on 2024-03-31"


# --- the rest of the page ------------------------------------------------------------------


def test_tiers_come_best_first_and_only_those_that_are_there() -> None:
    tiers: tuple[Tier, ...] = ("low_relevance", "highly_relevant")
    results = [result(f"{tier}.md", tier=tier) for tier in tiers]
    listed = [found for found in sections(render(page("list", *results))) if "- **[[" in found]
    assert [re.findall(r"^- \*\*\[\[(\w+)\]\]", found, re.MULTILINE) for found in listed] == [
        ["highly_relevant"],
        ["low_relevance"],
    ]


@pytest.mark.parametrize("shown", ["list", "narrative", "timeline"])
def test_notes_with_scores_stand_by_their_scores(shown: AnswerFormat) -> None:
    scores = {"Mint": 0.61, "Sage": 0.79, "Rye": 0.7}
    results = [result(f"{name}.md", composite_relevance=score) for name, score in scores.items()]
    written = render(page(shown, *results, undated=results))
    listed = re.findall(r"^- \*\*\[\[(\w+)\]\]\*\* 0\.", written, re.MULTILINE)
    assert listed == ["Sage", "Rye", "Mint"]


def test_a_score_is_shown_within_the_bounds_of_its_heading() -> None:
    shown = render(page("list", result(composite_relevance=0.796)))
    (heading,) = (found for found in sections(shown) if "**[[Basil]]** 0.79 ·" in found)
    assert re.findall(r"\d\.\d", heading.split("\n")[0]) == ["0.6", "0.8"]


def test_where_only_a_time_is_asked_for_it_is_said_that_nothing_is_from_it() -> None:
    nothing = replace(page("timeline"), results=())
    said = render(replace(nothing, time_alone="October 2026"))
    assert "October 2026" in sections(said)[1]
    assert "`*surface-related`" in render(nothing)  # to look around, for want of these words
    assert "`*surface-related`" not in said


def test_a_question_for_a_time_alone_is_about_nothing_else() -> None:
    asked = plan("temporal", concepts=())
    assert plan_in_words(asked)["About"] == asked.query
    assert "About" not in plan_in_words(asked, only_time=True)


def test_nothing_found_is_said_with_suggestions_and_what_failed() -> None:
    warning = SourceWarning(source="graph", error="No answer.", impact="Links are missing.")
    empty = replace(page(warnings=(warning,)), results=())
    written = render(replace(empty, sources_failed=("graph",)))
    (warned,) = lines_with(written, "No answer. Links are missing.")
    assert "**graph**" in warned
    assert "`*surface-related`" in sections(written)[1]
    assert lines_with(written.partition("<details>")[2], "graph")


def test_remarks_are_shown() -> None:
    assert "*Written without a model.*" in render(page(remarks=("Written without a model.",)))
