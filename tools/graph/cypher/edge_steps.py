"""The edges that a walk goes over, read from the records of a row."""

from typing import NamedTuple, cast

from tools.base.domain import FactOrigin, GraphRelation
from tools.graph.cypher.port import Row
from tools.graph.cypher.records import record_fields
from tools.graph.cypher.rows import optional_date, strength_of
from tools.graph.model import Kind


class Step(NamedTuple):
    """One edge seen from ``near``.

    ``forward`` is 1 where the edge leads away from ``near``; a path belongs to a note of today.
    """

    near: str
    far: str
    forward: int
    near_name: str
    near_path: str | None
    name: str
    path: str | None
    kind: Kind
    note_type: str | None
    relation: str
    note_path: str
    line: int
    strength: float
    origin: FactOrigin
    valid_at: object
    invalid_at: object
    created_at: object
    expired_at: object
    retracted_at: object


_step = Step._make


def step_of(row: Row) -> Step:
    """The edge whose row ends with its direction and three records: near end, edge, far end.

    A row of another shape raises LookupError, TypeError or ValueError.
    """
    # Not by the names of the columns: a walk reads many rows and shows few.
    forward, *records = row[-4:]
    here, said, there = cast("list[str]", records)
    near, _, near_name, near_path, _ = record_fields(here)
    far, kind, name, path, note_type = record_fields(there)
    relation, note_path, line, strength, *rest = record_fields(said)
    ends = near_name, near_path or None, name, path or None, kind, note_type or None
    place = relation, note_path, int(line), strength_of(float(strength))
    return _step((near, far, forward, *ends, *place, *rest))


def to_graph_relation(step: Step) -> GraphRelation:
    """The edge as an answer shows it."""
    here, there = (step.near_name, step.near_path), (step.name, step.path)
    source, target = (here, there) if step.forward else (there, here)
    return GraphRelation(
        source_title=source[0],
        relation=step.relation,
        target_title=target[0],
        source_path=source[1],
        target_path=target[1],
        note_path=step.note_path,
        line=step.line,
        strength=step.strength,
        valid_at=optional_date(step.valid_at),
        invalid_at=optional_date(step.invalid_at),
        created_at=optional_date(step.created_at),
        expired_at=optional_date(step.expired_at),
        retracted_at=optional_date(step.retracted_at),
        origin=step.origin,
    )


class RelationCache:
    """``to_graph_relation`` once for each step, however many ways lead over it.

    It knows a step by which object it is, since to compare two takes longer than to tell one; the
    steps must outlive it.
    """

    def __init__(self) -> None:
        self._told: dict[int, GraphRelation] = {}

    def __call__(self, step: Step) -> GraphRelation:
        relation = self._told.get(id(step))
        if relation is None:
            relation = self._told[id(step)] = to_graph_relation(step)
        return relation
