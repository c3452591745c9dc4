"""What to write and drop so that the stored graph is what the notes say. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tools.graph.model import Entity, Episode, NoteGraph, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What the store holds about some notes.

    ``notes``: their entities by uuid. ``present``: which of all entities that they name exist.
    ``relations``: all that they say or said. ``episodes``: the uuids of their versions.
    """

    notes: Mapping[str, Entity]
    present: frozenset[str]
    relations: Sequence[Relation]
    episodes: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """``relabelled`` entities lose labels; ``loose`` ones may have lost their last edge."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    episodes: tuple[tuple[Episode, str], ...] = ()
    dropped_relations: tuple[Relation, ...] = ()
    dropped_episodes: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()

    @property
    def loose(self) -> list[str]:
        ends = {uuid for r in self.dropped_relations for uuid in (r.source, r.target)}
        return sorted(ends - {relation.note for relation in self.dropped_relations})


def plan(notes: Sequence[NoteGraph], stored: Stored) -> Changes:
    """The changes that bring the store to ``notes``; none when it is there."""
    before = {relation.uuid: relation for relation in stored.relations}
    after = {relation.uuid: relation for note in notes for relation in note.relations}
    keeping = {note.entity.uuid for note in notes if note.keeps_inferred}
    entities: dict[str, Entity] = {
        note.entity.uuid: note.entity
        for note in notes
        if stored.notes.get(note.entity.uuid) != note.entity
    }
    written = {note.entity.uuid for note in notes}
    for other in _others(notes):
        if other.uuid not in stored.present and other.uuid not in written:
            entities.setdefault(other.uuid, other)
    episodes = {episode.uuid for note in notes for episode in note.episodes}
    return Changes(
        entities=tuple(entities.values()),
        relations=tuple(r for uuid, r in after.items() if before.get(uuid) != r),
        episodes=tuple(
            (episode, note.entity.uuid)
            for note in notes
            for episode in note.episodes
            if episode.uuid not in stored.episodes
        ),
        dropped_relations=tuple(
            relation
            for uuid, relation in before.items()
            if uuid not in after
            and not (relation.origin == "inferred" and relation.note in keeping)
        ),
        dropped_episodes=tuple(sorted(stored.episodes - episodes)),
        relabelled=tuple(
            entity.uuid
            for entity in entities.values()
            if (former := stored.notes.get(entity.uuid)) is not None
            and set(former.labels) - set(entity.labels)
        ),
    )


def _others(notes: Iterable[NoteGraph]) -> Iterable[Entity]:
    return (other for note in notes for other in note.others)
