"""What one note says: its entity, its relations, its episode."""

import string
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.note_graphs import CREATED, MODIFIED, SEEN, graph_of, only
from tools.domain import Link
from tools.graph.model import Entity, note_id, unresolved_id
from tools.graph.projection import relation_name, type_label


@pytest.mark.parametrize(
    ("link", "name", "strength", "fact"),
    [
        (Link(target="Sleep", line=7), "LINKS_TO", 0.6, "Late caffeine links to Sleep"),
        (Link(target="Sleep", line=7, embed=True), "EMBEDS", 0.7, "Late caffeine embeds Sleep"),
        (
            Link(target="Sleep", line=7, relation="leads to"),
            "LEADS_TO",
            0.9,
            "Late caffeine leads to Sleep",
        ),
        (
            Link(target="Sleep", line=7, relation="causedBy"),
            "CAUSED_BY",
            0.9,
            "Late caffeine is caused by Sleep",
        ),
        (
            Link(target="Sleep", line=7, relation="project"),
            "PROJECT",
            0.9,
            "Late caffeine has project Sleep",
        ),
    ],
)
def test_a_link_becomes_a_relation(link: Link, name: str, strength: float, fact: str) -> None:
    relation = only(graph_of(link))

    assert (relation.name, relation.strength, relation.fact) == (name, strength, fact)
    assert (relation.note_path, relation.line) == ("notes/Late caffeine.md", 7)
    assert (relation.source, relation.target) == (
        note_id("notes/Late caffeine.md"),
        note_id("notes/Sleep.md"),
    )
    assert (relation.valid_at, relation.created_at) == (CREATED, SEEN)
    assert (relation.invalid_at, relation.expired_at) == (None, None)


def test_a_link_said_twice_is_one_relation_at_its_first_line() -> None:
    relation = only(graph_of(Link(target="Sleep", line=4), Link(target="Sleep", line=9)))

    assert relation.line == 4


def test_a_link_to_the_note_itself_says_nothing() -> None:
    assert graph_of(Link(target="", line=3), Link(target="Late caffeine", line=4)).relations == ()


def test_a_target_without_a_note_is_a_placeholder_by_its_folded_name() -> None:
    first = graph_of(Link(target="IĞDIR Gezisi", line=1))
    second = graph_of(Link(target="ığdır  gezisi.md", line=2))

    (entity,) = first.others
    assert (entity.kind, entity.path, entity.name) == ("unresolved", None, "IĞDIR Gezisi")
    assert only(first).target == only(second).target == unresolved_id("igdir gezisi")


def test_tags_are_entities_found_where_they_stand() -> None:
    text = "---\ntags: [cafe, sleep]\n---\nNot #cafeteria\n\nbut #Sleep"
    note = graph_of(text=text, body_line=4, tags=("cafe", "sleep"))

    assert [(r.name, r.line, r.fact) for r in note.relations] == [
        ("TAGGED", 2, "Late caffeine is tagged #cafe"),
        ("TAGGED", 6, "Late caffeine is tagged #sleep"),
    ]
    assert {(other.kind, other.labels) for other in note.others} == {("tag", ("Entity", "Tag"))}


def test_people_in_frontmatter_count_without_brackets() -> None:
    note = graph_of(
        text="---\ntype: meeting\npeople:\n  - Selin\n---\n",
        frontmatter={"type": "meeting", "people": ["Selin", "[[Jonas]]"], "mood": "good"},
    )

    relation = only(note)
    assert (relation.name, relation.line) == ("PEOPLE", 3)
    assert relation.fact == "Late caffeine has people Selin"


@pytest.mark.parametrize(
    ("note_type", "label"),
    [
        ("person", "Person"),
        ("core belief", "CoreBelief"),
        ("Kişi", "Kisi"),
        ("bıçak", "Bicak"),
        ("2nd thing", None),
        ("tag", None),
        ("кот", None),
        ("x) DETACH DELETE (n", "XDETACHDELETEN"),
        (None, None),
    ],
)
def test_a_type_becomes_a_safe_label(note_type: str | None, label: str | None) -> None:
    assert type_label(note_type) == label


@given(st.text())
def test_any_type_and_relation_gives_a_safe_name(text: str) -> None:
    label = type_label(text)
    safe = set(string.ascii_letters + string.digits)

    assert label is None or (set(label) <= safe and label[0].isalpha())
    assert all(char == "_" or char.isalnum() for char in relation_name(text))


def test_the_note_is_an_entity_with_utc_dates() -> None:
    moscow = timezone(timedelta(hours=3))
    note = graph_of(note_type="concept", created=datetime(2024, 1, 1, 1, tzinfo=moscow))

    entity = note.entity
    assert entity.labels == ("Entity", "Note", "Concept")
    assert entity.created == datetime(2023, 12, 31, 22, tzinfo=UTC)
    assert str(entity.created).endswith("+00:00")


def test_a_note_answers_only_to_names_that_lead_to_it() -> None:
    ours = graph_of(aliases=("Sleep", "Evening coffee"))

    assert "late caffeine" in ours.entity.names
    assert "sleep" not in ours.entity.names
    assert "evening coffee" not in ours.entity.names


def test_an_episode_is_short_and_one_per_version() -> None:
    first = graph_of(text="---\nsecret: front\n---\n" + "word " * 1000, body_line=4).episode
    again = graph_of(text="---\nsecret: front\n---\n" + "word " * 1000, body_line=4).episode
    second = graph_of(content_hash="two").episode

    assert first == again
    assert first.uuid != second.uuid
    assert first.content.startswith("Late caffeine\nword")
    assert len(first.content) < 320
    assert "secret" not in first.content
    assert (first.valid_at, first.created_at, first.path) == (
        MODIFIED,
        SEEN,
        "notes/Late caffeine.md",
    )


@given(st.text(alphabet=st.characters(), max_size=20), st.text(alphabet=st.characters()))
def test_any_text_projects(target: str, title: str) -> None:
    note = graph_of(Link(target=f"x{target}\ud800\0", line=1), title=title, path="a\udc80.md")

    assert len(note.relations) == 1


def test_entities_that_links_name_are_stubs_until_they_are_indexed() -> None:
    stub = next(e for e in graph_of(Link(target="Sleep", line=1)).others)

    assert isinstance(stub, Entity)
    assert (stub.path, stub.name, stub.content_hash) == ("notes/Sleep.md", "Sleep", None)
