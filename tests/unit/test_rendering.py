"""The markdown of an answer: every quotation has its place, and no note breaks the page."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tools.citations import Citation, Statement
from tools.comparison import Cell, Row
from tools.domain import (
    AnswerFormat,
    Contradiction,
    ContradictionSide,
    Event,
    Excerpt,
    GraphRelation,
    Intent,
    NoteMetadata,
    Period,
    QueryPlan,
    Result,
    SourceWarning,
    Tier,
)
from tools.guards import terminal_text
from tools.rendering import Page, dates_asked, render
from tools.timeline import timeline

WRITTEN = datetime(2024, 3, 12, tzinfo=UTC)
PLACE = re.compile(r"\[\[[^\[\]|\n]+\]\] line \d+")


def plan(
    intent: Intent = "factual",
    *,
    query: str = "What does basil want?",
    subjects: tuple[str, ...] = (),
    reason: str = "wording: what does",
) -> QueryPlan:
    formats: dict[Intent, AnswerFormat] = {
        "factual": "list",
        "temporal": "timeline",
        "causal": "narrative",
        "comparative": "table",
        "exploratory": "list",
    }
    return QueryPlan(
        query=query,
        intent=intent,
        confidence=0.91,
        probabilities={},
        decided_by="local",
        reason=reason,
        concepts=("basil",),
        subjects=subjects,
        start_date=None,
        end_date=None,
        similarity_threshold=0.7,
        limit=10,
        route=("semantic", "text"),
        format=formats[intent],
    )


def step(source: str = "Low EC", target: str = "Yellow leaves") -> GraphRelation:
    return GraphRelation(
        source_title=source,
        relation="LEADS_TO",
        target_title=target,
        source_path=None,
        target_path=None,
        note_path="notes/Low EC.md",
        line=9,
        strength=0.9,
    )


def result(
    path: str = "notes/Basil.md",
    *,
    text: str = "Basil wants a weak solution.",
    heading: str | None = "Dosing",
    tier: Tier = "relevant",
    subject: str | None = None,
    chain: tuple[GraphRelation, ...] = (),
    events: tuple[Event, ...] = (),
) -> Result:
    return Result(
        note_path=path,
        note_title=path,
        relevance_score=0.7,
        composite_relevance=0.72,
        tier=tier,
        sources=("graph",) if chain else ("semantic", "text"),
        primary_source="graph" if chain else "text",
        match_types=("text",),
        excerpts=(Excerpt(text=text, line_start=7, line_end=8, heading=heading),),
        metadata=NoteMetadata(created_date=WRITTEN, modified_date=None, building_block=None),
        subject=subject,
        chain=chain,
        events=events,
    )


def contradiction(
    claim: str = "Basil wants 1.2.", *, explanation: str = "The numbers differ."
) -> Contradiction:
    def side(path: str, when: datetime | None) -> ContradictionSide:
        return ContradictionSide(
            path=path, title=path, claim=claim, line=4, heading="Dosing", timestamp=when
        )

    return Contradiction(
        note_a=side("notes/New.md", WRITTEN),
        note_b=side("notes/Old.md", None),
        confidence=0.88,
        similarity=0.93,
        type="conflicting_values",
        newer="a",
        explanation=explanation,
        decided_by="local",
    )


def statement(text: str = "Basil wants a weak solution.", *lines: int) -> Statement:
    return Statement(
        text=text,
        citations=tuple(
            Citation(note_path="notes/Basil.md", note_title="Basil", line=line, heading="Dosing")
            for line in lines or (7,)
        ),
    )


def row(attribute: str = "Cost", *texts: str | None) -> Row:
    return Row(
        attribute=attribute,
        cells=tuple(
            None
            if text is None
            else Cell(
                text=text,
                citation=Citation(note_path="notes/a.md", note_title="a", line=3, heading="Cost"),
            )
            for text in texts
        ),
    )


def page(shown: AnswerFormat = "list", *results: Result, **parts: object) -> Page:
    intents: dict[AnswerFormat, Intent] = {
        "list": "factual",
        "narrative": "causal",
        "table": "comparative",
        "timeline": "temporal",
    }
    subjects = ("basil", "mint") if shown == "table" else ()
    made = Page(
        plan=plan(intents[shown], subjects=subjects),
        format=shown,
        results=results or (result(),),
        sources_available=("semantic", "text"),
        timings_ms={"semantic": 12.3, "text": 4.0},
    )
    return replace(made, **parts)


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
        rows=(row("Cost", "Two euros.", None), row("Use", "In pesto.", "In tea.")),
    ),
    page("timeline", groups=timeline([result(events=()), result("b.md")], Period())),
]


@pytest.mark.parametrize("shown", EVERYTHING, ids=lambda shown: shown.format)
def test_every_quotation_has_its_place_in_every_format(shown: Page) -> None:
    written = render(replace(shown, contradictions=(contradiction(),)))
    lines = quoted(written, "Basil wants", "It grows.", "Two euros.", "In pesto.", "In tea.")
    assert len(lines) >= 3
    assert all(PLACE.search(line) or "[^1]" in line for line in lines)


def test_a_sentence_names_all_its_places() -> None:
    written = render(page("list", statements=(statement("It grows.", 7, 12),)))
    assert "- It grows. — [[Basil#Dosing]] line 7, [[Basil#Dosing]] line 12" in written


def test_footnotes_are_numbered_once_for_each_place_and_all_defined() -> None:
    told = (statement("One.", 7), statement("Two.", 12, 7), statement("Three.", 12))
    written = render(page("narrative", statements=told))
    assert "One.[^1] Two.[^2][^1] Three.[^2]" in written
    assert re.findall(r"^\[\^(\d)\]: (.*)$", written, re.MULTILINE) == [
        ("1", "[[Basil#Dosing]] line 7"),
        ("2", "[[Basil#Dosing]] line 12"),
    ]


def test_every_cell_of_a_table_has_its_place_and_a_gap_is_a_dash() -> None:
    written = render(page("table", rows=(row("Cost", "Two euros.", None),)))
    assert "| **Cost** | Two euros. ([[a#Cost]] line 3) | — |" in written


def test_a_connection_in_the_graph_tells_its_note_and_line() -> None:
    written = render(page("list", result(chain=(step(),))))
    assert "- Low EC — leads to → Yellow leaves ([[Low EC]] line 9)" in written


def test_a_contradiction_shows_both_sides_and_the_newer_one_last() -> None:
    written = render(page("list", contradictions=(contradiction(),)))
    assert "Conflicting values (confidence 0.88)" in written
    older = written.index("no date: “Basil wants 1.2.” — [[Old#Dosing]] line 4")
    newer = written.index("2024-03-12: “Basil wants 1.2.” — [[New#Dosing]] line 4")
    assert older < newer
    assert "[[New]] is newer" in written


def test_a_timeline_shows_what_happened_to_each_note() -> None:
    events = (
        Event(timestamp=WRITTEN, kind="created", detail=""),
        Event(timestamp=datetime(2024, 5, 1, tzinfo=UTC), kind="superseded", detail="by Mint"),
    )
    written = render(page("timeline", groups=timeline([result(events=events)], Period())))
    assert "### March 2024\n\n- **2024-03-12** [[Basil]]\n  - Basil wants" in written
    assert "### May 2024\n\n- **2024-05-01** [[Basil]] · superseded · by Mint" in written


def test_what_lies_outside_the_dates_is_listed_apart() -> None:
    written = render(page("timeline", undated=(result("b.md"),)))
    assert "The notes found carry no date within the period asked for." in written
    apart = written.split("## Outside the dates asked for")[1]
    assert "- **[[b]]**" in apart
    assert "[[b#Dosing]] line 7" in apart


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
    assert dates_asked(replace(plan(), start_date=start, end_date=end)) == said


def test_the_day_by_which_it_was_known_is_shown_too() -> None:
    known = replace(plan(), known_at=datetime(2024, 4, 1, tzinfo=UTC))
    assert dates_asked(known) == "any, as known on 2024-03-31"


# --- the rest of the page ------------------------------------------------------------------


def test_tiers_come_best_first_and_only_those_that_are_there() -> None:
    tiers: tuple[Tier, ...] = ("low_relevance", "highly_relevant")
    results = [result(f"{tier}.md", tier=tier) for tier in tiers]
    written = render(page("list", *results))
    assert re.findall(r"^## (Highly|Relevant|Somewhat|Weak)", written, re.MULTILINE) == [
        "Highly",
        "Weak",
    ]


def test_nothing_found_is_said_with_suggestions_and_what_failed() -> None:
    warning = SourceWarning(source="graph", error="No answer.", impact="Links are missing.")
    empty = replace(page(warnings=(warning,)), results=())
    written = render(replace(empty, sources_failed=("graph",)))
    assert "## Nothing found" in written
    assert "> - **graph**: No answer. Links are missing." in written
    assert "Failed: graph" in written


def test_remarks_are_shown() -> None:
    assert "*Written without a model.*" in render(page(remarks=("Written without a model.",)))


# --- what notes cannot do ------------------------------------------------------------------

hostile = st.lists(
    st.sampled_from(
        [
            *("\x1b[31m", "\x1b]8;;http://x\x07", "\x9b2J", "\x07", "\x08", "\x00", "\u202e"),
            *("\n", "\r", "\n# Title\n", "\n\n## Contradictions\n\n", "|", "\\|", "\\", "---"),
            *("> ", "- ", "[[", "]]", "[^1]", "`", "</details>", "word", " ", "ğ", "| a | b |\n"),
        ]
    ),
    max_size=8,
).map("".join)


def hostile_page(shown: AnswerFormat, text: str, *, statements: bool = False) -> Page:
    """A page on which every text that comes from a note or a model is ``text``."""
    event = Event(timestamp=WRITTEN, kind="superseded", detail=text)
    created = Event(timestamp=WRITTEN, kind="created", detail="")
    found = result(f"notes/{text}.md", text=text, heading=text, subject="basil")
    linked = result("b.md", text=text, subject=text, chain=(step(text, text),))
    dated = replace(found, events=(created, event))
    made = page(
        shown,
        found,
        linked,
        contradictions=(contradiction(text, explanation=f"So: {text}"),),
        warnings=(SourceWarning(source="text", error=text, impact=text),),
        remarks=(text,),
        rows=(row(text, text, None), row("Use", None, text)),
        groups=timeline([dated], Period()),
        statements=(statement(text),) if statements else (),
    )
    subjects = (text, "mint") if shown == "table" else ()
    return replace(made, plan=plan(made.plan.intent, query=text, reason=text, subjects=subjects))


def outline(markdown: str) -> list[str]:
    """The kinds of line the page is made of, without their words."""
    return [
        re.match(r"\s*(?:#+ |> |- |\||<|\*|`{3})?", line)[0]  # pyright: ignore[reportOptionalSubscript]
        for line in markdown.split("\n")
    ]


@pytest.mark.parametrize("shown", ["list", "narrative", "table", "timeline"])
@given(text=hostile)
def test_no_text_of_a_note_leaves_its_line_or_reaches_the_terminal_as_a_command(
    shown: AnswerFormat, text: str
) -> None:
    written = render(hostile_page(shown, text))
    assert written == terminal_text(written)
    harmless = render(hostile_page(shown, "word"))
    assert len(outline(written)) == len(outline(harmless))
    headings = [line for line in outline(written) if "#" in line]
    assert headings == [line for line in outline(harmless) if "#" in line]


STARTS = [
    *("# Not a title", "> not a quotation", "- not an item", "+ nor this"),
    *(
        "```not code",
        "~~~ nor this",
        "| not | a table",
        "-5 °C is cold.",
        "+3 dB.",
        "=5 of it.",
        "2024 was dry.",
    ),
]
NUMBERS = ["1.2 mS/cm is enough.", "3.", "1. not a list", "7) not a list"]


def read(markdown: str) -> list[str]:
    """The paragraphs of a page as a reader sees them, without markup."""
    return [
        "".join(child.content for child in token.children or ())
        for token in MarkdownIt().parse(markdown)
        if token.type == "inline"
    ]


@pytest.mark.parametrize("text", STARTS)
def test_a_quotation_opens_no_block_of_its_own(text: str) -> None:
    for shown in (
        page("list", result(text=text)),
        page("narrative", statements=(statement(text),)),
    ):
        paragraphs = read(render(shown))
        assert any(paragraph.startswith(text) for paragraph in paragraphs)


@pytest.mark.parametrize(
    ("text", "seen"),
    [("*Basil* wants", "Basil wants"), ("`make` runs", "make runs")],
)
def test_markup_of_words_at_the_beginning_still_counts(text: str, seen: str) -> None:
    assert any(
        paragraph.startswith(seen) for paragraph in read(render(page("list", result(text=text))))
    )


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_at_the_beginning_is_shown_as_it_is(text: str) -> None:
    for shown in (
        page("list", result(text=text)),
        page("narrative", statements=(statement(text),)),
    ):
        assert any(paragraph.startswith(text) for paragraph in read(render(shown)))


@pytest.mark.parametrize("text", ["# All is well", "> quoted", "- one", "```", "| a | b |"])
def test_an_explanation_opens_no_block(text: str) -> None:
    written = render(page("list", contradictions=(contradiction(explanation=text),)))
    assert outline(written) == outline(render(page("list", contradictions=(contradiction(),))))


@pytest.mark.parametrize("shown", ["list", "narrative"])
def test_no_sentence_of_an_answer_reaches_the_terminal_as_a_command(shown: AnswerFormat) -> None:
    written = render(hostile_page(shown, "Basil \x1b[31mgrows\x9b2J.", statements=True))
    assert written == terminal_text(written)


@given(text=hostile)
def test_no_text_adds_a_column_or_a_row_to_the_table(text: str) -> None:
    written = render(hostile_page("table", text))
    tokens = MarkdownIt().enable("table").parse(written)
    kinds = [token.type for token in tokens]
    assert kinds.count("table_open") == 1
    assert kinds.count("th_open") == 3
    assert (kinds.count("tr_open"), kinds.count("td_open")) == (3, 6)
    cells = [tokens[at + 1].content for at, kind in enumerate(kinds) if kind == "td_open"]
    assert cells[2] == cells[4] == "—"
    assert cells[1].endswith("line 3)")
    assert cells[5].endswith("line 3)")
