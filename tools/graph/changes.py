"""What changes in the graph when notes are read again, and when they are gone. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as copy
from datetime import datetime

from tools.folding import fold_name
from tools.graph.model import (
    Entity,
    Episode,
    NoteGraph,
    Relation,
    placeholder,
    unresolved_id,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the store holds about some notes before a change.

    ``notes``: their entities by uuid. ``present``: uuids of all entities that exist among those
    the change touches. ``episodes``: complete versions. ``relations``: everything the notes say
    or said, and whatever points at a placeholder the notes answer to, or, from those sources, at
    the notes themselves. For a removal: whatever others say about the notes.
    """

    notes: Mapping[str, Entity]
    present: frozenset[str]
    episodes: frozenset[str]
    relations: Sequence[Relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to write and drop so that the store says what the notes say.

    ``entities`` carry a note's former version until ``sealed``, its last step, names the new one;
    so a change cut short is planned again as the same change. ``relabelled`` entities lose labels.
    """

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    episodes: tuple[tuple[Episode, str], ...] = ()
    dropped: tuple[Relation, ...] = ()
    relabelled: tuple[str, ...] = ()
    sealed: tuple[Entity, ...] = ()


def plan_replace(notes: Sequence[NoteGraph], known: Known) -> Changes:
    """The changes that bring the store from ``known`` to ``notes``; none when it is there."""
    before = {relation.uuid: relation for relation in known.relations}
    after = dict(before)
    for note in notes:
        answered = {unresolved_id(name) for name in note.entity.names}
        for relation in before.values():
            if relation.target in answered and relation.uuid in after:
                _move(after, relation, note.entity.uuid)
    for note in notes:
        _reconcile(after, note, known.notes.get(note.entity.uuid))
    entities: dict[str, Entity] = {}
    sealed: list[Entity] = []
    for note in notes:
        former = known.notes.get(note.entity.uuid)
        final = copy(note.entity, created_at=former.created_at) if former else note.entity
        if final != former:
            entities[final.uuid] = copy(
                final,
                content_hash=former.content_hash if former else None,
                created=former.created if former else None,
                modified=former.modified if former else None,
            )
            sealed.append(final)
    for note in notes:
        for other in note.others:
            if other.uuid not in known.present:
                entities.setdefault(other.uuid, other)
    return Changes(
        entities=tuple(entities.values()),
        relations=tuple(r for r in after.values() if before.get(r.uuid) != r),
        episodes=tuple(
            (note.episode, note.entity.uuid)
            for note in notes
            if note.episode.uuid not in known.episodes
        ),
        dropped=tuple(r for r in before.values() if r.uuid not in after),
        relabelled=tuple(
            entity.uuid
            for entity in entities.values()
            if (former := known.notes.get(entity.uuid)) is not None
            and set(former.labels) - set(entity.labels)
        ),
        sealed=tuple(sealed),
    )


def plan_remove(removed: frozenset[str], known: Known, *, seen_at: datetime) -> Changes:
    """What living notes say about ``removed`` (entity uuids) points at placeholders from now on."""
    relations: dict[str, Relation] = {}
    entities: dict[str, Entity] = {}
    for relation in known.relations:
        if relation.source in removed or relation.target not in removed:
            continue
        called = known.notes[relation.target].name
        for word in relation.words:
            name = called if fold_name(called) == word else word
            stand_in = placeholder(word, name=name, seen_at=seen_at)
            if stand_in.uuid not in known.present:
                entities.setdefault(stand_in.uuid, stand_in)
            _place(relations, copy(relation, target=stand_in.uuid, words=(word,)))
    return Changes(entities=tuple(entities.values()), relations=tuple(relations.values()))


def _reconcile(relations: dict[str, Relation], note: NoteGraph, former: Entity | None) -> None:
    """Make ``relations`` say what the note says now, and close what it no longer says."""
    source, final = note.entity.uuid, note.entity
    mine = [r for r in relations.values() if r.source == source]
    still_open = {r.uuid: r for r in mine if r.expired_at is None}
    by_end = {(r.name, r.target): r for r in still_open.values()}
    by_word = {(r.name, word): r for r in still_open.values() for word in r.words}
    opened_at, changed_at = _change_dates(note, former)
    for relation in note.relations:
        earlier = by_end.get((relation.name, relation.target)) or next(
            (r for word in relation.words if (r := by_word.get((relation.name, word)))), None
        )
        if earlier is None:
            _place(relations, copy(relation, valid_at=opened_at))
            continue
        # Valid from the note's creation follows a corrected creation date.
        from_start = former is not None and earlier.valid_at == former.created
        held = copy(
            relation,
            valid_at=final.created if from_start and final.created else earlier.valid_at,
            created_at=earlier.created_at,
            episode=earlier.episode,
        )
        still_open.pop(earlier.uuid, None)
        if earlier.target == relation.target:
            relations[earlier.uuid] = copy(held, interval=earlier.interval)
        else:  # the same words lead elsewhere now: nothing was said or taken back
            relations.pop(earlier.uuid, None)
            _place(relations, held)
    unchanged = former is not None and former.content_hash == final.content_hash
    for uuid, relation in still_open.items():
        if unchanged:  # read differently, not written differently
            relations.pop(uuid, None)
        else:
            relations[uuid] = copy(
                relation,
                invalid_at=max(changed_at, relation.valid_at),
                expired_at=note.seen_at,
            )


def _change_dates(note: NoteGraph, former: Entity | None) -> tuple[datetime, datetime]:
    """When this version's new relations opened, and when those it lacks ended.

    A note's first version speaks from its creation on. A later one changed things when it was
    modified, or when we saw it, if the modification date did not advance.
    """
    created, modified = note.entity.created, note.entity.modified
    if created is None or modified is None:
        return note.seen_at, note.seen_at
    if former is None or former.content_hash is None or former.modified is None:
        return created, modified
    changed = modified if modified > former.modified else note.seen_at
    return (created if former.content_hash == note.entity.content_hash else changed), changed


def _move(relations: dict[str, Relation], relation: Relation, target: str) -> None:
    del relations[relation.uuid]
    if relation.source != target:
        _place(relations, copy(relation, target=target))


def _place(relations: dict[str, Relation], relation: Relation) -> None:
    """Add a relation, merged with an equal or overlapping one, else as the next interval."""
    placed = copy(relation, interval=0)
    while (there := relations.get(placed.uuid)) is not None:
        same = (there.valid_at, there.created_at) == (placed.valid_at, placed.created_at)
        both_open = there.expired_at is None and placed.expired_at is None
        if same or both_open:
            placed = copy(
                there,
                words=tuple(dict.fromkeys((*there.words, *placed.words))),
                valid_at=min(there.valid_at, placed.valid_at),
                created_at=min(there.created_at, placed.created_at),
            )
            break
        placed = copy(placed, interval=placed.interval + 1)
    relations[placed.uuid] = placed
