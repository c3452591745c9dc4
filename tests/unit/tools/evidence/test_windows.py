"""Windows: what of a note the reader reads together, and where its spans stand in that."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_reading
from tools.evidence.features import Candidate, Found, QueryTerms, candidates, query_terms
from tools.evidence.spans import spans_of
from tools.evidence.windows import first_windows, logits_of, windows_of

NOTE = """# Boat

## Engine

The old one was a Volvo. It was replaced in May.

To start it:

- open the seacock
- turn the key

## Sails

The main is new.
"""


def spans_at(text: str) -> list[str]:
    """What stands where the windows of a note say that its spans stand, in the note's order."""
    spans = spans_of(text)
    found: dict[int, str] = {}
    for window in windows_of("Boat", spans):
        for at, (start, end) in zip(window.spans, window.marks, strict=True):
            assert at not in found
            found[at] = window.text[start:end]
    return [found[at] for at in range(len(spans))]


@given(st.text(alphabet="ab .:-#|\n*[]()", max_size=400))
def test_each_span_of_a_note_stands_in_one_window(text: str) -> None:
    for span, shown in zip(spans_of(text), spans_at(text), strict=True):
        assert shown == span.text or span.kind == "list"


def test_a_list_goes_from_its_first_item_to_its_last() -> None:
    assert "open the seacock turn the key" in spans_at(NOTE)


def test_spans_are_read_in_the_order_of_the_note_under_its_headings() -> None:
    (window,) = windows_of("Boat", spans_of(NOTE))
    assert window.text == (
        "Boat > Engine: The old one was a Volvo. It was replaced in May. To start it: "
        "open the seacock turn the key Sails: The main is new."
    )


def test_a_long_note_is_cut_and_a_sentence_is_repeated_before_what_follows_it() -> None:
    first, second = windows_of(
        "Boat", spans_of("The mast is oak. " + "It is long and heavy. " * 16)
    )
    assert first.text.startswith("Boat: The mast is oak. It is long")
    assert second.text.startswith("Boat: It is long and heavy. It is")
    assert second.text.count("long") == len(second.spans) + 1


ASKED = query_terms(a_reading("where is the mast"), ["mast"], [1.0])


def found(asked: QueryTerms, path: str, text: str) -> list[Candidate]:
    note = Found(path=path, title=path, rank=0, score=0.5, relevance=0.5, passages=[])
    return candidates(asked, note, spans_of(text))


def test_the_windows_of_the_best_spans_are_read_first_and_only_so_many() -> None:
    own = [*found(ASKED, "a.md", "Here. " * 90), *found(ASKED, "b.md", "The mast is here.")]
    windows = first_windows(own, [own[-1], *own], most=2)
    assert [window.candidates[0] for window in windows] == [own[-1], own[0]]


def test_what_was_not_read_has_no_logit() -> None:
    own = [*found(ASKED, "a.md", "Here. There."), *found(ASKED, "b.md", "The mast is here.")]
    windows = first_windows(own, own, most=1)
    assert logits_of(own[::-1], windows, [[0.5, None]]) == [None, None, 0.5]


def test_a_list_of_which_no_item_is_left_is_not_read() -> None:
    whole, *items = found(ASKED, "a.md", "- mast\n- oar\n")
    assert whole.span.kind == "list"
    assert first_windows([whole], [whole]) == []
    assert len(first_windows([whole, *items], [whole])) == 1
