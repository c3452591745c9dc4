"""How a place is named, and the link that opens it."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_result
from tools.base.domain import Excerpt
from tools.evidence.citations import Citation, cite, note_link, obsidian_url, wikilink

NASTY = st.text(alphabet="[]|#^\n\r\t ab31m\x1b\x9b\u202e")


def place(heading: str | None = None, *, path: str = "notes/Late caffeine.md") -> Citation:
    return Citation(note_path=path, note_title="Late caffeine", line=12, heading=heading)


def test_a_place_has_note_heading_and_line() -> None:
    assert wikilink(place("My rule"), {}) == "[[Late caffeine#My rule]] line 12"
    assert wikilink(place(), {}) == "[[Late caffeine]] line 12"


def test_an_ambiguous_name_is_told_by_its_path() -> None:
    names = {"a/Plan.md": "a/Plan", "b/Plan.md": "b/Plan"}
    assert note_link("a/Plan.md", names) == "[[a/Plan]]"
    assert note_link("b/Plan.md", names, "May") == "[[b/Plan#May]]"
    assert note_link("c/Other.md", names) == "[[Other]]"


def test_only_the_ending_is_cut_from_a_file_name() -> None:
    assert note_link("notes/v1.2 of the plan.md", {}) == "[[v1.2 of the plan]]"


def test_an_excerpt_is_cited_where_it_begins() -> None:
    excerpt = Excerpt(text="Words.", line_start=7, line_end=9, heading="Why", block_id="w1")
    result = a_result("notes/a.md", note_title="A title", excerpts=(excerpt,))
    assert cite(result, excerpt) == Citation(
        note_path="notes/a.md", note_title="A title", line=7, heading="Why", block_id="w1"
    )


@given(NASTY)
def test_no_heading_ends_the_link_the_line_or_the_table_cell(heading: str) -> None:
    written = wikilink(place(heading), {})
    assert written.startswith("[[Late caffeine")
    inner, end, where = written.removeprefix("[[").rpartition("]]")
    assert (end, where[-3:]) == ("]]", " 12")
    assert inner.count("#") <= 1
    assert not set(inner) & set("[]|^\n\r\x1b\x9b\u202e")


@pytest.mark.parametrize("name", ["[x]|y.md", "x\x1b[31my.md", "x\ny.md"])
def test_no_file_name_ends_the_link_the_line_or_the_table_cell(name: str) -> None:
    written = note_link(name, {})
    assert written.strip("[]") == written[2:-2]
    assert not set(written[2:-2]) & set("[]|#^\n\x1b")


# --- the address ---------------------------------------------------------------------------

words = st.text(alphabet="aZ09 _-./?&=#%+()[]'\"ğıŞ日🙂", min_size=1)


@given(words, words, st.none() | words)
def test_the_address_says_vault_note_and_heading_and_nothing_else(
    vault: str, name: str, heading: str | None
) -> None:
    address = obsidian_url(vault, f"{name}.md", heading)
    assert address.isascii()
    parts = urlsplit(address)
    assert (parts.scheme, parts.netloc, parts.fragment) == ("obsidian", "open", "")
    said = parse_qs(parts.query, keep_blank_values=True, strict_parsing=True)
    # A plus sign in a query may be read as a blank; the address writes both as percent codes.
    assert "+" not in address
    assert said == {
        "vault": [vault],
        "file": [f"{name}#{heading}" if heading else name],
    }


def test_no_character_ends_a_markdown_link_around_the_address() -> None:
    address = obsidian_url("My (vault)", "notes/a) [b] c.md", "h <i> \x1b")
    assert not set(address) & set("()[]<> \x1b")
    assert address.count("/") == 2  # none in what it says
