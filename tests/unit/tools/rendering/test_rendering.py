"""The markdown of an answer: every quotation has its place, and no note breaks the page."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

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
from tests.support.values.results import a_contradiction, a_side
from tools.base.domain import (
    INTENTS,
    AnswerFormat,
    Change,
    Event,
    Intent,
    Period,
    SourceWarning,
    Tier,
)
from tools.rendering.answer import render
from tools.rendering.page import Page
from tools.rendering.plan import plan_in_words, queried_period
from tools.temporal.timeline import timeline

PLACE = re.compile(r"\[\[[^\[\]|\n]+\]\] line \d+")


def quoted(markdown: str, *texts: str) -> list[str]:
    """The lines that quote one of the texts."""
    return [line for line in markdown.split("\n") if any(text in line for text in texts)]


# --- where it stands -----------------------------------------------------------------------


def test_a_quotation_carries_note_heading_and_line() -> None:
    written = render(page())
    assert "> Basil wants a weak solution. — [[Basil#Dosing]] line 7" in written


def test_an_ambiguous_note_is_named_by_its_path_everywhere() -> None:
    names = {"notes/Basil.md": "notes/Basil"}
    written = render(page("list", result(), names=names, contradictions=(contradiction(),)))
    assert "[[notes/Basil#Dosing]] line 7" in written
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
    lines = quoted(written, "Basil wants", "It grows.", "Two euros.", "In pesto.", "In tea.")
    assert len(lines) >= 3
    assert all(PLACE.search(line) or "[^" in line for line in lines)


def test_a_sentence_names_all_its_places() -> None:
    written = render(page("list", statements=(statement("It grows.", 7, 12),)))
    assert "- It grows. — [[Basil#Dosing]] line 7, [[Basil#Dosing]] line 12" in written


def test_footnotes_are_numbered_once_for_each_place_and_all_defined() -> None:
    told = (statement("One.", 7), statement("Two.", 12, 7), statement("Three.", 12))
    written = render(page("narrative", statements=told))
    assert "One.[^1]\nTwo.[^2][^1]\nThree.[^2]" in written
    assert re.findall(r"^\[\^(\d)\]: (.*)$", written, re.MULTILINE) == [
        ("1", "[[Basil#Dosing]] line 7"),
        ("2", "[[Basil#Dosing]] line 12"),
    ]


def test_every_cell_of_a_table_has_its_place_and_a_gap_is_a_dash() -> None:
    written = render(page("table", comparison=comparison(row("Cost", "Two euros.", None))))
    assert "| **Cost** | Two euros. ([[a#Cost]] line 3) | — |" in written


def test_a_connection_in_the_graph_tells_its_note_and_line() -> None:
    written = render(page("list", result(chain=(step(),))))
    assert "- Low EC — leads to → Yellow leaves ([[Low EC]] line 9)" in written


def test_a_connection_that_a_model_read_there_is_marked_as_inferred() -> None:
    read = replace(step("Yellow leaves", "Worry"), origin="inferred")
    written = render(page("list", result(chain=(step(), read))))
    assert written.count("- Low EC — leads to → Yellow leaves ([[") == 1
    assert "Yellow leaves — leads to → Worry (inferred, [[Low EC]] line 9)" in written


def test_a_chain_is_shown_once_with_strengths_footnotes_and_what_is_inferred() -> None:
    read = replace(step("Yellow leaves", "Worry"), origin="inferred", line=12)
    chained = result(chain=(step(), read))
    headings = {("notes/Low EC.md", 12): "Why"}
    written = render(page("narrative", chained, headings=headings))
    assert "- Low EC → Yellow leaves (0.90)[^1] → Worry (0.90, inferred)[^2]" in written
    assert "[^1]: [[Low EC]] line 9\n[^2]: [[Low EC#Why]] line 12" in written
    assert written.count("Yellow leaves") == 1


def test_paragraphs_of_a_narrative_stand_apart() -> None:
    first, second = statement("One."), replace(statement("Two."), paragraph=1)
    assert "One.[^1]\n\nTwo.[^1]" in render(page("narrative", statements=(first, second)))


@pytest.mark.parametrize("shown", ["list", "table", "timeline"])
def test_what_a_model_wrote_stands_first_in_every_format(shown: AnswerFormat) -> None:
    written = render(page(shown, statements=(statement("It grows."),)))
    answer = written.split("## Answer")[1]
    assert answer.startswith("\n\n- It grows. — [[Basil#Dosing]] line 7")


def test_a_subject_without_a_note_is_marked_and_what_is_said_of_both_stands_apart() -> None:
    (both,) = row("", "Mint outgrows basil.").cells
    told = comparison(
        row("Cost", "Two euros.", None), without_note=frozenset({"mint"}), together=(both,)
    )
    written = render(page("table", comparison=told))
    assert "| | basil | mint (no note of its own) |" in written
    assert "**Said of both:**\n\n- Mint outgrows basil. — [[a#Cost]] line 3" in written


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
        after = render(page(plan=read)).split("## Next")[1].split("<details>")[0]
        assert asked not in after
        assert named in after or intent == "comparative"


def test_a_contradiction_shows_both_sides_and_the_newer_one_last() -> None:
    written = render(page("list", contradictions=(contradiction(),)))
    assert "Conflicting values (confidence 0.88)" in written
    older = written.index("no date: “Basil wants 1.2.” — [[Old#Dosing]] line 4")
    newer = written.index("2024-03-12: “Basil wants 1.2.” — [[New#Dosing]] line 4")
    assert older < newer
    assert "[[New]] is newer" in written


def test_an_answer_that_has_changed_says_what_holds_now() -> None:
    change = Change(
        before=a_side("notes/Basil.md", claim="The rent is 900 euro."),
        after=a_side("notes/Flat.md", claim="The rent is 1100 euro.", timestamp=WRITTEN),
        changed_on=WRITTEN,
        known_from="claims",
        confidence=0.95,
        similarity=0.9,
        type="conflicting_values",
        explanation="",
        decided_by="local",
    )
    first = result(text="The rent is 900 euro.")
    answer = render(page("list", first, changes=(change,))).split("## Changes")[0]
    assert "**This has changed since.** Now: 2024-03-12: “The rent is 1100 euro.”" in answer
    assert "has changed since" not in render(page("list", first))


def test_a_timeline_shows_what_happened_to_each_note() -> None:
    events = (
        Event(timestamp=WRITTEN, kind="created", detail=""),
        Event(timestamp=datetime(2024, 5, 1, tzinfo=UTC), kind="superseded", detail="Mint"),
    )
    written = render(page("timeline", groups=timeline([result(events=events)], Period())))
    assert "### March 2024\n\n- **2024-03-12** [[Basil]]\n  - Basil wants" in written
    assert "### May 2024\n\n- **2024-05-01** [[Basil]] · superseded by Mint" in written


def test_what_lies_outside_the_dates_is_listed_apart() -> None:
    since = plan("temporal", start_date=WRITTEN)
    written = render(page("timeline", plan=since, undated=(result("b.md"),)))
    assert "no timeline, for the notes found carry no date within the period asked for." in written
    apart = written.split("## Outside the dates asked for")[1]
    assert "- **[[b]]**" in apart
    assert "[[b#Dosing]] line 7" in apart


def test_without_any_date_it_is_said_that_there_is_no_timeline() -> None:
    written = render(page("timeline", undated=(result("b.md"),)))
    assert "There is no timeline, for the notes found carry no date." in written
    assert "- **[[b]]**" in written.split("## Without a date")[1]


def test_header_and_details_count_every_note_of_a_comparison_once() -> None:
    found = (
        result(subject="basil", tier="highly_relevant", composite_relevance=0.9),
        result(subject="mint"),
        result("b.md", subject="mint"),
    )
    written = render(page("table", *found))
    assert "· 2 notes*" in written
    assert "- Notes: highly relevant 1, relevant 1, somewhat relevant 0, low" in written


def test_a_narrative_without_a_sentence_says_that_there_is_none() -> None:
    told = render(page("narrative", statements=(statement(),)))
    chain = render(page("narrative", result(chain=(step(),))))
    bare = render(page("narrative"))
    assert bare.count("## Answer\n\nNo line found tells what is asked in a sentence;") == 1
    assert "in a sentence" not in told + chain


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
    written = render(page("list", *results))
    assert re.findall(r"^## (Highly|Relevant|Somewhat|Weak)", written, re.MULTILINE) == [
        "Highly",
        "Weak",
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
    assert "**[[Basil]]** 0.79 ·" in shown.split("## Relevant (0.6 to 0.8)")[1]


def test_where_only_a_time_is_asked_for_it_is_said_that_nothing_is_from_it() -> None:
    nothing = replace(page("timeline"), results=(), time_alone="October 2026")
    written = render(nothing)
    assert "## Nothing found\n\nNothing in your notes is dated October 2026.\n" in written
    assert "check the spelling" not in written


def test_a_question_for_a_time_alone_is_about_nothing_else() -> None:
    asked = plan("temporal", concepts=())
    assert plan_in_words(asked)["About"] == asked.query
    assert "About" not in plan_in_words(asked, only_time=True)


def test_nothing_found_is_said_with_suggestions_and_what_failed() -> None:
    warning = SourceWarning(source="graph", error="No answer.", impact="Links are missing.")
    empty = replace(page(warnings=(warning,)), results=())
    written = render(replace(empty, sources_failed=("graph",)))
    assert "## Nothing found" in written
    assert "> - **graph**: No answer. Links are missing." in written
    assert "Failed: graph" in written


def test_remarks_are_shown() -> None:
    assert "*Written without a model.*" in render(page(remarks=("Written without a model.",)))


# --- when it was ---------------------------------------------------------------------------


def asking_when(intent: Intent, question: str = "When did I sow basil?") -> Page:
    shown: dict[Intent, AnswerFormat] = {
        "factual": "list", "temporal": "timeline", "causal": "narrative",
        "comparative": "table", "exploratory": "list",
    }  # fmt: skip
    line = result(text="Sown two days ago.")
    return page(shown[intent], line, plan=plan(intent, query=question))


@pytest.mark.parametrize("intent", INTENTS)
@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "When did I sow basil?",
            "## Answer\n\n**10 March 2024** (“two days ago” in a note of 12 March 2024)\n\n",
        ),
        (
            "Fesleğeni ne zaman ektim?",
            "## Yanıt\n\n**10 Mart 2024** (“two days ago” 12 Mart 2024 tarihli bir notta)\n\n",
        ),
    ],
)
def test_an_answer_to_when_begins_with_the_day_and_the_line(
    intent: Intent, question: str, said: str
) -> None:
    body = render(asking_when(intent, question)).split("\n\n", 2)[2]
    assert body.startswith(f"{said}> Sown two days ago. — [[Basil#Dosing]] ")


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
        assert "No line found says when" not in render(silent)


def test_only_a_question_that_asks_when_is_given_a_day() -> None:
    assert "two days ago”" not in render(asking_when("temporal", "How did basil evolve?"))


def test_the_day_stands_before_what_was_written_and_the_line_is_quoted_once() -> None:
    asked = replace(asking_when("factual"), statements=(statement(),))
    written = render(asked)
    answer = written.split("## Relevant")[0]
    assert answer.index("**10 March 2024**") < answer.index(statement().text)
    assert answer.count("> Sown") == 1


def test_a_line_that_no_longer_holds_is_dated_and_said_to_be_superseded() -> None:
    gone = Event(timestamp=WRITTEN, kind="superseded", detail="Mint")
    for shown in ("list", "timeline"):
        asked = page(shown, result(events=(gone,)), plan=plan(query="When did I sow basil?"))
        assert "**This no longer holds: superseded by Mint.**" in render(asked)


def test_a_change_shows_what_holds_since_when_and_is_no_contradiction() -> None:
    told = Change(
        before=a_side("notes/Old.md", claim="The tank currently holds 60 litres."),
        after=a_side("notes/New.md", claim="The tank holds 90 litres.", timestamp=WRITTEN),
        changed_on=WRITTEN,
        known_from="notes",
        confidence=0.95,
        similarity=0.9,
        type="conflicting_values",
        explanation="One says 60 litres, the other 90 litres.",
        decided_by="local",
    )
    written = render(page("list", changes=(told,)))
    assert "### 1. Changed on 2024-03-12" in written
    assert written.index("- before: no date: “The tank cur") < written.index("- since then: 2024-")
    assert "[[New]] is newer" in written
    assert "## Contradictions" not in written
    assert "disagree" not in written.split("## Next")[0]


def test_cited_sources_that_clash_are_named_and_the_notes_are_not_blamed() -> None:
    found = a_contradiction(
        a_side("a.md", source="Smith (2019)"),
        a_side("b.md", source="Lee et al.", opinion=True),
        relation="disagreement",
    )
    written = render(page("list", contradictions=(found,)))
    assert "### 1. Smith (2019) and Lee et al. disagree" in written
    assert "citing Lee et al., an opinion" in written
    assert "Your notes disagree" not in written
    assert "Settle the contradiction" not in written
