"""The graph as the rest of the program sees it: the port, and the order of its answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as copy
from datetime import datetime
from typing import Literal, Protocol

from tools.domain import GraphRelation
from tools.graph.model import NoteGraph

SCHEMA_VERSION = 1

type Direction = Literal["causes", "effects", "both"]


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
class Version:
    """A version of a note: when it was written, when it was first seen; ``first`` is the oldest."""

    path: str
    title: str
    timestamp: datetime
    seen_at: datetime
    content_hash: str
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStatus:
    """Counts of indexed notes, open edges and versions."""

    notes: int
    edges: int
    episodes: int
    schema_version: int


class GraphStore(Protocol):
    """The graph of a vault. Every method may raise ServiceUnavailableError or SourceError."""

    async def replace(self, notes: Sequence[NoteGraph]) -> None:
        """Make the graph say what these notes say now. Twice is once; repeatable after a crash."""
        ...

    async def remove(self, paths: Sequence[str]) -> None:
        """Forget notes with their versions; links to them point at placeholders from now on."""
        ...

    async def paths(self) -> set[str]:
        """The notes that are completely indexed."""
        ...

    async def neighbours(self, paths: Sequence[str], *, hops: int, limit: int) -> list[Neighbour]:
        """Notes within ``hops`` (1..4, else InputError) of these, in either direction, best first.

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
    ) -> list[tuple[GraphRelation, ...]]:
        """Chains of ``relations`` that end at (causes) or start from (effects) these notes.

        Each runs from cause to effect, as far as ``depth`` (1..4, else InputError) allows, and
        visits nothing twice. Strongest on average first, then the longest.
        """
        ...

    async def versions(self, paths: Sequence[str]) -> list[Version]:
        """Every version seen of these notes, by path and time."""
        ...

    async def facts(self, paths: Sequence[str]) -> list[GraphRelation]:
        """What these notes say now, in their order."""
        ...

    async def superseded(self, paths: Sequence[str]) -> dict[str, str]:
        """Of these notes the ones that another note took the place of: old path to new path."""
        ...

    async def status(self) -> GraphStatus: ...

    async def reset(self) -> None:
        """Forget everything."""
        ...


def order_facts(facts: Iterable[GraphRelation]) -> list[GraphRelation]:
    """By note and line, as they stand there."""
    return sorted(facts, key=lambda r: (r.note_path, r.line, r.relation, r.target_title))


def order_versions(versions: Iterable[Version]) -> list[Version]:
    """By path, then time; the oldest of each path is the ``first``."""
    ordered = sorted(versions, key=lambda v: (v.path, v.timestamp, v.seen_at, v.content_hash))
    seen: set[str] = set()
    marked: list[Version] = []
    for version in ordered:
        marked.append(copy(version, first=version.path not in seen))
        seen.add(version.path)
    return marked
