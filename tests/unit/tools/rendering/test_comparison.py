"""A table from two parsed notes."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_relation, a_result
from tools.base.domain import Excerpt, GraphRelation, Note, Result
from tools.evidence.table_lookup import tabled
from tools.rendering.comparison import Compared, Comparison, compare
from tools.vault.notes.notes import parse_note

MOMENT = datetime(2024, 5, 20, tzinfo=UTC)


def note(path: str, text: str) -> Note:
    return parse_note(path, text.encode(), mtime=MOMENT)


ZETTELKASTEN = note(
    "notes/Zettelkasten.md",
    "---\ncreated: 2023-11-12\n---\n# Zettelkasten\n\nShort linked notes. They grow.\n\n"
    "## Purpose\n\nTo develop ideas. And more.\n\n## Upkeep\n\n- Ten minutes a note.\n\n"
    "effort:: high\n\nrelated:: [[PARA]]\n",
)
PARA = note(
    "notes/PARA.md",
    "# PARA\n\nFour folders by use.\n\n## PURPOSE\n\n> [!quote]\n> To finish projects.\n\n"
    "## Limits\n\nNothing grows.\n\neffort:: low\n",
)


def by_attribute(comparison: Comparison) -> dict[str, tuple[str | None, ...]]:
    return {
        row.attribute: tuple(cell.text if cell else None for cell in row.cells)
        for row in comparison.rows
    }


def of(*notes: Note | None, **subjects: Note | None) -> list[Compared]:
    """Columns of subjects; a note alone is about its title."""
    named = {note.title: note for note in notes if note}
    return [Compared(subject=name, note=note) for name, note in (named | subjects).items()]


def found(subject: str, path: str, text: str) -> Result:
    return a_result(path, subject=subject, excerpts=(Excerpt(text=text, line_start=7, line_end=7),))


# --- attributes ----------------------------------------------------------------------------


def test_what_both_notes_say_stands_side_by_side() -> None:
    assert by_attribute(compare(of(ZETTELKASTEN, PARA))) == {
        "In short": ("Short linked notes.", "Four folders by use."),
        "Purpose": ("To develop ideas.", "To finish projects."),
        "effort": ("high", "low"),
    }


def test_every_cell_says_where_it_stands() -> None:
    places = {
        row.attribute: [
            (cell.citation.note_path, cell.citation.line, cell.citation.heading)
            for cell in row.cells
            if cell
        ]
        for row in compare(of(ZETTELKASTEN, PARA)).rows
    }
    assert places == {
        "In short": [("notes/Zettelkasten.md", 6, None), ("notes/PARA.md", 3, None)],
        "Purpose": [("notes/Zettelkasten.md", 10, "Purpose"), ("notes/PARA.md", 8, "PURPOSE")],
        "effort": [("notes/Zettelkasten.md", 16, None), ("notes/PARA.md", 14, None)],
    }


def test_three_subjects_share_what_two_of_them_have() -> None:
    other = note("c.md", "# C\n\nA third one stands here.\n\n## Purpose\n\nTo be a third.\n")
    rows = by_attribute(compare(of(ZETTELKASTEN, PARA, other)))
    assert rows["Purpose"] == ("To develop ideas.", "To finish projects.", "To be a third.")
    assert rows["effort"] == ("high", "low", None)
    assert "Upkeep" not in rows


def test_a_property_of_the_frontmatter_is_an_attribute_and_its_housekeeping_is_none() -> None:
    one = note("a.md", "---\ncreated: 2024-01-01\nstatus: active\ntags: [x]\n---\nIt is one.\n")
    other = note("b.md", "---\nid: 7\nstatus: done\ntags: [y, z]\n---\nIt is two.\n")
    compared = compare(of(A=one, B=other))
    assert by_attribute(compared) == {
        "In short": ("It is one.", "It is two."),
        "status": ("active", "done"),
        "Tags": ("#x", "#y, #z"),
    }
    (status,) = (row for row in compared.rows if row.attribute == "status")
    assert [cell.citation.line for cell in status.cells if cell] == [3, 3]


def test_kinds_of_statement_meet_under_other_headings_and_none() -> None:
    one = note("a.md", "# A\n\nA is a tool.\n\n## Drawbacks\n\nIt costs a lot of time.\n")
    other = note("b.md", "# B\n\nB is a tool. It cannot be moved once it is set up.\n")
    assert by_attribute(compare(of(one, other))) == {
        "In short": ("A is a tool.", "B is a tool."),
        "Drawbacks": ("It costs a lot of time.", "It cannot be moved once it is set up."),
    }


def test_what_it_is_goes_before_what_is_said_first_and_what_others_said() -> None:
    one = note("a.md", "# Trust\n\n> Truth is rare.\n\nMany need it. Trust is a choice.\n")
    assert by_attribute(compare(of(one)))["In short"] == ("Trust is a choice.",)


def test_an_announcement_and_a_list_of_links_are_no_sentences() -> None:
    one = note("a.md", "# A\n\nIt has two parts:\n\n- [[Left]], [[Right]]\n- the middle one\n")
    assert by_attribute(compare(of(one))) == {"In short": ("the middle one",)}


def test_what_one_alone_has_is_shown_only_where_they_share_little() -> None:
    one = note("a.md", "# A\n\n## Cost\n\nTen euros a month or so.\n")
    other = note("b.md", "# B\n\n## Colour\n\nIt is as red as a rose.\n")
    assert by_attribute(compare(of(one, other))) == {
        "Cost": ("Ten euros a month or so.", None),
        "Colour": (None, "It is as red as a rose."),
    }


def test_turkish_headings_meet_in_any_spelling() -> None:
    one = note("a.md", "# A\n\n## RENGİ\n\nKırmızı bir renk.\n")
    other = note("b.md", "# B\n\n## Rengi\n\nMavi bir renk.\n")
    assert by_attribute(compare(of(one, other))) == {
        "RENGİ": ("Kırmızı bir renk.", "Mavi bir renk.")
    }


def test_a_field_that_is_a_link_is_no_attribute() -> None:
    assert "related" not in by_attribute(compare(of(ZETTELKASTEN)))


def test_nothing_to_compare_gives_no_rows() -> None:
    assert compare(of(A=None, B=None)).rows == ()
    assert compare([]) == Comparison()


def test_a_long_sentence_is_cut_at_a_word() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    (row,) = compare(of(A=note("a.md", f"# A\n\n{words}.\n"))).rows
    (cell,) = row.cells
    assert cell is not None
    assert cell.text.endswith(" …")
    assert words.startswith(cell.text.removesuffix(" …") + " ")
    assert len(cell.text) <= 162


def test_at_most_a_dozen_attributes() -> None:
    sections = "".join(f"## Part {number}\n\nText of it.\n\n" for number in range(20))
    many = note("a.md", f"# A\n\n{sections}")
    assert len(compare(of(A=many, B=many)).rows) == 12


def test_a_line_of_code_is_no_sentence() -> None:
    one = note("a.md", "# A\n\n```sh\nmake everything now\n```\n\nRun it every day.\n")
    assert by_attribute(compare(of(one))) == {"In short": ("Run it every day.",)}


# --- what other notes say ------------------------------------------------------------------


def test_a_subject_without_a_note_is_told_by_what_other_notes_say_of_it_alone() -> None:
    results = (
        found("Hume", "Ethics.md", "Kant answered Hume in a book."),
        found("Hume", "Games.md", "Nobody is named here at all."),
        found("Hume", "Ought.md", "Hume derives nothing from what is true."),
    )
    columns = [
        Compared(subject="Kant", note=note("Kant.md", "# Kant\n\nKant is a philosopher.\n")),
        Compared(subject="Hume", results=results),
    ]
    compared = compare(columns)
    assert by_attribute(compared) == {
        "In short": ("Kant is a philosopher.", None),
        "What other notes say": (None, "Hume derives nothing from what is true."),
    }
    assert compared.without_note == {"Hume"}
    assert [cell.text for cell in compared.together] == ["Kant answered Hume in a book."]


def test_what_a_note_says_of_the_other_subject_is_said_of_both() -> None:
    one = note("a.md", "# Spacing\n\nSpacing is a plan. Each review is an act of testing.\n")
    other = note("b.md", "# Testing\n\nTesting is hard. See also [[Spacing]].\n")
    (cell,) = compare(of(one, other)).together
    assert cell.text == "Each review is an act of testing."
    assert (cell.citation.note_path, cell.citation.line) == ("a.md", 3)


def test_a_short_name_counts_only_as_it_is_written() -> None:
    one = note("a.md", "---\naliases: [IT]\n---\n# Computing\n\nComputing is a field.\n")
    other = note("b.md", "# Law\n\nLaw is a field. Nobody knows it all, and it grows.\n")
    assert compare(of(one, other)).together == ()


# --- connections ---------------------------------------------------------------------------


def connected(**edges: list[GraphRelation]) -> dict[str, tuple[str | None, ...]]:
    columns = [Compared(subject=name, edges=own) for name, own in edges.items()]
    return by_attribute(compare(columns))


def test_a_connection_that_nobody_wrote_is_marked_as_inferred() -> None:
    def read(source: str, target: str) -> GraphRelation:
        return a_relation(source, "LINKS_TO", target, origin="inferred", strength=0.5)

    around = {
        "A": [a_relation("A", "LINKS_TO", "Order"), read("A", "Ease"), read("A", "Calm")],
        "B": [a_relation("B", "LINKS_TO", "Ease"), read("B", "Order")],
    }
    assert connected(**around) == {
        "Connected to both": ("Order, Ease (inferred)", "Ease, Order (inferred)"),
        "Connected to it alone": ("Calm (inferred)", None),
    }


def test_a_relation_that_several_have_is_an_attribute_in_each_direction() -> None:
    around = {
        "A": [a_relation("A", "CAUSES", "Order"), a_relation("Study", "SUPPORTS", "A")],
        "B": [a_relation("B", "CAUSES", "Chaos"), a_relation("Trial", "SUPPORTS", "B")],
    }
    assert connected(**around) == {
        "causes": ("Order", "Chaos"),
        "supports it": ("Study", "Trial"),
    }


def test_tags_are_no_connections() -> None:
    tagged = {name: [a_relation(name, "TAGGED", "#seed")] for name in ("A", "B")}
    assert connected(**tagged) == {}


lines = st.lists(
    st.sampled_from(
        [
            *(
                "# T",
                "## Use",
                "### Deep",
                "- [ ] A task.",
                "- An item here.",
                "> A quotation.",
                "",
            ),
            *("Plain words stand here.", "| a | b |", "|---|---|", "key:: value", "* * *"),
            *("Bold **words** and [[Links|names]].", "1. First of all.", "%% hidden %%", "\tTab."),
        ]
    ),
    max_size=16,
)


@given(lines, lines)
def test_the_words_of_every_cell_stand_in_its_line(one: list[str], other: list[str]) -> None:
    columns = of(A=note("a.md", "\n".join(one)), B=note("b.md", "\n".join(other)))
    texts = {"a.md": one, "b.md": other}
    for row in compare(columns).rows:
        assert len(row.cells) == len(columns)
        assert any(row.cells)
        for cell in row.cells:
            if cell is not None:
                line = texts[cell.citation.note_path][cell.citation.line - 1]
                assert set(cell.text.rstrip(".").split()) <= set(
                    line.replace("*", "").replace("[[Links|names]]", "names").rstrip(".").split()
                )


# --- tables in notes -----------------------------------------------------------------------

BOATS = note(
    "Boats.md",
    "# Boats\n\n| Year | Boat | Length | Sail |\n|---|---|---|---|\n"
    "| 2019 | **Meltem** | 9 m | blue |\n| 2021 | Poyraz (sold) | 12 m | white |\n"
    "| 2023 | Lodos | 7 m | red |\n",
)
HILLS = note(
    "Hills.md",
    "# Hills\n\n## Heights\n\n|  | Ida | Uludag |\n|---|---|---|\n"
    "| Height | 1774 m | 2543 m |\n| Snow | March | May |\n",
)


def in_tables(*subjects: str, notes: Sequence[Note] = (HILLS, BOATS)) -> Comparison:
    said = tabled(subjects, notes)
    return compare([Compared(subject=one, tabled=said.get(one, {})) for one in subjects])


def test_subjects_that_are_rows_of_a_table_are_compared_by_its_columns() -> None:
    found = in_tables("the boat Meltem", "Poyraz")
    assert by_attribute(found) == {
        "Year": ("2019", "2021"),
        "Length": ("9 m", "12 m"),
        "Sail": ("blue", "white"),
    }
    assert {citation.line for citation in found.citations} == {5, 6}
    assert not found.without_note


def test_subjects_that_are_columns_of_a_table_are_compared_by_its_rows() -> None:
    found = in_tables("Ida", "Uludag")
    assert by_attribute(found) == {"Height": ("1774 m", "2543 m"), "Snow": ("March", "May")}
    assert {citation.heading for citation in found.citations} == {"Heights"}


def test_a_row_that_several_subjects_could_be_is_no_ones() -> None:
    assert in_tables("boat", "Meltem boat", notes=[BOATS]).rows == ()
    twice = note(
        "Days.md", "| Day | Boat |\n|---|---|\n| Monday | Meltem |\n| Tuesday | Meltem |\n"
    )
    assert tabled(["Meltem"], [twice]) == {}


def test_what_no_table_has_is_compared_without_it() -> None:
    found = in_tables("Meltem", "Imbat")
    assert found.without_note == {"Imbat"}


def test_a_table_that_only_lists_the_subjects_stands_back_behind_one_with_values() -> None:
    lists = [
        note("List.md", "| Boat |\n|---|\n| Meltem |\n| Poyraz |\n"),
        note("Empty.md", "| Boat | Sail |\n|---|---|\n| Meltem | |\n| Poyraz | |\n"),
        note("Berths.md", "| Boat | Berth |\n|---|---|\n| Meltem | 4 |\n| Poyraz | 5 |\n"),
    ]
    assert tabled(["Meltem", "Poyraz"], lists[:2]) == {}
    assert by_attribute(in_tables("Meltem", "Poyraz", notes=[*lists, BOATS])) == {
        "Year": ("2019", "2021"),
        "Length": ("9 m", "12 m"),
        "Sail": ("blue", "white"),
    }


@pytest.mark.parametrize(
    ("opened", "closed"), [("```", "```"), ("%%", "%%"), ("<!--", "-->"), ("<!-- old", "so -->")]
)
def test_a_table_in_code_or_a_comment_says_nothing(opened: str, closed: str) -> None:
    hidden = f"{opened}\n| Boat | Sail |\n|---|---|\n| Meltem | blue |\n{closed}\n"
    shown = "\n| Boat | Length |\n|---|---|\n| Meltem | 9 m |\n"
    assert tabled(["Meltem"], [note("Boats.md", hidden)]) == {}
    said = tabled(["Meltem"], [note("Boats.md", hidden + shown)])["Meltem"]
    assert {name: one.cell.citation.line for name, one in said.items()} == {"length": 9}


def test_columns_of_one_name_stand_beside_each_other() -> None:
    prices = note(
        "Prices.md",
        "| Boat | Price | price |\n|---|---|---|\n| Meltem | 7 | 9 |\n| Lodos | | 8 |\n",
    )
    assert by_attribute(in_tables("Meltem", "Lodos", notes=[prices])) == {
        "price (2)": ("9", "8"),
        "Price": ("7", None),
    }


def test_a_subject_is_found_in_a_long_table_however_it_is_spelt() -> None:
    rows = "".join(f"| boat {number} | {number} m |\n" for number in range(900))
    long = note("Long.md", f"| Boat | Length |\n|---|---|\n{rows}| **ŞİMŞEK** | 9 m |\n")
    assert tabled(["Simsek"], [long])["Simsek"]["length"].cell.text == "9 m"
