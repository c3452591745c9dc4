"""What walks tell of an entity and of an edge, kept as one text in the property ``brief``.

A walk reads twenty values for each of a hundred edges, and a database reads one long text much
sooner. Such a record is made of the same value as the properties and is written with them; where a
statement changes what stands in one, it changes the record too.
"""

from datetime import UTC, datetime
from functools import lru_cache

from tools.graph.model import Entity, Relation

_NEXT, _ESCAPE = "\x1f", "\x1e"
"""Between the parts; before what stands for one of the two in a part."""


def entity_record(entity: Entity) -> str:
    """Its uuid, kind, name, path if it is a note of today, and type."""
    return _of_entity(entity, path=None if entity.content_hash is None else entity.path)


def former_entity_record(entity: Entity) -> str | None:
    """The record of a note of today for when it is none any more."""
    return None if entity.content_hash is None else _of_entity(entity, path=None)


def relation_record(relation: Relation) -> str:
    """Its name, note, line, strength, origin, and its five dates."""
    return _joined(
        relation.name,
        relation.note_path,
        str(relation.line),
        str(relation.strength),
        relation.origin,
        *_moments(
            relation.valid_at,
            relation.invalid_at,
            relation.created_at,
            relation.expired_at,
            relation.retracted_at,
        ),
    )


def record_fields(record: str) -> list[str]:
    """The parts of a record in their order; what there is none of is empty.

    Raises TypeError for no text.
    """
    found = str.split(record, _NEXT)
    return [_read(part) for part in found] if _ESCAPE in record else found


def _of_entity(entity: Entity, *, path: str | None) -> str:
    return _joined(entity.uuid, entity.kind, entity.name, path or "", entity.note_type or "")


def _joined(*given: str) -> str:
    record = _NEXT.join(given)
    if _ESCAPE in record or record.count(_NEXT) >= len(given):
        return _NEXT.join(map(_written, given))
    return record


def _written(part: str) -> str:
    return part.replace(_ESCAPE, f"{_ESCAPE}0").replace(_NEXT, f"{_ESCAPE}1")


def _read(part: str) -> str:
    return part.replace(f"{_ESCAPE}1", _NEXT).replace(f"{_ESCAPE}0", _ESCAPE)


@lru_cache(maxsize=1024)
def _moments(*given: datetime | None) -> tuple[str, ...]:
    # Cached: all that a version says has the version's dates.
    return tuple("" if at is None else at.astimezone(UTC).isoformat() for at in given)
