"""What is read of a note: a short one whole, of a long one what is likely to answer."""

from hypothesis import given
from hypothesis import strategies as st

from tools.evidence.likely_parts import LITTLE_ROOM, ROOM, Room, likely_parts
from tools.evidence.spans import spans_of

IDLE = "The river was low and the boats lay on the mud. " * 4
ANSWER = "The kiln reached cone six at noon."


def long_note(answer_at: int) -> list[str]:
    """Sections of idle paragraphs, with the answer in one of them."""
    lines = ["# Log", "", "How it begins."]
    for number in range(60):
        lines += ["", f"## Day {number}", "", IDLE]
        if number == answer_at:
            lines += ["", ANSWER]
    return lines


def test_a_short_note_is_read_as_it_stands() -> None:
    lines = ["# Kiln", "", "It cracked.", "", IDLE]
    assert likely_parts(lines, {"river": 1.0}) == "\n".join(lines)


@given(st.integers(0, 59), st.sampled_from([ROOM, LITTLE_ROOM]))
def test_what_has_the_words_asked_for_is_read_wherever_it_stands(at: int, room: Room) -> None:
    lines = long_note(at)
    text = likely_parts(lines, {"kiln": 3.0, "cone": 3.0}, room=room)
    assert 3 * len(text) < 2 * sum(map(len, lines))
    found = next(one for one in spans_of(text) if one.text == ANSWER)
    assert found.headings == ("Log", f"Day {at}")
    assert lines[found.line_start - 1] == ANSWER
    assert "How it begins." in text


def test_a_word_is_found_in_its_other_forms_and_in_capitals() -> None:
    lines = [*long_note(99), "", "## Last", "", "STUDIES of glaze " + "and more " * 10, ""]
    assert "STUDIES" in likely_parts(lines, {"studi": 2.0})


def test_what_meaning_found_is_read_too() -> None:
    lines = long_note(40)
    at = lines.index(ANSWER) + 1
    assert ANSWER not in likely_parts(lines, {})
    assert ANSWER in likely_parts(lines, {}, [(at, at, 0.7)])


def test_code_is_never_read_in_part() -> None:
    lines = [*long_note(99), "", "```", *(["kiln = 6", ""] * 200), "```", "", "After it."]
    text = likely_parts(lines, {"kiln": 1.0})
    assert text.count("kiln = 6") == 200
    assert text.count("```") == 2


def test_a_mark_within_code_that_is_not_read_is_no_heading() -> None:
    code = ["```", *(["# a comment"] * 3), "x = 1", "```"]
    lines = [*long_note(10), "", *code, ""]
    text = likely_parts(lines, {"kiln": 3.0, "cone": 3.0})
    assert "# a comment" not in text
    assert "## Day 59" in text


def test_of_an_endless_list_little_is_read_and_the_likely_line_is() -> None:
    lines = ["# Log", "", *(f"- river {number} was low" for number in range(32_000))]
    lines[20_000] = f"- {ANSWER}"
    text = likely_parts(lines, {"kiln": 3.0, "cone": 3.0})
    assert len(text.split()) < 5000
    assert lines[2] in text
    found = next(one for one in spans_of(text) if one.text == ANSWER)
    assert found.line_start == 20_001


def test_a_row_of_an_endless_table_keeps_its_columns() -> None:
    rows = [f"| {number} | low |" for number in range(32_000)]
    rows[20_000] = "| kiln | cone six |"
    lines = ["# Log", "", "| Thing | State |", "|---|---|", *rows]
    text = likely_parts(lines, {"kiln": 3.0, "cone": 3.0})
    found = next(one for one in spans_of(text) if "kiln" in one.text)
    assert found.columns == ("Thing", "State")
    assert lines[found.line_start - 1] == rows[20_000]


def test_endless_code_is_code_wherever_it_is_cut() -> None:
    code = [f"# comment {number}" for number in range(32_000)]
    code[20_000] = "# kiln = cone six"
    lines = ["# Log", "", "```sh", *code, "```", "", "After it."]
    spans = spans_of(likely_parts(lines, {"kiln": 3.0, "cone": 3.0}))
    (found,) = [one for one in spans if "kiln" in one.text]
    assert (found.kind, found.headings) == ("code", ("Log",))
    assert len(spans) < 2000


@given(
    st.lists(
        st.sampled_from(["", "# A", "## B", "```", "- item", IDLE, IDLE * 4, ANSWER]),
        min_size=40,
        max_size=120,
    )
)
def test_every_line_is_where_it_was_or_empty(lines: list[str]) -> None:
    read = likely_parts(lines, {"kiln": 1.0}).split("\n")
    assert all(mine in ("", theirs) for mine, theirs in zip(read, lines, strict=True))
