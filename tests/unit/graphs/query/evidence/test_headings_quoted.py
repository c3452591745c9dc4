"""A heading is where an answer stands, not what answers."""

import pytest

from tests.support.questions.quotations import whole, with_quotations
from tests.support.values.results import a_plan, a_result
from tools.base.domain import Excerpt, Result
from tools.rendering.answer import render
from tools.rendering.page import Page

ONLY = "No sentence found says it; only a heading speaks of it."


def focused(text: str, *words: str) -> Result:
    return with_quotations([a_result(excerpts=(whole(text),))], words)[0]


def answer(*results: Result) -> str:
    """The part of the page below "Answer"."""
    page = Page(plan=a_plan(), format="list", results=results)
    return render(page).split("## Answer\n\n")[1].split("\n\n## ")[0]


def test_the_sentence_below_the_heading_that_has_the_words_is_quoted() -> None:
    text = "## Which paste for pegs\n\nHill's, in London.\n\n## Which strings\n\nDominant."
    assert focused(text, "strings").excerpts[0].text == "Dominant."
    assert focused(text, "paste", "pegs").excerpts[0].text == "Hill's, in London."


@pytest.mark.parametrize("text", ["# Violins\n## Rosin for violins", "## Rosin for violins"])
def test_a_note_of_headings_has_its_heading_quoted_and_the_answer_says_so(text: str) -> None:
    result = focused(text, "rosin", "violins")
    assert result.excerpts[0].text == "## Rosin for violins"
    line = text.count("\n") + 1
    assert answer(result) == f"{ONLY}\n\n> Rosin for violins — [[a]] line {line}"


def test_what_another_note_as_good_says_answers_before_a_heading() -> None:
    heading = focused("## Rosin", "rosin")
    saying = a_result("b.md", excerpts=(Excerpt(text="Rosin is dark.", line_start=3, line_end=3),))
    assert answer(heading, saying) == "> Rosin is dark. — [[b]] line 3"


def test_what_another_note_as_good_says_answers_before_a_row_of_links() -> None:
    links = a_result(excerpts=(Excerpt(text="[[Low EC]], [[Rosin]]", line_start=2, line_end=2),))
    saying = a_result("b.md", excerpts=(Excerpt(text="Rosin is dark.", line_start=3, line_end=3),))
    assert answer(links, saying) == "> Rosin is dark. — [[b]] line 3"
    assert answer(links) == "> [[Low EC]], [[Rosin]] — [[a]] line 2"
