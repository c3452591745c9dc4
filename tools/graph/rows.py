"""Rows of the graph's answers as values; the order of the columns is that of ``queries``."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from tools.domain import FactOrigin, GraphNode
from tools.graph.backend import Row
from tools.graph.model import Entity, Kind, Relation
from tools.graph.store import StoredVersion


def entity_of(row: Row) -> Entity:
    return Entity(
        uuid=cast("str", row[0]),
        kind=cast("Kind", row[1]),
        name=cast("str", row[2]),
        labels=_labels(_strings(row[3])),
        created_at=_date(row[4]),
        path=cast("str | None", row[5]),
        building_block=cast("str | None", row[6]),
        note_type=cast("str | None", row[7]),
        content_hash=cast("str | None", row[8]),
        created=optional_date(row[9]),
        modified=optional_date(row[10]),
        superseded_by=cast("str | None", row[11]),
        digest=cast("str | None", row[12]),
    )


def relation_of(row: Row) -> Relation:
    return Relation(
        note=cast("str", row[0]),
        source=cast("str", row[1]),
        target=cast("str", row[2]),
        name=cast("str", row[3]),
        fact=cast("str", row[4]),
        note_path=cast("str", row[5]),
        line=cast("int", row[6]),
        strength=cast("float", row[7]),
        episode=_strings(row[8])[0],
        valid_at=_date(row[9]),
        created_at=_date(row[10]),
        invalid_at=optional_date(row[11]),
        expired_at=optional_date(row[12]),
        retracted_at=optional_date(row[13]),
        origin=cast("FactOrigin", row[14]),
        interval=cast("int", row[15]),
    )


def centre_of(row: Row) -> GraphNode:
    """An entity that a walk around it starts from."""
    return GraphNode(
        uuid=cast("str", row[0]),
        title=cast("str", row[1]),
        kind=cast("Kind", row[2]),
        hops=0,
        path=cast("str | None", row[3]),
        note_type=cast("str | None", row[4]),
    )


def version_of(row: Row) -> StoredVersion:
    """One version as it stands alone; which one is the first shows among all."""
    return StoredVersion(
        path=cast("str", row[0]),
        title=cast("str", row[1]),
        timestamp=_date(row[2]),
        known_at=_date(row[3]),
        content_hash=cast("str | None", row[4]),
        first=False,
    )


def optional_date(value: object) -> datetime | None:
    """A date as the database or a brief tells it: ISO text or zoned already, or none."""
    return _date(value) if value else None


def strings_in(rows: Iterable[Row]) -> set[str]:
    """The values of a single column of text."""
    return {cast("str", value) for (value,) in rows}


def _labels(labels: Iterable[str]) -> tuple[str, ...]:
    """In the order the model gives them; the database keeps none."""
    order = {"Entity": 0, "Note": 1, "Tag": 1, "Literal": 1, "Unresolved": 1}
    return tuple(sorted(labels, key=lambda label: (order.get(label, 2), label)))


def _date(value: object) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(cast("str", value))


def _strings(value: object) -> tuple[str, ...]:
    return tuple(cast("Sequence[str]", value or ()))
