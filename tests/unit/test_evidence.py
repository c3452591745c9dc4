from hypothesis import given
from hypothesis import strategies as st

from tools.domain import Excerpt
from tools.evidence import best_sentence, verify

PASSAGE = Excerpt(
    text=(
        "## Dosing\n\nFertiliser is mixed on Sundays. The solution should be kept at an EC of "
        "1.2 mS/cm for basil.\n\nTomatoes want more light than basil does in winter."
    ),
    line_start=7,
    line_end=11,
    heading="Dosing",
)
WORDS = ("ec", "basil", "solution")


def test_the_sentence_with_most_of_the_words_is_quoted_with_its_line() -> None:
    found = best_sentence(PASSAGE, WORDS)
    assert found is not None
    assert found.text == "The solution should be kept at an EC of 1.2 mS/cm for basil."
    assert (found.line_start, found.line_end) == (9, 9)


def test_a_passage_of_markup_alone_has_no_quotation() -> None:
    empty = Excerpt(text="---\n\n|---|---|\n", line_start=1, line_end=3)
    assert best_sentence(empty, WORDS) is None


def test_a_quotation_that_stands_is_kept() -> None:
    lines = ["# Title", "", "One sentence.", "Another."]
    quoted = Excerpt(text="One sentence.", line_start=3, line_end=3)
    assert verify(quoted, lines) == quoted


def test_a_quotation_whose_line_moved_is_moved() -> None:
    lines = ["# Title", "", "New line.", "", "One sentence."]
    quoted = Excerpt(text="One sentence.", line_start=3, line_end=3)
    moved = verify(quoted, lines)
    assert moved is not None
    assert (moved.line_start, moved.line_end) == (5, 5)


def test_a_quotation_that_is_gone_is_dropped() -> None:
    quoted = Excerpt(text="One sentence.", line_start=1, line_end=1)
    assert verify(quoted, ["Another one."]) is None
    assert verify(quoted, []) is None


@given(st.lists(st.text(alphabet="ab c\t", min_size=1), min_size=1, max_size=8), st.data())
def test_whatever_stands_in_the_lines_is_verified(lines: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    quoted = Excerpt(text="\n".join(lines[start - 1 : end]), line_start=start, line_end=end)
    found = verify(quoted, lines)
    if quoted.text.strip():
        assert found == quoted
    else:
        assert found is None
