"""What the graph tells: relations with their times, events of notes, what lies around a thing."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tools.base.domain.sources import SourceWarning

FactOrigin = Literal["written", "inferred"]
EventKind = Literal["created", "modified", "linked", "unlinked", "superseded", "renamed", "deleted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRelation:
    """One edge as an answer shows it: who says so (note, line), when it held, when that was known.

    Known from ``created_at``; from ``expired_at`` on it is known to have ended at ``invalid_at``;
    from ``retracted_at`` on it is not believed at all.
    """

    source_title: str
    relation: str
    target_title: str
    source_path: str | None
    target_path: str | None
    note_path: str
    line: int
    strength: float
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    created_at: datetime | None = None
    expired_at: datetime | None = None
    retracted_at: datetime | None = None
    origin: FactOrigin = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A dated thing that happened to a note, for timelines.

    ``known_at`` is when it was committed or seen; ``line`` where it stands in the note of today;
    ``added`` and ``removed`` are the sentences in which two versions differ; ``successor`` is the
    path of the note that took its place, ``detail`` its title.
    """

    timestamp: datetime
    kind: EventKind
    detail: str
    known_at: datetime | None = None
    line: int | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    successor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """An event and the note it happened to."""

    event: Event
    note_path: str
    note_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """What happened to the notes about a concept, oldest first, and what is lacking."""

    concept: str
    occurrences: tuple[Occurrence, ...]
    warnings: tuple["SourceWarning", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """An entity as a picture shows it; ``hops`` from the one in the middle.

    ``kind`` is note, tag, value or unresolved; ``path`` is set when it is a note of today.
    """

    uuid: str
    title: str
    kind: str
    hops: int
    path: str | None = None
    note_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEdge:
    """An edge between two nodes of a picture, in one of the times in which it held."""

    source: str
    target: str
    relation: GraphRelation


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """What lies around some entities, with every edge that held at some time; what is lacking."""

    name: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[DatedEdge, ...]
    warnings: tuple["SourceWarning", ...] = ()
