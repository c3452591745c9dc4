"""What a note states: relations to notes, names, tags and values, as its text has them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.graph.relations import relation_name
from tools.graph.statements import version_content
from tools.graph.versions import Statement, VersionContent
from tools.vault.notes.notes import parse_note

MOMENT = datetime(2024, 5, 20, tzinfo=UTC)


def reading(text: str, *, path: str = "Tea.md") -> VersionContent:
    return version_content(parse_note(path, text.encode(), mtime=MOMENT))


def stated(text: str) -> list[tuple[str, str, str, int]]:
    return [(s.relation, s.target, s.kind, s.line) for s in reading(text).statements]


# --- links ---------------------------------------------------------------------------------


def test_links_embeds_and_typed_links() -> None:
    text = "See [[Sleep]] and ![[Diagram]].\n\nleads to:: [[Bad mood]]\n\n[a](Water.md)\n"

    assert [(s.relation, s.target, s.line, s.strength) for s in reading(text).statements] == [
        ("LINKS_TO", "Sleep", 1, 0.6),
        ("EMBEDS", "Diagram", 1, 0.7),
        ("LEADS_TO", "Bad mood", 3, 0.9),
        ("LINKS_TO", "Water.md", 5, 0.6),
    ]


def test_a_relation_of_its_own_making_is_kept_as_written() -> None:
    assert stated("öğretmeni:: [[Selin]]\n\nwas-inspired by:: [[Ada]]") == [
        ("ÖĞRETMENI", "Selin", "link", 1),
        ("WAS_INSPIRED_BY", "Ada", "link", 3),
    ]


def test_what_is_said_twice_counts_where_it_is_first() -> None:
    text = "[[Sleep]]\n\n[[sleep]]\n\ncauses:: [[Sleep]]\n\n#Tea\n\n#tea"

    assert stated(text) == [
        ("LINKS_TO", "Sleep", "link", 1),
        ("CAUSES", "Sleep", "link", 5),
        ("TAGGED", "Tea", "tag", 7),
    ]


def test_a_link_within_the_note_states_nothing() -> None:
    assert stated("See [[#Brewing]] and [[#^block]].\n\n# Brewing") == []


def test_links_in_frontmatter_have_the_relation_of_their_property() -> None:
    assert stated('---\nup: "[[Drinks]]"\nmood: "[[Calm]]"\n---\nTea.') == [
        ("UP", "Drinks", "link", 2),
        ("MOOD", "Calm", "link", 3),
    ]


# --- fields --------------------------------------------------------------------------------


def test_a_field_with_a_plain_value_is_a_statement() -> None:
    assert stated("status:: done\n\n(water temp:: 80 °C) and more") == [
        ("STATUS", "done", "value", 1),
        ("WATER_TEMP", "80 °C", "value", 3),
    ]


@pytest.mark.parametrize(
    "field",
    [
        "source:: https://example.org/tea",
        "see:: [a page](https://example.org)",
        "note:: " + "words " * 30,
        "empty::",
    ],
)
def test_addresses_and_long_texts_are_no_values(field: str) -> None:
    assert stated(field) == []


def test_a_field_with_a_link_is_the_link_alone() -> None:
    assert stated("causes:: [[Bad sleep]] and worry") == [("CAUSES", "Bad sleep", "link", 1)]


# --- frontmatter ---------------------------------------------------------------------------


def test_people_in_frontmatter_count_without_brackets() -> None:
    text = '---\ntype: meeting\npeople:\n  - Selin\n  - "[[Jonas]]"\nAuthor: Ada Lovelace\n---\n'

    assert set(stated(text)) == {
        ("PEOPLE", "Jonas", "link", 3),
        ("PEOPLE", "Selin", "link", 3),
        ("AUTHOR", "Ada Lovelace", "link", 6),
    }


def test_known_relations_in_frontmatter_count_without_brackets() -> None:
    assert stated("---\nsupersedes: Old tea\ncaused by: [Stress, Noise]\n---\n") == [
        ("SUPERSEDES", "Old tea", "link", 2),
        ("CAUSED_BY", "Stress", "link", 3),
        ("CAUSED_BY", "Noise", "link", 3),
    ]


def test_other_properties_and_addresses_are_no_statements() -> None:
    text = "---\nmood: good\nrating: 5\nauthor: https://example.org\nproject: 7\n---\nTea."

    assert stated(text) == []


def test_a_name_that_is_too_long_is_none() -> None:
    assert stated(f"---\nauthor: {'x' * 200}\n---\n") == []


# --- tags ----------------------------------------------------------------------------------


def test_tags_stand_where_they_are_written() -> None:
    text = "---\ntags: [cafe, sleep]\n---\nNot #cafeteria\n\nbut #Sleep"

    assert stated(text) == [
        ("TAGGED", "cafe", "tag", 2),
        ("TAGGED", "sleep", "tag", 6),
        ("TAGGED", "cafeteria", "tag", 4),
    ]


# --- the rest ------------------------------------------------------------------------------


def test_the_dates_are_those_that_the_note_states() -> None:
    silent = reading("Tea.")
    dated = reading("---\ncreated: 2024-01-02\nupdated: 2024-03-04\n---\nTea.")
    named = reading("Tea.", path="2024-02-03 Tea.md")

    assert (silent.created, silent.modified) == (None, None)
    assert dated.created is not None
    assert dated.modified is not None
    assert (dated.created.date().isoformat(), dated.modified.date().isoformat()) == (
        "2024-01-02",
        "2024-03-04",
    )
    assert named.created is not None
    assert named.created.date().isoformat() == "2024-02-03"


def test_the_opening_is_the_start_of_the_text_without_frontmatter() -> None:
    text = "---\nsecret: front\naliases: [Chai]\ntype: drink\n---\n# Tea\n\n" + "word " * 200
    found = reading(text)

    assert found.opening.startswith("# Tea")
    assert len(found.opening) == 300
    assert (found.title, found.aliases, found.note_type) == ("Tea", ("Chai",), "drink")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("leads to", "LEADS_TO"),
        ("leadsTo", "LEADS_TO"),
        ("leads-to", "LEADS_TO"),
        ("  Leads_to ", "LEADS_TO"),
        ("çalışır", "ÇALIŞIR"),
        ("!?", "LINKS_TO"),
    ],
)
def test_a_word_becomes_the_name_of_a_relation(word: str, name: str) -> None:
    assert relation_name(word) == name


@given(st.text())
def test_any_word_becomes_a_safe_name(text: str) -> None:
    name = relation_name(text)

    assert name
    assert all(char == "_" or char.isalnum() for char in name.replace("_", ""))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_says_something_that_can_be_kept(text: str) -> None:
    found = version_content(parse_note("a.md", text.replace("\0", "").encode(), mtime=MOMENT))

    lines = text.count("\n") + text.count("\r") + 1
    assert all(isinstance(s, Statement) and 1 <= s.line <= lines for s in found.statements)
