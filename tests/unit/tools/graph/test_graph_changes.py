"""What is written and dropped so that the stored graph is what the notes say."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.values.note_graphs import PATH, a_version, an_end, graph_of, only
from tools.base.domain import Link
from tools.graph.changes import Changes, Stored, plan
from tools.graph.model import Entity, NoteGraph, Relation, note_id

NOTHING = Stored(notes={}, present=frozenset(), relations=(), episodes=frozenset())
SLEEP, NOWHERE = Link(target="Sleep", line=3), Link(target="Nowhere", line=4)


def stored(*notes: NoteGraph) -> Stored:
    entities = [entity for note in notes for entity in (note.entity, *note.others)]
    return Stored(
        notes={note.entity.uuid: note.entity for note in notes},
        present=frozenset(entity.uuid for entity in entities),
        relations=[relation for note in notes for relation in note.relations],
        episodes=frozenset(episode.uuid for note in notes for episode in note.episodes),
    )


def test_what_is_stored_already_changes_nothing() -> None:
    note = graph_of(a_version(SLEEP, NOWHERE, tags=("t",)), a_version(on=4))

    assert plan([note], stored(note)) == Changes()


def test_a_new_note_is_written_with_all_that_it_names() -> None:
    note = graph_of(a_version(SLEEP), a_version(NOWHERE, on=4))

    changes = plan([note], NOTHING)

    assert {entity.name for entity in changes.entities} == {"Late caffeine", "Sleep", "Nowhere"}
    assert changes.relations == note.relations
    assert changes.episodes == tuple((episode, note.entity.uuid) for episode in note.episodes)
    assert (changes.dropped_relations, changes.dropped_episodes) == ((), ())


def test_an_entity_that_is_there_is_not_written_over_by_who_names_it() -> None:
    """What a link knows of a note is less than what the note says itself."""
    sleep = note_id("notes/Sleep.md")

    changes = plan([graph_of(a_version(SLEEP))], replace(NOTHING, present=frozenset({sleep})))

    assert [entity.uuid for entity in changes.entities] == [note_id(PATH)]


def test_two_notes_that_name_each_other_are_written_as_themselves() -> None:
    coffee = graph_of(a_version(SLEEP))
    sleep = replace(coffee, entity=replace(coffee.others[0], content_hash="here"), relations=())

    written = {entity.uuid: entity for entity in plan([coffee, sleep], NOTHING).entities}

    assert written[sleep.entity.uuid] == sleep.entity


def test_an_edge_that_ends_is_written_again_and_nothing_is_dropped() -> None:
    before = graph_of(a_version(SLEEP))
    after = graph_of(a_version(SLEEP), a_version(on=30))

    changes = plan([after], stored(before))

    assert (changes.relations, changes.dropped_relations) == (after.relations, ())
    assert changes.relations[0].uuid == only(before).uuid
    assert [episode for episode, _ in changes.episodes] == [after.episodes[1]]
    assert changes.entities == (after.entity,)


def test_a_rewritten_history_takes_the_place_of_the_old_one() -> None:
    before = graph_of(a_version(SLEEP), a_version(NOWHERE, on=3))
    after = graph_of(a_version(NOWHERE, on=1))

    changes = plan([after], stored(before))

    assert {relation.target for relation in changes.dropped_relations} == {
        note_id("notes/Sleep.md")
    }
    assert changes.loose == [note_id("notes/Sleep.md")]
    assert set(changes.dropped_episodes) == {episode.uuid for episode in before.episodes}


def test_words_that_lead_elsewhere_move_the_edge() -> None:
    version = a_version(Link(target="Rest", line=3))
    before, after = graph_of(version), graph_of(version, resolve={"Rest": "notes/Rest.md"}.get)

    changes = plan([after], stored(before))

    (moved,) = changes.relations
    assert moved.target == note_id("notes/Rest.md")
    assert (moved.valid_at, moved.created_at) == (only(before).valid_at, only(before).created_at)
    assert changes.dropped_relations == before.relations
    assert changes.episodes == ()


def test_a_change_of_type_takes_the_old_label_away() -> None:
    before = graph_of(a_version(note_type="project"))

    changed = plan([graph_of(a_version(note_type="goal"))], stored(before))
    given_one = plan([before], stored(graph_of(a_version())))

    assert changed.relabelled == (note_id(PATH),)
    assert given_one.relabelled == ()


def test_a_note_that_ends_stays_as_part_of_the_past() -> None:
    before = graph_of(a_version(SLEEP))

    changes = plan([graph_of(a_version(SLEEP), an_end(on=8))], stored(before))

    (entity,), (relation,) = changes.entities, changes.relations
    assert entity.content_hash is None
    assert relation.expired_at is not None
    assert (changes.dropped_relations, changes.dropped_episodes) == ((), ())


texts = st.lists(st.sampled_from(["Sleep", "Nowhere", "Rest", "Gone"]), max_size=4).map(
    lambda names: tuple(Link(target=name, line=line) for line, name in enumerate(names, 1))
)


@st.composite
def graphs(draw: st.DrawFn) -> NoteGraph:
    versions = [a_version(*draw(texts), on=on) for on in range(draw(st.integers(1, 4)))]
    return graph_of(*versions, *([an_end(on=9)] if draw(st.booleans()) else []))


def applied(changes: Changes, before: Stored) -> Stored:
    """What a store holds after the changes, as ``Stored`` says it."""
    entities: dict[str, Entity] = {entity.uuid: entity for entity in changes.entities}
    relations: dict[str, Relation] = {r.uuid: r for r in (*before.relations, *changes.relations)}
    for relation in changes.dropped_relations:
        del relations[relation.uuid]
    written = {episode.uuid for episode, _ in changes.episodes}
    return Stored(
        notes={**before.notes, **{u: e for u, e in entities.items() if e.digest is not None}},
        present=before.present | entities.keys(),
        relations=list(relations.values()),
        episodes=(before.episodes | written) - set(changes.dropped_episodes),
    )


@settings(deadline=None)
@given(graphs(), graphs())
def test_whatever_was_stored_the_plan_leads_to_what_the_note_says(
    before: NoteGraph, after: NoteGraph
) -> None:
    there = applied(plan([after], stored(before)), stored(before))

    assert plan([after], there) == Changes()
    assert {r.uuid: r for r in there.relations} == {r.uuid: r for r in after.relations}
    assert there.episodes == {episode.uuid for episode in after.episodes}
    assert there.notes == {after.entity.uuid: after.entity}
    assert {other.uuid for other in after.others} <= there.present
