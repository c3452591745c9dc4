"""No text of a note breaks the page it is shown on, or reaches the terminal as a command."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

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
from tools.base.domain import AnswerFormat, Event, Period, SourceWarning
from tools.base.guards import terminal_text
from tools.rendering.answer import render
from tools.rendering.page import Page
from tools.temporal.timeline import timeline

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
        comparison=comparison(
            row(text, text, None), row("Use", None, text), together=row("", text).cells
        ),
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
    assert cells[1].endswith(("line 3)", "satır 3)"))
    assert cells[5].endswith(("line 3)", "satır 3)"))
