"""The spans of a note that may answer: what stands together is one, under what stands over it."""

from hypothesis import given
from hypothesis import strategies as st

from tools.spans import Span, spans_of

NOTE = """---
aliases: [Boiler]
warranty: 2031
---
# Heating

The boiler hums. It was serviced in May.

## Settings
Turn these down in April:

- hall to 17
- attic off. It has no window.

| room | degrees |
| ---- | ------- |
| bath | 22 |
| hall | 17 |
"""


def spans(text: str) -> list[Span]:
    return spans_of(text.split("\n"))


def test_each_kind_of_text_has_its_spans_with_their_lines() -> None:
    found = [(one.kind, one.text, one.line_start, one.line_end) for one in spans(NOTE)]

    assert found == [
        ("property", "warranty: 2031", 3, 3),
        ("prose", "The boiler hums.", 7, 7),
        ("prose", "It was serviced in May.", 7, 7),
        ("prose", "Turn these down in April:", 10, 10),
        ("list", "hall to 17; attic off. It has no window.", 12, 13),
        ("item", "hall to 17", 12, 12),
        ("item", "attic off. It has no window.", 13, 13),
        ("row", "room: bath · degrees: 22", 17, 17),
        ("row", "room: hall · degrees: 17", 18, 18),
    ]


def test_a_span_is_read_under_its_title_its_headings_and_what_introduces_its_list() -> None:
    read = {one.text: one.under("Heating") for one in spans(NOTE)}

    assert read["hall to 17"] == "Heating > Settings: Turn these down in April: hall to 17"
    assert read["The boiler hums."] == "Heating: The boiler hums."


def test_a_heading_counts_until_one_of_its_level_follows() -> None:
    found = spans("# A\n## B\none\n### C\ntwo\n## D\nthree\n# E\nfour\n")

    assert [one.headings for one in found] == [("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_a_list_of_one_item_is_that_item() -> None:
    assert [one.kind for one in spans("- buy milk\n")] == ["item"]


def test_an_item_goes_on_to_its_last_line() -> None:
    found = spans("- first line\n  and its second.\n- another\n")

    assert [(one.line_start, one.line_end) for one in found] == [(1, 3), (1, 2), (3, 3)]


def test_a_note_that_says_nothing_has_no_span() -> None:
    assert spans("") == []
    assert spans("# Only a heading\n") == []


@given(st.text(alphabet="ab .:-#|\n*[]()", max_size=200))
def test_spans_stand_in_order_within_the_note(text: str) -> None:
    lines = text.split("\n")
    found = spans_of(lines)

    assert [one.order for one in found] == list(range(len(found)))
    assert all(1 <= one.line_start <= one.line_end <= len(lines) for one in found)
    assert all(one.text for one in found)
