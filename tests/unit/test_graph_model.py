"""What one note says, and what changes when it is read again."""

import string
from dataclasses import replace as copy
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.domain import Link, Note
from tools.graph.changes import Known, plan_replace
from tools.graph.model import Entity, NoteGraph, Relation, note_id, unresolved_id
from tools.graph.projection import project, relation_name, type_label

CREATED = datetime(2024, 1, 1, tzinfo=UTC)
MODIFIED = datetime(2024, 2, 1, tzinfo=UTC)
SEEN = datetime(2025, 1, 1, tzinfo=UTC)
VAULT = {"Sleep": "notes/Sleep.md", "Late caffeine": "notes/Late caffeine.md"}
NOTHING = Known(notes={}, present=frozenset(), episodes=frozenset(), relations=())


def a_note(*links: Link, path: str = "notes/Late caffeine.md", **fields: object) -> Note:
    title = path.rsplit("/", 1)[-1].removesuffix(".md")
    note = Note(
        path=path,
        title=title,
        text=f"# {title}\n\nbody",
        content_hash="one",
        body_line=1,
        created=CREATED,
        modified=MODIFIED,
        date_origin="frontmatter",
        links=links,
    )
    return copy(note, **fields)  # pyright: ignore[reportArgumentType]


def resolve(name: str) -> str | None:
    return VAULT.get(name) or (name if name in VAULT.values() else None)


def graph_of(*links: Link, **fields: object) -> NoteGraph:
    return project(a_note(*links, **fields), resolve=resolve, seen_at=SEEN)  # pyright: ignore[reportArgumentType]


def only(note: NoteGraph) -> Relation:
    (relation,) = note.relations
    return relation


def stored(note: NoteGraph) -> Known:
    return Known(
        notes={note.entity.uuid: note.entity},
        present=frozenset({note.entity.uuid, *(other.uuid for other in note.others)}),
        episodes=frozenset({note.episode.uuid}),
        relations=note.relations,
    )


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


def test_what_is_stored_already_changes_nothing() -> None:
    note = graph_of(Link(target="Sleep", line=3), Link(target="Nowhere", line=4), tags=("t",))
    later = project(
        a_note(Link(target="Sleep", line=3), Link(target="Nowhere", line=4), tags=("t",)),
        resolve=resolve,
        seen_at=SEEN + timedelta(days=1),
    )

    changes = plan_replace([later], stored(note))

    assert not any(
        (changes.entities, changes.relations, changes.episodes, changes.dropped, changes.sealed)
    )


def next_version(*links: Link, **fields: object) -> NoteGraph:
    changed: dict[str, object] = {
        "content_hash": "two",
        "modified": datetime(2024, 6, 1, tzinfo=UTC),
    }
    note = a_note(*links, **(changed | fields))  # pyright: ignore[reportArgumentType]
    return project(note, resolve=resolve, seen_at=SEEN + timedelta(days=30))


def test_a_dropped_link_is_closed_at_the_change_and_kept() -> None:
    changes = plan_replace([next_version()], stored(graph_of(Link(target="Sleep", line=3))))

    (closed,) = changes.relations
    assert closed.valid_at == CREATED
    assert closed.invalid_at == datetime(2024, 6, 1, tzinfo=UTC)
    assert (closed.created_at, closed.expired_at) == (SEEN, SEEN + timedelta(days=30))
    assert changes.dropped == ()


def test_a_link_of_a_later_version_holds_from_that_version_on() -> None:
    changes = plan_replace([next_version(Link(target="Sleep", line=3))], stored(graph_of()))

    (opened,) = changes.relations
    assert opened.valid_at == datetime(2024, 6, 1, tzinfo=UTC)
    assert opened.created_at == SEEN + timedelta(days=30)


def test_a_change_without_a_new_date_happened_when_it_was_seen() -> None:
    later = next_version(modified=MODIFIED)

    (closed,) = plan_replace([later], stored(graph_of(Link(target="Sleep", line=3)))).relations

    assert closed.invalid_at == SEEN + timedelta(days=30)


def test_a_link_that_comes_back_opens_a_new_interval() -> None:
    first = graph_of(Link(target="Sleep", line=3))
    without = next_version()
    (closed,) = plan_replace([without], stored(first)).relations
    back = project(
        a_note(
            Link(target="Sleep", line=5),
            content_hash="three",
            modified=datetime(2024, 9, 1, tzinfo=UTC),
        ),
        resolve=resolve,
        seen_at=SEEN + timedelta(days=60),
    )

    known = copy(stored(without), relations=(closed,))
    (opened,) = plan_replace([back], known).relations

    assert opened.uuid != closed.uuid
    assert opened.interval == 1
    assert (opened.valid_at, opened.invalid_at) == (datetime(2024, 9, 1, tzinfo=UTC), None)
    assert plan_replace([back], copy(stored(back), relations=(closed, opened))).relations == ()


def test_a_link_that_moved_within_the_note_keeps_its_dates() -> None:
    earlier = graph_of(Link(target="Sleep", line=3))

    (moved,) = plan_replace([next_version(Link(target="Sleep", line=9))], stored(earlier)).relations

    assert (moved.uuid, moved.line) == (only(earlier).uuid, 9)
    assert (moved.valid_at, moved.created_at) == (CREATED, SEEN)
    assert moved.episode == earlier.episode.uuid


