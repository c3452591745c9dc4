"""The graph on Graphiti and FalkorDB. Questions run Cypher over the connection alone."""

from collections.abc import Iterable, Sequence
from itertools import batched
from pathlib import Path
from typing import cast

from tools.domain import GraphRelation
from tools.errors import StoreVersionError
from tools.graph import queries
from tools.graph.apply import remove_notes, replace_notes
from tools.graph.connection import Connection, Ensure, Row
from tools.graph.graphiti_writer import GRAPH, prepare
from tools.graph.model import NoteGraph, note_id
from tools.graph.rows import step_of, strings_in, version_of
from tools.graph.store import (
    SCHEMA_VERSION,
    Direction,
    GraphStatus,
    Neighbour,
    Version,
    order_facts,
    order_versions,
)
from tools.graph.walk import SHARED_DEGREE, Step, walk_chains, walk_neighbours

_STEP_ROWS = 2000
_NOTES_PER_BATCH = 200


class GraphitiStore:
    """The graph behind a FalkorDB socket, for one event loop."""

    def __init__(self, socket: Path, *, ensure: Ensure | None = None) -> None:
        """``ensure`` finds or starts the server when nobody answers at ``socket``."""
        self._graph = Connection(socket, graph=GRAPH, ensure=ensure)
        self._checked = False

    async def close(self) -> None:
        await self._graph.close()

    async def replace(self, notes: Sequence[NoteGraph]) -> None:
        await self._check_version()
        await prepare(self._graph)
        for batch in _batches(notes):
            await replace_notes(self._graph, batch)

    async def remove(self, paths: Sequence[str]) -> None:
        await self._check_version()
        await prepare(self._graph)
        for batch in batched(dict.fromkeys(paths), _NOTES_PER_BATCH):
            await remove_notes(self._graph, _ids(batch))

    async def paths(self) -> set[str]:
        return strings_in(await self._ask(queries.PATHS))

    async def neighbours(self, paths: Sequence[str], *, hops: int, limit: int) -> list[Neighbour]:
        async def expand(notes: Sequence[str], shared: Sequence[str]) -> list[Step]:
            rows: list[Row] = []
            if notes:
                rows += await self._ask(queries.STEPS, uuids=notes, most=_STEP_ROWS)
            if shared:
                rows += await self._ask(queries.SHARED_STEPS, uuids=shared, degree=SHARED_DEGREE)
            return [step_of(row) for row in rows]

        return await walk_neighbours(expand, paths, hops=hops, limit=limit)

    async def chains(
        self,
        paths: Sequence[str],
        *,
        relations: frozenset[str],
        direction: Direction,
        limit: int,
        depth: int = 3,
    ) -> list[tuple[GraphRelation, ...]]:
        async def expand(uuids: Sequence[str]) -> list[Step]:
            names = sorted(relations)
            rows = await self._ask(queries.NAMED_STEPS, uuids=uuids, names=names)
            return [step_of(row) for row in rows]

        return await walk_chains(expand, paths, direction=direction, limit=limit, depth=depth)

    async def versions(self, paths: Sequence[str]) -> list[Version]:
        rows = await self._ask(queries.VERSIONS, uuids=_ids(paths))
        return order_versions(version_of(row) for row in rows)

    async def facts(self, paths: Sequence[str]) -> list[GraphRelation]:
        rows = await self._ask(queries.FACTS, uuids=_ids(paths))
        return order_facts(step_of(row).relation for row in rows)

    async def superseded(self, paths: Sequence[str]) -> dict[str, str]:
        rows = await self._ask(queries.SUPERSEDED, uuids=_ids(paths))
        return {cast("str", old): cast("str", new) for old, new in rows}

    async def status(self) -> GraphStatus:
        counts = [cast("int", (await self._ask(query))[0][0]) for query in queries.STATUS]
        return GraphStatus(
            notes=counts[0],
            edges=counts[1],
            episodes=counts[2],
            schema_version=await self._check_version(),
        )

    async def reset(self) -> None:
        await self._graph.query(queries.VERSION, version=SCHEMA_VERSION)  # there must be a graph
        await self._graph.delete_graph()
        self._checked = False
        await self._check_version()

    async def _ask(self, cypher: str, **parameters: object) -> list[Row]:
        if not self._checked:
            await self._check_version()
        return await self._graph.query(cypher, **parameters)

    async def _check_version(self) -> int:
        rows = await self._graph.query(queries.VERSION, version=SCHEMA_VERSION)
        version = cast("int", rows[0][0])
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                "The graph was written by a newer version of this program: update the program, "
                "or run `brain index --rebuild`. Search still works."
            )
        self._checked = True
        return version


def _ids(paths: Iterable[str]) -> list[str]:
    return [note_id(path) for path in paths]


def _batches(notes: Sequence[NoteGraph]) -> Iterable[list[NoteGraph]]:
    """Parts of bounded size; two versions of one note are two changes, so in two parts."""
    batch: dict[str, NoteGraph] = {}
    for note in notes:
        if note.entity.uuid in batch or len(batch) == _NOTES_PER_BATCH:
            yield list(batch.values())
            batch = {}
        batch[note.entity.uuid] = note
    if batch:
        yield list(batch.values())
