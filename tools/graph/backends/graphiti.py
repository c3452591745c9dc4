"""The graph on Graphiti, in whatever database. Questions run our Cypher alone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import wraps
from itertools import batched, pairwise
from types import CoroutineType
from typing import Any

from tools.base.domain import Direction, GraphRelation, Moment, Neighbourhood
from tools.base.errors import SourceError, StoreVersionError
from tools.graph.cypher import queries
from tools.graph.cypher.apply import remove_notes, replace_notes
from tools.graph.cypher.best_path import Link, link_of, walk_path
from tools.graph.cypher.edge_steps import Step, step_of, to_graph_relation
from tools.graph.cypher.port import NO_SENSE, GraphBackend, Row, understood
from tools.graph.cypher.queries import Timed
from tools.graph.cypher.rows import (
    centre_of,
    int_of,
    optional_text,
    provenance_of_row,
    strings_in,
    text_of,
    version_of,
)
from tools.graph.cypher.two_hop_prefetch import DirectedEdge, TwoHopPrefetch
from tools.graph.cypher.walk import (
    FRONTIER,
    SHARED_DEGREE,
    check_hops,
    walk_around,
    walk_chains,
    walk_neighbours,
)
from tools.graph.model import NoteGraph, name_ids, note_id
from tools.graph.provenance import Provenance
from tools.graph.relations import SUPERSEDED_BY, SUPERSEDES
from tools.graph.store import (
    NOW,
    SCHEMA_VERSION,
    Census,
    GraphStatus,
    Neighbour,
    StoredVersion,
    order_facts,
    order_versions,
)

_STEP_ROWS = 2000
_NOTES_PER_BATCH = 100
_ROWS_PER_BATCH = 3000
_LATEST = datetime(9999, 12, 31, tzinfo=UTC)
"""Stands for no limit on an axis: after everything that is dated."""


def _understood[**P, T](
    ask: Callable[P, Awaitable[T]],
) -> "Callable[P, CoroutineType[Any, Any, T]]":
    """Rows that cannot be read, or are not about what was asked, are the source's failure."""

    @wraps(ask)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with understood():
            return await ask(*args, **kwargs)

    return run


