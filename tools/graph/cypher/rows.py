"""Rows of the graph's answers as values; the order of the columns is that of ``queries``.

A row of another shape raises LookupError, TypeError or ValueError.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import cast, get_args

from tools.base.domain import FactOrigin, GraphNode
from tools.graph.cypher.port import Row
from tools.graph.model import Entity, Kind, Relation
from tools.graph.provenance import Provenance
from tools.graph.store import StoredVersion

_KINDS = frozenset(get_args(Kind))
_ORIGINS = frozenset(get_args(FactOrigin))


def entity_of(row: Row) -> Entity:
    return Entity(
        uuid=text_of(row[0]),
        kind=_kind(row[1]),
        name=text_of(row[2]),
        labels=_labels(_strings(row[3])),
        created_at=_date(row[4]),
        path=optional_text(row[5]),
        building_block=optional_text(row[6]),
        note_type=optional_text(row[7]),
        content_hash=optional_text(row[8]),
        created=optional_date(row[9]),
        modified=optional_date(row[10]),
        superseded_by=optional_text(row[11]),
        digest=optional_text(row[12]),
        provenance=provenance_of_row(row[13:16]),
    )


def provenance_of_row(row: Row) -> Provenance | None:
    """Who, from what and how surely, in this order; None where nothing is stated."""
    found = Provenance(
        created_by=optional_text(row[0]),
        source_type=optional_text(row[1]),
        confidence=None if row[2] is None else strength_of(row[2]),
    )
    return None if found == Provenance() else found


def relation_of(row: Row) -> Relation:
    return Relation(
        note=text_of(row[0]),
        source=text_of(row[1]),
        target=text_of(row[2]),
        name=text_of(row[3]),
        fact=text_of(row[4]),
        note_path=text_of(row[5]),
        line=int_of(row[6]),
        strength=strength_of(row[7]),
        episode=_strings(row[8])[0],
        valid_at=_date(row[9]),
        created_at=_date(row[10]),
        invalid_at=optional_date(row[11]),
        expired_at=optional_date(row[12]),
        retracted_at=optional_date(row[13]),
        origin=_origin(row[14]),
        interval=int_of(row[15]),
    )


def centre_of(row: Row) -> GraphNode:
    """An entity that a walk around it starts from."""
    return GraphNode(
        uuid=text_of(row[0]),
        title=text_of(row[1]),
        kind=_kind(row[2]),
        hops=0,
        path=optional_text(row[3]),
        note_type=optional_text(row[4]),
    )


def version_of(row: Row) -> StoredVersion:
    """One version as it stands alone; which one is the first shows among all."""
    return StoredVersion(
        path=text_of(row[0]),
        title=text_of(row[1]),
        timestamp=_date(row[2]),
        known_at=_date(row[3]),
        content_hash=optional_text(row[4]),
        first=False,
    )


def text_of(value: object) -> str:
    """The value of a column of texts."""
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def int_of(value: object) -> int:
    """The value of a column of whole numbers."""
    if type(value) is not int:
        raise TypeError("no whole number")
    return value


def strength_of(value: object) -> float:
    """The value of a column of strengths."""
    if not (isinstance(value, int | float) and 0 <= value <= 1):
        raise ValueError("no strength")
    return value


def optional_date(value: object) -> datetime | None:
    """A date as the database or a record tells it: ISO text or zoned already, or none."""
    return _date(value) if value else None


def strings_in(rows: Iterable[Row]) -> set[str]:
    """The values of a single column of text."""
    return {text_of(value) for (value,) in rows}


def optional_text(value: object) -> str | None:
    return None if value is None else text_of(value)


def _kind(value: object) -> Kind:
    if value not in _KINDS:
        raise ValueError("no kind")
    return cast("Kind", value)


def _origin(value: object) -> FactOrigin:
    if value not in _ORIGINS:
        raise ValueError("no origin")
    return cast("FactOrigin", value)


def _labels(labels: Iterable[str]) -> tuple[str, ...]:
    """In the order the model gives them; the database keeps none."""
    order = {"Entity": 0, "Note": 1, "Tag": 1, "Literal": 1, "Unresolved": 1}
    return tuple(sorted(labels, key=lambda label: (order.get(label, 2), label)))


def _date(value: object) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(text_of(value))


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value or [], list):
        raise TypeError("no list")
    return tuple(map(text_of, cast("list[object]", value or [])))
