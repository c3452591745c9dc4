"""What is quoted of a passage, and how it reads: rows, parts of long sentences, links."""

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.questions.quotations import whole, with_quotations
from tests.support.values.results import a_result
from tools.base.domain import Excerpt
from tools.evidence.quotation_check import verify
from tools.rendering.lines import quotation
from tools.text.markdown.quotes import LONGEST, link_texts, quoted_first

TABLE = """Our boats, all moored in the old harbour.

| Boat | Length | Sail |
|---|:--:|---|
| Meltem | 9 m | blue \\| white |
| Poyraz | 12 m | red |
"""


def quoted(text: str, *words: str, columns: tuple[str, ...] = ()) -> Excerpt:
    """The first quotation of a passage for some words."""
    (focused,) = with_quotations([a_result(excerpts=(whole(text, columns),))], words)
    return focused.excerpts[0]


def shown(excerpt: Excerpt) -> str:
    """The quotation as an answer shows it, without its place."""
    return quotation(a_result(), excerpt, {}).rsplit(" — ", 1)[0]


# --- tables --------------------------------------------------------------------------------


def test_a_row_is_quoted_whole_and_reads_with_the_headings_of_its_columns() -> None:
    found = quoted(TABLE, "length", "boat", "poyraz")
    assert (found.text, found.line_start) == ("| Poyraz | 12 m | red |", 6)
    assert shown(found) == "Boat: Poyraz · Length: 12 m · Sail: red"
    assert verify(found, TABLE.split("\n")) == found


def test_a_border_that_is_escaped_belongs_to_its_cell() -> None:
    assert shown(quoted(TABLE, "meltem")).endswith("Sail: blue | white")


def test_a_column_without_a_heading_and_an_empty_cell_are_passed_over() -> None:
    text = "|  | Ida | Uludag |\n|---|---|---|\n| Height | 1774 m |  |\n"
    assert shown(quoted(text, "height", "ida")) == "Height · Ida: 1774 m"


def test_prose_with_the_asked_words_is_quoted_before_a_row() -> None:
    assert quoted(TABLE, "boats", "harbour").text.startswith("Our boats")


def test_a_table_without_outer_borders_is_one() -> None:
    text = "Pear | Ripe\n---|---\nWilliams | August\nConference | October\n"
    assert shown(quoted(text, "conference", "ripe")) == "Pear: Conference · Ripe: October"


def test_a_passage_that_begins_within_a_table_knows_its_columns() -> None:
    found = quoted(
        "| Lodos | 7 m |\n| Imbat | 6 m |", "imbat", "length", columns=("Boat", "Length")
    )
    assert shown(found) == "Boat: Imbat · Length: 6 m"


def test_a_line_with_borders_that_is_no_table_is_quoted_as_it_stands() -> None:
    assert shown(quoted("Home | Boats | Harbour", "boats")) == "Home | Boats | Harbour"


# --- links ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Keeps [nine days](https://example.org/a?b=1).", "Keeps nine days."),
        ("[Go](https://example.org/Go_(game) 'The game') is old.", "Go is old."),
        ("It floats[^1] well [^note].", "It floats well."),
        ("[Oak][1] resists.", "[Oak][1] resists."),
        ("see [2][3], [TODO][urgent] call", "see [2][3], [TODO][urgent] call"),
        ("![](mast.png)", "![](mast.png)"),
        ("a ![](mast.png)mast", "a mast"),
        ("[^1]", "[^1]"),
        ("[call](when he is back)", "[call](when he is back)"),
        ("[![a mast](mast.png)](https://example.org) broke", "a mast broke"),
        ("[[Otto|he]] wrote `[a](b)`, a[0][1].", "[[Otto|he]] wrote `[a](b)`, a[0][1]."),
        ("- [ ] patch the sail", "- [ ] patch the sail"),
        ("as [@smith2019] says", "as [@smith2019] says"),
    ],
)  # fmt: skip
def test_links_to_elsewhere_read_as_their_words_and_links_to_notes_stay(
    text: str, read: str
) -> None:
    assert link_texts(text) == read


def test_what_is_quoted_stands_in_the_note_with_its_links_and_reads_without() -> None:
    text = "Rye bread keeps for [nine days](https://example.org/rye)[^2] in linen."
    found = quoted(text, "rye", "bread")
    assert found.text == text
    assert shown(found) == "Rye bread keeps for nine days in linen."


# --- what a page would not show ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Rye <!-- our secret --> bread %%and more%% keeps.", "Rye bread keeps."),
        ("Rye bread keeps.<!-- our secret -->", "Rye bread keeps."),
        ("Rye<script>let keeps = 1;</script> keeps.<STYLE>p {}</STYLE>", "Rye keeps."),
        (
            "<b>Rye</b> needs H<sub>2</sub>O<br>daily, 10<sup>3</sup> g",
            "Rye needs H2O daily, 10^3 g",
        ),
        ("Salt &amp; rye&nbsp;keep at &lt; 5 &deg;C, caf&#233;", "Salt & rye keep at < 5 °C, café"),
        ("Type `<b>rye</b> &amp;` or ask <name>.", "Type `<b>rye</b> &amp;` or ask <name>."),
        ("A <script> tag that nothing closes.", "A <script> tag that nothing closes."),
    ],
)
def test_a_quotation_reads_as_a_page_shows_it(text: str, read: str) -> None:
    found = quoted(text, "rye")
    assert found.text in text
    assert shown(found) == read


