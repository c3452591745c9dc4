"""What changes in the graph when a note is read again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.note_graphs import CREATED, MODIFIED, SEEN, a_note, graph_of, only, resolve
from tools.domain import Link
from tools.graph.changes import Known, plan_replace
from tools.graph.model import NoteGraph, note_id
from tools.graph.projection import project

NOTHING = Known(notes={}, present=frozenset(), episodes=frozenset(), relations=())


def stored(note: NoteGraph) -> Known:
    return Known(
        notes={note.entity.uuid: note.entity},
        present=frozenset({note.entity.uuid, *(other.uuid for other in note.others)}),
        episodes=frozenset({note.episode.uuid}),
        relations=note.relations,
    )


def next_version(*links: Link, **fields: object) -> NoteGraph:
    changed: dict[str, object] = {
        "content_hash": "two",
        "modified": datetime(2024, 6, 1, tzinfo=UTC),
    }
    note = a_note(*links, **(changed | fields))  # pyright: ignore[reportArgumentType]
    return project(note, resolve=resolve, seen_at=SEEN + timedelta(days=30))


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

    known = replace(stored(without), relations=(closed,))
    (opened,) = plan_replace([back], known).relations

    assert opened.uuid != closed.uuid
    assert opened.interval == 1
    assert (opened.valid_at, opened.invalid_at) == (datetime(2024, 9, 1, tzinfo=UTC), None)
    assert plan_replace([back], replace(stored(back), relations=(closed, opened))).relations == ()


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

    changes = plan_replace([rest], replace(NOTHING, relations=(waiting,)))

    (moved,) = changes.relations
    assert (moved.source, moved.target) == (waiting.source, rest.entity.uuid)
    assert moved.created_at == waiting.created_at
    assert changes.dropped == (waiting,)


def test_taking_over_again_after_a_crash_doubles_no_history() -> None:
    waiting = replace(
        only(graph_of(Link(target="Rest", line=3))), invalid_at=MODIFIED, expired_at=SEEN
    )
    rest = project(
        a_note(path="notes/Rest.md"),
        resolve=lambda name: "notes/Rest.md" if name == "Rest" else None,
        seen_at=SEEN,
    )
    (landed,) = plan_replace([rest], replace(NOTHING, relations=(waiting,))).relations

    changes = plan_replace([rest], replace(NOTHING, relations=(waiting, landed)))

    assert (changes.relations, changes.dropped) == ((), (waiting,))


def test_a_note_that_takes_a_name_it_links_to_does_not_link_to_itself() -> None:
    waiting = only(graph_of(Link(target="Tea", line=3)))
    renamed = project(
        a_note(Link(target="Tea", line=3), aliases=("Tea",)),
        resolve=lambda name: "notes/Late caffeine.md" if name == "Tea" else None,
        seen_at=SEEN,
    )

    changes = plan_replace([renamed], replace(NOTHING, relations=(waiting,)))

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

    rest = plan_replace([after], replace(stored(before), relations=tuple(halfway.values())))

    assert halfway | {r.uuid: r for r in rest.relations} == {
        r.uuid: r for r in (*before.relations, *whole.relations)
    }
