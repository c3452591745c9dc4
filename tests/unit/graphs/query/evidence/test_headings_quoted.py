"""A heading is where an answer stands, not what answers."""

import pytest

from tests.support.checks.shown import places, sections
from tests.support.questions.quotations import whole, with_quotations
from tests.support.values.results import a_plan, a_result
from tools.base.domain import Excerpt, Result
from tools.rendering.answer import render
from tools.rendering.page import Page


def focused(text: str, *words: str) -> Result:
    return with_quotations([a_result(excerpts=(whole(text),))], words)[0]


def answer(*results: Result) -> list[str]:
    """The paragraphs of the answer."""
    page = Page(plan=a_plan(), format="list", results=results)
    return sections(render(page))[1].strip().split("\n\n")[1:]


def test_the_sentence_below_the_heading_that_has_the_words_is_quoted() -> None:
    text = "## Which paste for pegs\n\nHill's, in London.\n\n## Which strings\n\nDominant."
    assert focused(text, "strings").excerpts[0].text == "Dominant."
    assert focused(text, "paste", "pegs").excerpts[0].text == "Hill's, in London."


@pytest.mark.parametrize("text", ["# Violins\n## Rosin for violins", "## Rosin for violins"])
def test_a_note_of_headings_has_its_heading_quoted_and_the_answer_says_so(text: str) -> None:
    result = focused(text, "rosin", "violins")
    assert result.excerpts[0].text == "## Rosin for violins"
    line = text.count("\n") + 1
    only_a_heading, heading = answer(result)
    assert not places(only_a_heading)
    assert heading.startswith("> Rosin for violins —")
    assert places(heading) == [("a", line)]


def test_what_another_note_as_good_says_answers_before_a_heading() -> None:
    heading = focused("## Rosin", "rosin")
    saying = a_result("b.md", excerpts=(Excerpt(text="Rosin is dark.", line_start=3, line_end=3),))
    (said,) = answer(heading, saying)
    assert (said.startswith("> Rosin is dark."), places(said)) == (True, [("b", 3)])


def test_what_another_note_as_good_says_answers_before_a_row_of_links() -> None:
    links = a_result(excerpts=(Excerpt(text="[[Low EC]], [[Rosin]]", line_start=2, line_end=2),))
    saying = a_result("b.md", excerpts=(Excerpt(text="Rosin is dark.", line_start=3, line_end=3),))
    (said,) = answer(links, saying)
    assert (said.startswith("> Rosin is dark."), places(said)) == (True, [("b", 3)])
    (row,) = answer(links)
    assert (row.startswith("> [[Low EC]], [[Rosin]]"), places(row)) == (True, [("a", 2)])