def test_words_that_lead_elsewhere_move_the_relation_with_its_dates() -> None:
    before = graph_of(Link(target="Rest", line=3))
    after = project(
        a_note(Link(target="Rest", line=3)),
        resolve=lambda name: "notes/Rest.md" if name == "Rest" else None,
        seen_at=SEEN + timedelta(days=9),
    )

    changes = plan_replace([after], stored(before))

    (moved,) = changes.relations
    assert moved.target == note_id("notes/Rest.md")
    assert (moved.valid_at, moved.created_at, moved.expired_at) == (CREATED, SEEN, None)
    assert changes.dropped == before.relations


def test_a_new_note_takes_over_what_was_said_about_its_name() -> None:
    waiting = only(graph_of(Link(target="Rest", line=3)))
    rest = project(
        a_note(path="notes/Rest.md"),
        resolve=lambda name: "notes/Rest.md" if name in ("Rest", "notes/Rest.md") else None,
        seen_at=SEEN,
    )

    changes = plan_replace([rest], copy(NOTHING, relations=(waiting,)))

    (moved,) = changes.relations
    assert (moved.source, moved.target) == (waiting.source, rest.entity.uuid)
    assert moved.created_at == waiting.created_at
    assert changes.dropped == (waiting,)


def test_taking_over_again_after_a_crash_doubles_no_history() -> None:
    waiting = copy(
        only(graph_of(Link(target="Rest", line=3))), invalid_at=MODIFIED, expired_at=SEEN
    )
    rest = project(
        a_note(path="notes/Rest.md"),
        resolve=lambda name: "notes/Rest.md" if name == "Rest" else None,
        seen_at=SEEN,
    )
    (landed,) = plan_replace([rest], copy(NOTHING, relations=(waiting,))).relations

    changes = plan_replace([rest], copy(NOTHING, relations=(waiting, landed)))

    assert (changes.relations, changes.dropped) == ((), (waiting,))


def test_a_note_that_takes_a_name_it_links_to_does_not_link_to_itself() -> None:
    waiting = only(graph_of(Link(target="Tea", line=3)))
    renamed = project(
        a_note(Link(target="Tea", line=3), aliases=("Tea",)),
        resolve=lambda name: "notes/Late caffeine.md" if name == "Tea" else None,
        seen_at=SEEN,
    )

    changes = plan_replace([renamed], copy(NOTHING, relations=(waiting,)))

    assert (changes.relations, changes.dropped) == ((), (waiting,))


def test_what_is_only_read_differently_leaves_no_history() -> None:
    misread = graph_of(Link(target="Sleep", line=3))

    changes = plan_replace([graph_of()], stored(misread))

    assert (changes.relations, changes.dropped) == ((), misread.relations)


def test_a_corrected_creation_date_moves_what_held_from_the_start() -> None:
    earlier = datetime(2020, 1, 1, tzinfo=UTC)
    before = graph_of(Link(target="Sleep", line=3))

    (corrected,) = plan_replace(
        [next_version(Link(target="Sleep", line=3), created=earlier)], stored(before)
    ).relations

    assert corrected.valid_at == earlier
    assert corrected.uuid == only(before).uuid


def test_a_change_of_type_takes_the_old_label_away() -> None:
    changes = plan_replace([next_version(note_type="goal")], stored(graph_of(note_type="project")))

    assert changes.relabelled == (note_id("notes/Late caffeine.md"),)


def test_an_entity_carries_its_former_version_until_it_is_sealed() -> None:
    before = graph_of()

    changes = plan_replace([next_version(title="New title")], stored(before))

    (written,), (sealed,) = changes.entities, changes.sealed
    assert (written.name, written.content_hash) == ("New title", "one")
    assert (sealed.content_hash, sealed.modified) == ("two", datetime(2024, 6, 1, tzinfo=UTC))


@given(st.permutations([0, 1, 2]), st.integers(0, 3))
def test_a_change_cut_short_is_planned_again_as_the_same_change(
    order: list[int], written: int
) -> None:
    """Relations land in any order, some of them, before the crash."""
    links = [Link(target=name, line=1) for name in ("Sleep", "Nowhere", "Rest")]
    before = graph_of(links[0], Link(target="Gone", line=2))
    after = next_version(*links)
    whole = plan_replace([after], stored(before))
    landed = [whole.relations[index] for index in order if index < len(whole.relations)][:written]
    halfway = {r.uuid: r for r in (*before.relations, *landed)}

    rest = plan_replace([after], copy(stored(before), relations=tuple(halfway.values())))

    assert halfway | {r.uuid: r for r in rest.relations} == {
        r.uuid: r for r in (*before.relations, *whole.relations)
    }


def test_entities_that_links_name_are_stubs_until_they_are_indexed() -> None:
    stub = next(e for e in graph_of(Link(target="Sleep", line=1)).others)

    assert isinstance(stub, Entity)
    assert (stub.path, stub.name, stub.content_hash) == ("notes/Sleep.md", "Sleep", None)
