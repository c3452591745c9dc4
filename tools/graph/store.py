"""The graph as the rest of the program sees it: the port, and the order of its answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as copy
from datetime import datetime
from typing import Protocol

from tools.base.domain import Direction, GraphRelation, Moment, Neighbourhood
from tools.graph.model import NoteGraph
from tools.graph.provenance import Provenance

SCHEMA_VERSION = 3

NOW = Moment()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """An indexed note near the asked ones.

    ``strength`` is the best product of edge strengths over the ``paths_count`` shortest paths;
    ``relations`` are the names on their last edges; ``via`` is the strongest path from the start.
    """

    path: str
    title: str
    hops: int
    paths_count: int
    strength: float
    relations: tuple[str, ...]
    via: tuple[GraphRelation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """A version of a note: since when it holds and since when it is known.

    ``first`` is the oldest; one without ``content_hash`` is the note's end.
    """

    path: str
    title: str
    timestamp: datetime
    known_at: datetime
    content_hash: str | None
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStatus:
    """Counts of indexed notes, open edges and versions."""

    notes: int
    edges: int
    episodes: int
    schema_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Notes of today by what they call themselves, and edges of now by relation.

    With the notes other entities, by kind, that these edges name; the most frequent relation first.
    """

    nodes: tuple[tuple[str, str | None, int], ...]
    edges: tuple[tuple[str, int], ...]


class GraphReader(Protocol):
    """What can be asked of a vault's graph, with whatever login; it writes nothing.

    Every method may raise ServiceUnavailableError or SourceError.

    What is asked about a ``Moment`` is answered as of it; without one, as of now.
    """

    async def neighbours(
        self, paths: Sequence[str], *, hops: int, limit: int, at: Moment = NOW
    ) -> list[Neighbour]:
        """Notes of today within ``hops`` (1..4, else InputError) of these, either way, best first.

        Tags and placeholders count as a hop and connect only while few notes share them.
        """
        ...

    async def chains(
        self,
        paths: Sequence[str],
        *,
        relations: frozenset[str],
        direction: Direction,
        limit: int,
        depth: int = 3,
        at: Moment = NOW,
    ) -> list[tuple[GraphRelation, ...]]:
        """Chains of ``relations`` that end at (causes) or start from (effects) these notes.

        Each runs from cause to effect, as far as ``depth`` (1..4, else InputError) allows, and ends
        where it comes back to itself: a circle. Strongest on average first, then the longest.
        """
        ...

    async def path_between(
        self, start: str, end: str, *, hops: int = 4, at: Moment = NOW
    ) -> tuple[GraphRelation, ...]:
        """The edges of a shortest path between two notes, either way; empty when there is none."""
        ...

    async def around(
        self,
        paths: Sequence[str],
        names: Sequence[str],
        *,
        hops: int,
        limit: int,
        at: Moment | None = None,
    ) -> Neighbourhood:
        """All that lies within ``hops`` (1..4) of notes and names over the edges of a moment.

        Without one, over every edge there ever was. At most ``limit`` nodes, the nearest first.
        """
        ...

    async def versions(self, paths: Sequence[str]) -> list[StoredVersion]:
        """Every version of these notes, by path and time."""
        ...

    async def facts(self, paths: Sequence[str], *, at: Moment = NOW) -> list[GraphRelation]:
        """What these notes say, in their order; as of a moment, what they said then."""
        ...

    async def facts_about(
        self, names: Sequence[str], *, at: Moment | None = NOW
    ) -> list[GraphRelation]:
        """What is said of and about things that are no notes: people, tags, values.

        As of a moment; None is at any time.
        """
        ...

    async def notes_mentioning(
        self, paths: Sequence[str], names: Sequence[str], *, limit: int
    ) -> list[str]:
        """Notes that say or ever said something of these notes or names, gone ones included.

        Where that changed last comes first.
        """
        ...

    async def facts_stated_in(self, paths: Sequence[str]) -> list[GraphRelation]:
        """All that these notes say and ever said."""
        ...

    async def superseded(self, paths: Sequence[str], *, at: Moment = NOW) -> dict[str, str]:
        """Of these notes the ones whose place another note of today had taken: old to new path."""
        ...

    async def provenance(self, paths: Sequence[str]) -> dict[str, Provenance]:
        """Of these notes those that state where they come from, by path."""
        ...

    async def present(self, uuids: Sequence[str]) -> frozenset[str]:
        """Which of these entities exist."""
        ...

    async def status(self, *, at: Moment = NOW) -> GraphStatus: ...

    async def census(self) -> Census:
        """Count the entities and the edges of now, by kind."""
        ...


class GraphStore(GraphReader, Protocol):
    """The graph of a vault, for the program itself. Raises as ``GraphReader`` does."""

    async def replace(self, notes: Sequence[NoteGraph]) -> tuple[str, ...]:
        """Make the graph say what these notes say and said. Twice is once.

        Nobody ever sees a note half written. Return the paths of the notes that the database
        refuses: nothing that they say or said is there.
        """
        ...

    async def remove(self, paths: Sequence[str]) -> None:
        """Forget notes with their versions and all that they say; others still name them."""
        ...

    async def digests(self) -> dict[str, str]:
        """The state (``Entity.digest``) of every note that was written, by path."""
        ...

    async def reset(self) -> None:
        """Forget everything."""
        ...


def order_facts(facts: Iterable[GraphRelation]) -> list[GraphRelation]:
    """By note and line, as they stand there."""

    def place(fact: GraphRelation) -> tuple[str, int, str, str, str, str]:
        # A corrected stretch begins like the one that it corrects.
        times = str(fact.valid_at), str(fact.created_at)
        return fact.note_path, fact.line, fact.relation, fact.target_title, *times

    return sorted(facts, key=place)


def order_versions(versions: Iterable[StoredVersion]) -> list[StoredVersion]:
    """By path, then as they became known; the oldest of each path is the ``first``."""
    ordered = sorted(
        versions, key=lambda v: (v.path, v.known_at, v.timestamp, v.content_hash or "")
    )
    seen: set[str] = set()
    marked: list[StoredVersion] = []
    for version in ordered:
        marked.append(copy(version, first=version.path not in seen))
        seen.add(version.path)
    return marked
