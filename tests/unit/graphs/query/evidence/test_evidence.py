from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.core.notes_read import Evidence
from graphs.query.evidence.evidence import (
    EvidenceQuery,
    candidate_spans,
    passage_texts,
    with_evidence,
)
from tests.support.questions.quotations import whole, with_quotations
from tests.support.values.results import a_result
from tools.base.domain import Excerpt, Result
from tools.evidence.features import QueryTerms
from tools.evidence.quotation_check import Places, verify
from tools.evidence.ranking import Scored
from tools.text.markdown.links import unlinked
from tools.text.tokens import stems_in, words_of

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


def result(*passages: Excerpt) -> Result:
    return a_result(excerpts=passages)


def test_links_leave_no_rests() -> None:
    text = "[Go](https://e.org/Go_(game)) x [![a](b)](c) y [[n|[[ z ![p](q 'r')"
    assert unlinked(text).split() == ["x", "y", "[[n|[[", "z"]


def test_the_sentence_with_most_of_the_words_is_quoted_with_its_line() -> None:
    (focused,) = with_quotations([result(PASSAGE)], WORDS)
    first = focused.excerpts[0]
    assert first.text == "The solution should be kept at an EC of 1.2 mS/cm for basil."
    assert (first.line_start, first.line_end, first.heading) == (9, 9, "Dosing")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Half-done: 3 of 4_5!", ("half", "done", "3", "of", "4", "5")),
        ("Ada’s don't 'quote' x''y Bens' 's", ("ada", "don't", "quote", "x", "y", "bens", "s")),
        ("Çay, İzmir'de ÜÇ kez; ½ ß", ("cay", "izmir", "uc", "kez", "1", "2", "ss")),
        ("Ada'nın O'Brien's I'll rock'n'roll", ("ada", "o'brien", "i'll", "rock'n")),
        ("", ()),
    ],
)
def test_words_end_where_no_letter_or_number_stands(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_a_passage_without_words_has_no_quotation() -> None:
    (focused,) = with_quotations([result(whole("---\n\n|---|---|"))], WORDS)
    assert focused.excerpts == ()


@given(st.text(max_size=300))
def test_what_is_quoted_stands_in_its_lines(text: str) -> None:
    lines = text.split("\n")
    (focused,) = with_quotations([result(whole(text))], WORDS)
    assert all(verify(excerpt, lines) == excerpt for excerpt in focused.excerpts)


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


def test_words_are_located_where_they_begin_over_lines_and_nearest() -> None:
    lines = [
        "# T",
        "",
        "So it is. Low EC",
        "makes leaves yellow.",
        "",
        "Low EC makes",
        "leaves  yellow.",
    ]
    places = Places(lines)
    assert places.locate("Low EC makes leaves yellow.", near=1) == 3
    assert places.locate("Low EC makes leaves yellow.", near=7) == 6
    assert places.locate("High EC", near=1) is None
    assert places.locate(" ", near=1) is None


def test_parts_of_a_line_that_was_cut_are_quoted_each_from_its_own_passage() -> None:
    """A line too long for one passage is several, which all begin at it."""
    first = Excerpt(text="Tea wants water. The pot is old.", line_start=4, line_end=4)
    second = Excerpt(text="Basil likes a weak solution.", line_start=4, line_end=4)
    (focused,) = with_quotations([result(first, second)], WORDS)
    assert focused.excerpts[0].text == "Basil likes a weak solution."


def test_a_line_on_what_is_excluded_is_no_evidence() -> None:
    text = (
        "Walks in the evening help sleep.\n\nCaffeine ruins sleep.\n\n"
        "## Caffeine\n\nNone after noon helps sleep.\n"
    )
    note = a_result(excerpts=(Excerpt(text=text, line_start=1, line_end=7),))
    asked = QueryTerms(weights={"sleep": 1.0})

    def told(**given: Any) -> list[str]:
        sought = EvidenceQuery(asked=asked, named=(), **given)
        spans = candidate_spans(sought, [note], passage_texts([note]), ())
        return [one.span.text for one in spans]

    assert told(unwanted=[frozenset(stems_in("caffeine"))]) == ["Walks in the evening help sleep."]
    assert len(told()) == 3


def test_of_notes_whose_lines_score_alike_the_one_ranked_first_stands_first() -> None:
    notes = [a_result(path, excerpts=(PASSAGE,)) for path in ("a.md", "b.md")]
    asked = QueryTerms(weights={"basil": 1.0})
    texts = passage_texts(notes)
    spans = candidate_spans(EvidenceQuery(asked=asked, named=()), notes, texts, ())
    best = [Scored(one, 1.0) for one in reversed(spans)]
    shown = with_evidence(notes, Evidence(asked=asked, spans=best, answerable=None), texts)
    assert [one.note_path for one in shown] == ["b.md", "a.md"]


@pytest.mark.parametrize(
    ("text", "asked", "reads"),
    [
        (
            "Ada: Where do you swim?\nBen: In the lake.\nAda: Alone?\nBen: With Mia.\n",
            "lake",
            "Ada: Where do you swim? Ben: In the lake.",
        ),
        (
            "Load the kiln so:\n\n- bowls in the middle\n- tiles last\n",
            "tiles",
            "Load the kiln so: tiles last",
        ),
    ],
)
def test_what_says_little_by_itself_is_shown_under_what_it_belongs_to(
    text: str, asked: str, reads: str
) -> None:
    (focused,) = with_quotations([result(whole(text))], (asked,))
    first = focused.excerpts[0]
    assert first.text in text
    assert first.reads == reads


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("25 kg of metal. Really: 42 kg.", "25 kg of metal. Really: 42 kg."),
        ("A guess. 25 kg of metal. Really: 42. See.", "25 kg of metal. Really: 42. See."),
        (f"25 kg of metal. Really: 42. {'So it was ' * 20}it.", "25 kg of metal. Really: 42."),
        (f"25 kg of metal. {'So it was ' * 20}it. Really: 42.", None),
        ("25 kg of metal.\nReally: 42 kg.", None),
        ("- 25 kg of metal.\n- Really: 42 kg.", None),
        ("25 kg of metal.", None),
    ],
)
def test_the_best_sentence_is_shown_with_what_follows_on_its_line(
    text: str, reads: str | None
) -> None:
    (focused,) = with_quotations([result(whole(f"# Runner\n\n{text}"))], ("metal",))
    first = focused.excerpts[0]
    assert first.text.endswith("metal.")
    assert first.reads == reads


def test_a_note_that_was_not_read_keeps_what_was_found_of_it() -> None:
    unread = [a_result(path, excerpts=(PASSAGE,)) for path in ("a.md", "b.md")]
    nothing = Evidence(asked=QueryTerms(weights={}), spans=(), answerable=None)
    shown = with_evidence(unread, nothing, passage_texts(unread))
    assert [one.excerpts for one in shown] == [(PASSAGE,), (PASSAGE,)]
