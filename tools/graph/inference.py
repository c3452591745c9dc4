"""What a name stands for in the graph, and facts that a model read in notes. Pure."""

from collections.abc import Callable
from datetime import UTC, datetime

from tools.graph.episodes import InferredFact
from tools.graph.model import Entity, Relation, note_id, unresolved_id
from tools.text.normalize import fold_name

INFERRED_STRENGTH = 0.5
"""Less than any link that somebody wrote."""

type Resolve = Callable[[str], str | None]
"""Maps a link target as written to the path of a note of today, or of one that is gone, or None."""


def named(name: str, *, resolve: Resolve, known_at: datetime, label: str | None = None) -> Entity:
    """The note that a name leads to, else what stands for it; ``label`` is its kind."""
    path = resolve(name)
    if path is not None:
        return Entity(
            uuid=note_id(path),
            kind="note",
            name=path.rsplit("/", 1)[-1].removesuffix(".md"),
            labels=("Entity", "Note"),
            created_at=known_at,
            path=path,
        )
    return Entity(
        uuid=unresolved_id(fold_name(name)),
        kind="unresolved",
        name=name,
        labels=("Entity", "Unresolved", *([label] if label else [])),
        created_at=known_at,
        note_type=label,
    )


def infer(
    fact: InferredFact, note: str, *, resolve: Resolve, valid_at: datetime
) -> tuple[Relation, tuple[Entity, Entity]]:
    """The relation, read in the entity ``note``, with its two ends.

    One that has no date of its own holds from ``valid_at``, the note's.
    """
    known = fact.created_at.astimezone(UTC)
    source = named(fact.subject, resolve=resolve, known_at=known, label=fact.subject_type)
    target = named(fact.object, resolve=resolve, known_at=known, label=fact.object_type)
    relation = Relation(
        note=note,
        source=source.uuid,
        target=target.uuid,
        name=fact.relation,
        fact=fact.fact,
        note_path=fact.note_path,
        line=fact.line,
        strength=INFERRED_STRENGTH,
        episode=fact.episode,
        valid_at=(fact.valid_at or min(valid_at, fact.invalid_at or valid_at)).astimezone(UTC),
        created_at=known,
        invalid_at=fact.invalid_at.astimezone(UTC) if fact.invalid_at else None,
        expired_at=_expired(fact),
        origin="inferred",
    )
    return relation, (source, target)


def _expired(fact: InferredFact) -> datetime | None:
    """Since when its end is known: one that was told with its end, since it was told."""
    if fact.expired_at is not None:
        return fact.expired_at.astimezone(UTC)
    return fact.created_at.astimezone(UTC) if fact.invalid_at is not None else None
