"""Names of other notes in the running words of one: which count, and where they stand."""

from datetime import UTC, datetime

import pytest

from tools.links.mentions import find_mentions, index_names
from tools.vault.notes.notes import parse_note

NAMES = (
    ("CRDT", "notes/CRDT.md"),
    ("Conflict-free data", "notes/CRDT.md"),
    ("Atomic note", "notes/Atomic note.md"),
    ("Note", "notes/Note.md"),
    ("C++", "C++.md"),
    ("Ada Lovelace", "people/Ada Lovelace.md"),
    ("Ada", "people/Ada Lovelace.md"),
    ("May 2024", "monthly/2024-05.md"),
    ("Ekim 2024", "monthly/2024-10.md"),
    ("Round 3", "Round 3.md"),
    ("Iğdır", "places/Iğdır.md"),
    ("DID", "DID.md"),
    ("Don", "people/Don.md"),
    ("2024-03-12", "daily/2024-03-12.md"),
    ("42", "42.md"),
    ("Twice", "a/Twice.md"),
    ("Twice", "b/Twice.md"),
    ("Own", "own.md"),
    ("people/Ada Lovelace", "people/Ada Lovelace.md"),
)


def found(text: str, *, linked: frozenset[str] = frozenset()) -> list[str]:
    """The words of each mention, which stand where it says."""
    note = parse_note("own.md", text.encode(), mtime=datetime(2024, 1, 1, tzinfo=UTC))
    lines = note.text.split("\n")
    mentions = find_mentions(note, index_names(NAMES), linked=linked)
    assert [lines[one.line - 1][one.start : one.end] for one in mentions] == [
        one.words for one in mentions
    ]
    return [one.words for one in mentions]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A CRDT merges, CRDTs do.", ["CRDT", "CRDTs"]),
        ("An atomic note, not a note.", ["atomic note", "note"]),
        ("Atomic notes and atomic-note.", ["Atomic notes", "atomic-note"]),
        ("Written in C++, not in C.", ["C++"]),
        ("Ada's idea, Ada'nın fikri.", ["Ada", "Ada"]),
        ("IĞDIR'da, ığdır", ["ığdır"]),
        ("It did, and a DID too.", ["DID"]),
        ("I don't know Don.", ["Don"]),
        ("Seen on 2024-03-12, 42 times.", ["2024-03-12"]),
        ("> - [ ] see **Ada** here", ["Ada"]),
        ("| a | Ada |\n|---|---|\n| b | CRDT |", ["Ada", "CRDT"]),
        ("Conflict-free\ndata", []),
        ("In May 2024, on 19 May 2024, the 3rd of May 2024.", ["May 2024"]),
        ("Ekim 2024; 20-24 Ekim 2024, 4. Ekim 2024", ["Ekim 2024"]),
        ("v1.2 May 2024; 12 Round 3", ["May 2024", "Round 3"]),
        ("atomic. Note", ["Note"]),
        ("Twice, and my own Own name", []),
    ],
)
def test_a_name_counts_as_words(text: str, words: list[str]) -> None:
    assert found(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "[[CRDT]] and [[Other|CRDT]]",
        "[CRDT](x.md), [CRDT][ref], ![CRDT](a.png)",
        "`CRDT` and ``a ` CRDT``",
        "```\nCRDT\n```",
        "    CRDT",
        "$CRDT$ and $$a\nCRDT$$",
        "%%CRDT%% <!-- CRDT -->",
        "%%\nCRDT\n%%",
        "https://a.org/CRDT and a/CRDT, x@CRDT.org",
        "#CRDT and #a/CRDT",
        "CRDT:: value",
        "a (CRDT:: value)",
        "- words ^CRDT",
        "---\nabout: CRDT\n---\n",
        '<span title="CRDT">x</span>',
        "[ref]: https://a.org 'CRDT'",
        "CRDT(x), CRDT.py, _CRDT_x",
    ],
)
def test_no_name_where_no_words_run(text: str) -> None:
    assert found(text) == []


def test_a_link_with_an_address_hides_all_of_itself() -> None:
    assert found("[[CRDT|app://a.b/c]] then CRDT") == ["CRDT"]


def test_notes_that_are_linked_already_are_left_out() -> None:
    assert found("Ada on CRDT", linked=frozenset({"notes/CRDT.md"})) == ["Ada"]


def test_a_name_in_capitals_stands_for_its_folded_twin() -> None:
    names = index_names([("did", "DID.md"), ("DID", "DID.md"), ("did", "DID.md")])
    note = parse_note("a.md", b"It did. A DID.", mtime=datetime(2024, 1, 1, tzinfo=UTC))
    assert [(one.words, one.name) for one in find_mentions(note, names)] == [("DID", "DID")]
