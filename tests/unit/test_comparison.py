"""A table from two parsed notes."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from tests.results import a_relation
from tools.comparison import Row, compare, connections
from tools.domain import GraphRelation, Note
from tools.vault.notes import parse_note

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


def by_attribute(rows: tuple[Row, ...]) -> dict[str, tuple[str | None, ...]]:
    return {row.attribute: tuple(cell.text if cell else None for cell in row.cells) for row in rows}


def test_what_both_notes_say_stands_side_by_side() -> None:
    rows = compare(("Zettelkasten", "PARA"), {"Zettelkasten": ZETTELKASTEN, "PARA": PARA})
    assert by_attribute(rows) == {
        "In short": ("Short linked notes.", "Four folders by use."),
        "Purpose": ("To develop ideas.", "To finish projects."),
        "effort": ("high", "low"),
    }


def test_every_cell_says_where_it_stands() -> None:
    rows = compare(("Zettelkasten", "PARA"), {"Zettelkasten": ZETTELKASTEN, "PARA": PARA})
    places = {
        row.attribute: [
            (cell.citation.note_path, cell.citation.line, cell.citation.heading)
            for cell in row.cells
            if cell
        ]
        for row in rows
    }
    assert places == {
        "In short": [("notes/Zettelkasten.md", 6, None), ("notes/PARA.md", 3, None)],
        "Purpose": [("notes/Zettelkasten.md", 10, "Purpose"), ("notes/PARA.md", 8, "PURPOSE")],
        "effort": [("notes/Zettelkasten.md", 16, None), ("notes/PARA.md", 14, None)],
    }


def test_a_subject_without_a_note_has_empty_cells() -> None:
    rows = compare(("Zettelkasten", "Nothing"), {"Zettelkasten": ZETTELKASTEN, "Nothing": None})
    assert {row.cells[1] for row in rows} == {None}
    assert by_attribute(rows)["Upkeep"] == ("Ten minutes a note.", None)


def test_nothing_in_common_shows_what_each_has() -> None:
    one = note("a.md", "# A\n\n## Cost\n\nTen euros.\n")
    other = note("b.md", "# B\n\n## Colour\n\nIt is red.\n")
    assert by_attribute(compare(("A", "B"), {"A": one, "B": other})) == {
        "Cost": ("Ten euros.", None),
        "Colour": (None, "It is red."),
    }


def test_turkish_headings_meet_in_any_spelling() -> None:
    one = note("a.md", "# A\n\n## AMAÇ\n\nDüşünmek.\n")
    other = note("b.md", "# B\n\n## Amaç\n\nBitirmek.\n")
    rows = by_attribute(compare(("A", "B"), {"A": one, "B": other}))
    assert rows == {"AMAÇ": ("Düşünmek.", "Bitirmek.")}


def test_a_field_that_is_a_link_is_no_attribute() -> None:
    rows = compare(("Zettelkasten", "PARA"), {"Zettelkasten": ZETTELKASTEN, "PARA": None})
    assert "related" not in by_attribute(rows)


def test_nothing_to_compare_gives_no_rows() -> None:
    assert compare(("A", "B"), {}) == ()
    assert compare((), {}) == ()


def test_a_long_sentence_is_cut_at_a_word() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    long = note("a.md", f"# A\n\n{words}.\n")
    (row,) = compare(("A",), {"A": long})
    (cell,) = row.cells
    assert cell is not None
    assert cell.text.endswith(" …")
    assert words.startswith(cell.text.removesuffix(" …") + " ")
    assert len(cell.text) <= 162


def test_at_most_a_dozen_rows() -> None:
    sections = "".join(f"## Part {number}\n\nText of it.\n\n" for number in range(20))
    many = note("a.md", f"# A\n\n{sections}")
    assert len(compare(("A", "B"), {"A": many, "B": many})) == 12


def test_a_line_of_code_is_no_sentence() -> None:
    one = note("a.md", "# A\n\n## Use\n\n```sh\nmake everything now\n```\n\nRun it daily.\n")
    assert by_attribute(compare(("A",), {"A": one})) == {"Use": ("Run it daily.",)}


def test_a_connection_that_nobody_wrote_is_marked_as_inferred() -> None:
    def read(source: str, target: str) -> GraphRelation:
        return a_relation(source, "SUPPORTS", target, origin="inferred", strength=0.5)

    tagged = a_relation("B", "TAGGED", "Ease", strength=0.4)
    around = {
        "A": [a_relation("A", "CAUSES", "Order"), read("A", "Ease"), read("A", "Calm")],
        "B": [tagged, read("B", "Ease"), read("B", "Order")],
    }
    assert by_attribute(connections(("A", "B"), around)) == {
        "Connected to all alike": ("Order, Ease (inferred)", "Ease, Order (inferred)"),
        "Connected to it alone": ("Calm (inferred)", None),
    }


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
    notes = {"A": note("a.md", "\n".join(one)), "B": note("b.md", "\n".join(other))}
    subjects = ("A", "B")
    texts = {"a.md": one, "b.md": other}
    for row in compare(subjects, notes):
        assert len(row.cells) == len(subjects)
        assert any(row.cells)
        for cell in row.cells:
            if cell is not None:
                line = texts[cell.citation.note_path][cell.citation.line - 1]
                assert set(cell.text.rstrip(".").split()) <= set(
                    line.replace("*", "").replace("[[Links|names]]", "names").rstrip(".").split()
                )
