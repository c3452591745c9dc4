"""The spans of a note that may answer: what stands together is one, under what stands over it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.evidence.spans import Span, spans_of

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
    return list(spans_of(text))


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


def test_lines_with_labels_are_spans_of_their_own() -> None:
    found = spans("# Kiln\nVolume: 330 litres\nPrice: 1,240 euros\n\nIt stands in\nthe yard.\n")

    assert [one.text for one in found] == [
        "Volume: 330 litres",
        "Price: 1,240 euros",
        "It stands in the yard.",
    ]


def test_a_run_in_heading_is_no_span_of_its_own() -> None:
    found = spans("**What happened.** The river rose.\nIt fell.\n\n- __Why?__ Rain.\n- **Snow.**\n")

    assert [one.text for one in found if one.kind != "list"] == [
        "What happened. The river rose.",
        "It fell.",
        "Why? Rain.",
        "Snow.",
    ]
    assert [one.text for one in spans("**" + "run" * 9_000)] == ["run" * 9_000]


def test_a_mere_number_stays_with_the_sentence_before_it() -> None:
    found = spans("Bought. Last reg. 1988. 61,204 km.\nBell hung anew. £90. So be it.\n")
    assert [one.text for one in found] == [
        "Bought.",
        "Last reg. 1988.",
        "61,204 km.",
        "Bell hung anew. £90.",
        "So be it.",
    ]


def test_what_a_note_begins_with_as_key_and_value_is_a_property_or_serves_its_keeper() -> None:
    found = spans("Tags: #a #b\nOwner: Tom\nCreated:: 2024-05-06\n\nIt flies. Note: not far.\n")

    assert [(one.kind, one.text) for one in found if one.line_start < 4] == [
        ("property", "Owner: Tom")
    ]


def test_each_line_of_code_stands_under_what_introduces_it() -> None:
    found = spans("## Do\nType this:\n```sh\nlark add\n\nlark rm\n```\nDone.\n")

    assert [(one.text, one.lead, one.headings) for one in found if one.kind == "code"] == [
        ("lark add", "Type this:", ("Do",)),
        ("lark rm", "Type this:", ("Do",)),
    ]


def test_the_share_of_links_and_tags_is_known() -> None:
    found = spans("- [[Attic]] #home\n- The lamp is in [[Attic]] now\n- The lamp\n")

    whole, *items = (one.linked for one in found)
    assert items == pytest.approx([1.0, 5 / 19, 0.0])
    assert 0 < whole < 1


@given(st.text(alphabet="ab .:-#|\n*[]()", max_size=200))
def test_spans_stand_in_order_within_the_note(text: str) -> None:
    lines = text.split("\n")
    found = spans_of(text)

    assert [one.order for one in found] == list(range(len(found)))
    assert all(1 <= one.line_start <= one.line_end <= len(lines) for one in found)
    assert all(one.text for one in found)


def test_an_item_stands_under_the_one_it_belongs_to() -> None:
    first = "1. Trade secret\n    1. They do not expire\n"
    text = f"Kept safe by:\n\n{first}2. Patent\n\t- Ends after 20 years\n"
    leads = {span.text: span.lead for span in spans_of(text) if span.kind == "item"}
    assert leads == {
        "Trade secret": "Kept safe by:",
        "They do not expire": "Trade secret",
        "Patent": "Kept safe by:",
        "Ends after 20 years": "Patent",
    }


def test_a_turn_stands_under_who_speaks_and_a_reply_under_its_question() -> None:
    text = """**Mia**: The hall was full. Which instrument did you bring?

**Jonas**: My clarinet. It squeaked.

**Mia**: Mine too.

## After

The end.
"""
    assert [(span.lead, span.text) for span in spans(text)] == [
        ("", "Mia: The hall was full."),
        ("Mia:", "Which instrument did you bring?"),
        ("Which instrument did you bring?", "Jonas: My clarinet."),
        ("Which instrument did you bring? Jonas:", "It squeaked."),
        ("", "Mia: Mine too."),
        ("", "The end."),
    ]


def test_turns_that_are_items_or_open_a_note_are_turns_too() -> None:
    items = spans("- Ada: Did you move?\n- Ben: Yes, in May.\n- Ada: Nice.\n")
    assert [one.speaker for one in items if one.kind == "item"] == ["Ada", "Ben", "Ada"]
    assert items[2].under("T") == "T: Ada: Did you move? Ben: Yes, in May."
    lines = spans("**Ada:** Did you move?\n**Ben:** Yes, in May.\n**Ada:** Nice.\n")
    assert [(one.kind, one.speaker) for one in lines] == [
        ("prose", "Ada"),
        ("prose", "Ben"),
        ("prose", "Ada"),
    ]


def test_fields_are_no_conversation() -> None:
    assert not any(span.lead for span in spans("Cost: 3 euros. It is dear.\n\nPlace: Ghent.\n"))