@pytest.mark.parametrize(
    "text", ["&lt;img src=x&gt;", "&lt;&#105;mg&gt;", "&#33;&#91;a&#93;(http://b.c)"]
)
def test_characters_by_name_never_become_markup(text: str) -> None:
    assert not re.search(r"<\w|!\[", link_texts(text))


def test_a_cell_of_nothing_but_a_comment_is_empty() -> None:
    assert link_texts("<!-- later -->") == ""


@pytest.mark.parametrize("piece", ["<script>", "<!--", "&lt;", "<style ", "%%"])
def test_thousands_of_openings_take_no_time(piece: str) -> None:
    began = time.perf_counter()
    link_texts(piece * 20_000)
    assert time.perf_counter() - began < 2


# --- long sentences ------------------------------------------------------------------------

ASIDE = ", as clerk number {} wrote into the ledger with a blue pen"
LONG = f"The kiln{ASIDE * 20}, melts glass at 1100 degrees{ASIDE * 9}."


def test_of_a_long_sentence_the_part_with_the_asked_words_is_quoted() -> None:
    found = quoted(LONG, "melts", "degrees")
    assert "melts glass at 1100 degrees" in found.text
    assert len(found.text) <= LONGEST
    assert shown(found) == f"… {found.text} …"
    assert verify(found, [LONG]) == found


def test_a_part_of_a_sentence_cuts_no_link() -> None:
    links = " and [[a/folder with a name|the clerk]] and [the page](https://example.org/a/b/c)"
    text = f"Glass{links * 30} melts."
    found = quoted(text, "glass")
    assert found.text.count("[") - found.text.count("]") == 0
    assert found.text.endswith((")", "]", "and"))


PICTURE = f"![](data:image/png;base64,{'QUJD7' * 300}) "
LONG_LINK = f"[{'word ' * 200}glass {'word ' * 200}end](https://example.org/7) "
LONG_CODE = f"`{'code ' * 200}` "


@pytest.mark.parametrize(
    ("text", "asked", "held"),
    [
        (f"Read {LONG_LINK}now.", "glass", "glass"),
        (f"Read {LONG_LINK}now.", "read", "Read [word word"),
        (f"Look: {PICTURE}the harbour burned.", "harbour", "the harbour burned."),
        (f"{PICTURE}The harbour burned.", "mast", "The harbour burned."),
        (f"Run {LONG_CODE}now.", "run", "Run `code code"),
        (f"Run {LONG_CODE}now.", "now", "code code ` now."),
    ],
)
def test_a_link_that_is_longer_than_a_quotation_is_cut(text: str, asked: str, held: str) -> None:
    found = quoted(text, asked)
    assert held in found.text
    assert len(found.text) <= LONGEST


def test_what_a_link_does_not_show_is_not_asked_for() -> None:
    text = f"[a page](https://example.org/{'glass/' * 90}) says{ASIDE * 9}, glass melts."
    assert "glass melts" in quoted(text, "glass").text


LONG_PIECES = [PICTURE, LONG_LINK, LONG_CODE]
PIECES = st.sampled_from(["glass ", "7 ", "[a](b) ", "ş", "word ", "\n", *LONG_PIECES])


@given(st.lists(PIECES, max_size=400))
def test_a_part_of_whatever_text_stands_in_its_lines(pieces: list[str]) -> None:
    text = "".join(pieces) * 3
    (focused,) = with_quotations([a_result(excerpts=(whole(text),))], ("glass",))
    assert all(verify(one, text.split("\n")) == one for one in focused.excerpts)
    assert all(0 < len(one.text) <= LONGEST for one in focused.excerpts)


def test_what_is_quoted_of_a_line_without_end_is_found_in_it_at_once() -> None:
    line = " ".join(f"glass {number}" for number in range(80_000))
    found = [
        Excerpt(text=f"glass {number}", line_start=1, line_end=1)
        for number in range(0, 80_000, 200)
    ]
    began = time.perf_counter()
    assert [verify(one, [line]) for one in found] == found
    assert time.perf_counter() - began < 2


# --- odd texts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "piece",
    ["[", "[[a", "[^a", "[a](", "[a]( ", "[a](<", "![a]", "[a[b]", "`a``b", "<a", "<!--", "...x "],
)
def test_a_text_of_nothing_but_openings_is_quoted_as_it_stands(piece: str) -> None:
    text = f"glass {piece * 8000}"
    assert shown(quoted(text, "glass")).startswith("glass")
    assert link_texts(text) == text


def test_a_passage_of_thousands_of_rows_knows_its_columns() -> None:
    rows = "".join(f"| boat {number} | {number} m |\n" for number in range(3000))
    found = quoted(f"| Boat | Length |\n|---|---|\n{rows}| Lodos | 7 m |\n", "lodos")
    assert shown(found) == "Boat: Lodos · Length: 7 m"


def test_a_note_of_links_is_not_quoted_first_where_another_is_as_good() -> None:
    links = Excerpt(text="[[Attic]], [[Cellar]]", line_start=1, line_end=1)
    says = Excerpt(text="The lantern is kept in the attic.", line_start=1, line_end=1)
    index, lantern = a_result("Index.md", excerpts=(links,)), a_result("L.md", excerpts=(says,))
    weak = replace(lantern, tier="low_relevance")
    assert quoted_first([index, lantern]) == lantern
    assert quoted_first([index, weak]) == index
    assert quoted_first([]) is None