class GraphitiStore:
    """The graph of one vault in a database, for one event loop."""

    def __init__(self, backend: GraphBackend) -> None:
        self._graph = backend
        self._checked = False

    async def close(self) -> None:
        await self._graph.close()

    async def replace(self, notes: Sequence[NoteGraph]) -> tuple[str, ...]:
        await self._check_version()
        await self._graph.prepare()
        refused = await replace_notes(self._graph, list(_batches(notes)))
        return tuple(dict.fromkeys(note.entity.path or note.entity.name for note in refused))

    async def remove(self, paths: Sequence[str]) -> None:
        await self._check_version()
        await self._graph.prepare()
        for batch in batched(dict.fromkeys(paths), _NOTES_PER_BATCH):
            await remove_notes(self._graph, _ids(batch))

    @_understood
    async def digests(self) -> dict[str, str]:
        rows = await self._ask(queries.DIGESTS)
        return {text_of(path): text_of(digest) for path, digest in rows}

    @_understood
    async def neighbours(
        self, paths: Sequence[str], *, hops: int, limit: int, at: Moment = NOW
    ) -> list[Neighbour]:
        starts = _ids(paths)
        check_hops(hops)
        degree = {"degree": SHARED_DEGREE}
        ahead = None
        if hops > 1:
            ahead = await self._ahead(step_of, queries.TWO_STEPS, at, starts, **degree)

        async def expand(notes: Sequence[str], shared: Sequence[str]) -> list[Step]:
            known = ahead and ahead.around([*notes, *shared])
            if known is not None:
                return known
            rows = await self._ask_at(queries.STEPS, at, uuids=notes, most=_STEP_ROWS)
            if shared:
                rows += await self._ask_at(queries.SHARED_STEPS, at, uuids=shared, **degree)
            return [step_of(row) for row in rows]

        return await walk_neighbours(expand, paths, hops=hops, limit=limit)

    @_understood
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
        names = sorted(relations)
        check_hops(depth)
        question = queries.TWO_NAMED_STEPS
        ahead = await self._ahead(step_of, question, at, _ids(paths), names=names)

        async def expand(uuids: Sequence[str]) -> list[Step]:
            if (known := ahead.around(uuids)) is not None:
                return known
            rows = await self._ask_at(queries.NAMED_STEPS, at, uuids=uuids, names=names)
            return [step_of(row) for row in rows]

        return await walk_chains(expand, paths, direction=direction, limit=limit, depth=depth)

    @_understood
    async def path_between(
        self, start: str, end: str, *, hops: int = 4, at: Moment = NOW
    ) -> tuple[GraphRelation, ...]:
        both = _ids([start, end])
        check_hops(hops)
        ahead = await self._ahead(link_of, queries.TWO_ENDS, at, both)

        async def ends(uuids: Sequence[str]) -> list[Link]:
            if (known := ahead.around(uuids)) is not None:
                return known
            rows = await self._ask_at(queries.ENDS, at, uuids=uuids, most=_STEP_ROWS)
            return [link_of(row) for row in rows]

        nodes = await walk_path(ends, *both, hops=hops)
        if len(nodes) < 2:
            return ()
        rows = await self._ask_at(queries.BETWEEN, at, uuids=nodes)
        best: dict[frozenset[str], GraphRelation] = {}
        for step in map(step_of, rows):
            pair = frozenset({step.near, step.far})
            if pair not in best or best[pair].strength < step.strength:
                best[pair] = to_graph_relation(step)
        return tuple(best[frozenset(pair)] for pair in pairwise(nodes))

    @_understood
    async def around(
        self,
        paths: Sequence[str],
        names: Sequence[str],
        *,
        hops: int,
        limit: int,
        at: Moment | None = None,
    ) -> Neighbourhood:
        async def expand(uuids: Sequence[str]) -> list[Step]:
            rows = await self._ask_at(queries.STEPS, at, uuids=uuids, most=_STEP_ROWS)
            return [step_of(row) for row in rows]

        starts = [*_ids(paths), *name_ids(names)]
        rows = await self._ask(queries.CENTRES, uuids=starts)
        centres = sorted(map(centre_of, rows), key=lambda node: starts.index(node.uuid))
        name = ", ".join(names)
        return await walk_around(expand, centres, name=name, hops=hops, limit=limit)

    @_understood
    async def versions(self, paths: Sequence[str]) -> list[StoredVersion]:
        rows = await self._ask(queries.VERSIONS, uuids=_ids(paths))
        return order_versions(version_of(row) for row in rows)

    @_understood
    async def facts(self, paths: Sequence[str], *, at: Moment = NOW) -> list[GraphRelation]:
        rows = await self._ask_at(queries.FACTS, at, uuids=_ids(paths))
        return order_facts(to_graph_relation(step_of(row)) for row in rows)

    @_understood
    async def facts_about(
        self, names: Sequence[str], *, at: Moment | None = NOW
    ) -> list[GraphRelation]:
        ids = name_ids(names)
        rows = await self._ask_at(queries.FACTS, at, uuids=ids)
        rows += await self._ask_at(queries.FACTS_ABOUT, at, uuids=ids)
        return order_facts(to_graph_relation(step_of(row)) for row in rows)

    @_understood
    async def notes_mentioning(
        self, paths: Sequence[str], names: Sequence[str], *, limit: int
    ) -> list[str]:
        uuids = [*_ids(paths), *name_ids(names)]
        rows = await self._ask(queries.SPOKE_OF, uuids=uuids, most=limit)
        return [text_of(path) for path, _ in rows]

    @_understood
    async def facts_stated_in(self, paths: Sequence[str]) -> list[GraphRelation]:
        rows = await self._ask(queries.FACTS.ever, uuids=_ids(paths))
        return order_facts(to_graph_relation(step_of(row)) for row in rows)

    @_understood
    async def superseded(self, paths: Sequence[str], *, at: Moment = NOW) -> dict[str, str]:
        if at == NOW:
            rows = await self._ask(queries.SUPERSEDED_NOW, uuids=_ids(paths))
        else:
            names = {"supersedes": SUPERSEDES, "superseded_by": SUPERSEDED_BY}
            rows = await self._ask_at(queries.SUPERSEDED, at, uuids=_ids(paths), **names)
        return {text_of(old): text_of(new) for old, new in rows}

    @_understood
    async def provenance(self, paths: Sequence[str]) -> dict[str, Provenance]:
        await self._check_once()
        rows = await self._graph.query(queries.PROVENANCE, uuids=_ids(paths))
        found = {text_of(path): provenance_of_row(stated) for path, *stated in rows}
        return {path: stated for path, stated in found.items() if stated is not None}

    @_understood
    async def present(self, uuids: Sequence[str]) -> frozenset[str]:
        return frozenset(strings_in(await self._ask(queries.PRESENT, uuids=uuids)))

    @_understood
    async def status(self, *, at: Moment = NOW) -> GraphStatus:
        version = await self._check_version()
        ((notes,),) = await self._ask(queries.NOTE_COUNT)
        ((edges,),) = await self._ask_at(queries.EDGE_COUNT, at)
        ((episodes,),) = await self._ask(queries.EPISODE_COUNT)
        return GraphStatus(
            notes=int_of(notes),
            edges=int_of(edges),
            episodes=int_of(episodes),
            schema_version=version,
        )

    @_understood
    async def census(self) -> Census:
        nodes, edges = await asyncio.gather(
            self._ask(queries.NODES_BY_KIND), self._ask(queries.EDGES_BY_NAME)
        )
        return Census(
            nodes=tuple((text_of(kind), optional_text(said), int_of(n)) for kind, said, n in nodes),
            edges=tuple((text_of(name), int_of(n)) for name, n in edges),
        )

    async def reset(self) -> None:
        await self._graph.clear()
        self._checked = False
        await self._check_version()

    async def _ask(self, cypher: str, **parameters: object) -> list[Row]:
        await self._check_once()
        return await self._graph.flat(cypher, **parameters)

    async def _check_once(self) -> None:
        if not self._checked:
            await self._check_version()

    async def _ask_at(self, query: Timed, at: Moment | None, **parameters: object) -> list[Row]:
        if at is None:
            return await self._ask(query.ever, **parameters)
        if at == NOW:
            return await self._ask(query.now, **parameters)
        return await self._ask(
            query.then,
            **parameters,
            as_of=at.as_of or _LATEST,
            known_at=at.known_at or _LATEST,
        )

    async def _ahead[T: DirectedEdge](
        self,
        read: Callable[[Row], T],
        question: Timed,
        at: Moment,
        starts: Sequence[str],
        **parameters: object,
    ) -> TwoHopPrefetch[T]:
        """Ask about the first two levels of a walk at once."""
        limits = {"most": _STEP_ROWS, "frontier": FRONTIER}
        rows = await self._ask_at(question, at, uuids=starts, **limits, **parameters)
        return TwoHopPrefetch([(row[0], read(row)) for row in rows], starts, **limits)

    async def _check_version(self) -> int:
        version = await self._version()
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                "The graph was written by a newer version of this program: update the program, "
                "or run `brain index --rebuild`. Search still works."
            )
        if version < SCHEMA_VERSION:  # all of it is made from the notes and their history
            await self._graph.clear()
            version = await self._version()
        self._checked = True
        return version

    async def _version(self) -> int:
        # Asked first: not everybody who may read may make a store.
        rows = await self._graph.query(queries.VERSION)
        if not rows:
            rows = await self._graph.query(queries.NEW_STORE, version=SCHEMA_VERSION)
        if not (rows and rows[0] and isinstance(version := rows[0][0], int)):
            raise SourceError(NO_SENSE)
        return version  # of several, where several began at once


def _ids(paths: Iterable[str]) -> list[str]:
    return [note_id(path) for path in paths]


def _batches(notes: Sequence[NoteGraph]) -> Iterable[list[NoteGraph]]:
    """Parts of bounded size, each note once in a part; a long history has a part of its own."""
    batch: dict[str, NoteGraph] = {}
    rows = 0
    for note in notes:
        added = len(note.relations) + len(note.episodes)
        full = len(batch) == _NOTES_PER_BATCH or rows + added > _ROWS_PER_BATCH
        if batch and (full or note.entity.uuid in batch):
            yield list(batch.values())
            batch, rows = {}, 0
        batch[note.entity.uuid] = note
        rows += added
    if batch:
        yield list(batch.values())
