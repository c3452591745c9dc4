"""The graph as the rest of the program sees it, and its implementation on Graphiti and FalkorDB.

Questions run Cypher over the connection alone; only writing loads Graphiti. The walks over the
graph are shared by every implementation: they ask for one step at a time, so no question can
enumerate the paths of a dense graph, and cycles end by themselves.
"""

import asyncio
import importlib
import warnings
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as copy
from datetime import UTC, datetime
from itertools import batched
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, cast

from tools.domain import GraphRelation
from tools.errors import InputError, StoreVersionError
from tools.graph import queries
from tools.graph.falkor import Connection, Ensure, Row
from tools.graph.model import (
    REVERSED,
    Changes,
    Entity,
    Kind,
    Known,
    NoteGraph,
    Relation,
    note_id,
    plan_remove,
    plan_replace,
    unresolved_id,
)
from tools.settings import silence_telemetry

if TYPE_CHECKING:
    from graphiti_core.driver.falkordb_driver import FalkorDriver
    from graphiti_core.edges import EntityEdge
    from graphiti_core.nodes import EntityNode

GRAPH = "vault"
"""Graphiti routes each group id to the graph of the same name; there is one."""

SCHEMA_VERSION = 1
MAX_HOPS = 4
SHARED_DEGREE = 50
"""A tag or placeholder that more notes share says too little to connect them."""

_FRONTIER = 200
"""Entities that a walk goes on from after each step, strongest first."""

_STEP_ROWS = 2000
_NOTES_PER_BATCH = 200

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


# --- walks ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One open edge seen from ``near``; ``path`` is set when ``far`` is an indexed note."""

    near: str
    far: str
    kind: Kind
    name: str
    path: str | None
    forward: bool
    relation: GraphRelation


@dataclass(frozen=True, slots=True)
class _Reach:
    paths_count: int
    strength: float
    via: tuple[GraphRelation, ...]
    relations: frozenset[str]
    step: Step | None = None


type Expand = Callable[[Sequence[str], Sequence[str]], Awaitable[Iterable[Step]]]
"""Steps from notes and from shared entities (tags and placeholders)."""

type ExpandNamed = Callable[[Sequence[str]], Awaitable[Iterable[Step]]]


async def walk_neighbours(
    expand: Expand, paths: Sequence[str], *, hops: int, limit: int
) -> list[Neighbour]:
    """Breadth first from all ``paths`` at once; the strongest of each level go on."""
    check_hops(hops)
    start = _Reach(1, 1.0, (), frozenset())
    level = {note_id(path): start for path in paths}
    visited = set(level)
    found: list[Neighbour] = []
    for hop in range(1, hops + 1):
        going_on = sorted(level, key=lambda uuid: (-level[uuid].strength, uuid))[:_FRONTIER]
        shared = [uuid for uuid in going_on if _is_shared(level[uuid])]
        notes = [uuid for uuid in going_on if not _is_shared(level[uuid])]
        reached: dict[str, _Reach] = {}
        for step in sorted(await expand(notes, shared), key=_step_order):
            if step.far not in visited:
                reached[step.far] = _reach(level[step.near], step, reached.get(step.far))
        visited |= reached.keys()
        found += [_neighbour(reach, hop) for reach in reached.values() if _is_indexed(reach)]
        level = reached
        if not level:
            break
    found.sort(key=lambda near: (-near.strength, near.hops, -near.paths_count, near.path))
    return found[: max(limit, 0)]


async def walk_chains(
    expand: ExpandNamed,
    paths: Sequence[str],
    *,
    direction: Direction,
    limit: int,
    depth: int,
) -> list[tuple[GraphRelation, ...]]:
    """Simple paths along the direction of causation, longest extension of each."""
    check_hops(depth)
    wanted = (True, False) if direction == "both" else (direction == "effects",)
    chains: set[tuple[GraphRelation, ...]] = set()
    for downstream in wanted:
        ends: list[tuple[tuple[str, ...], tuple[GraphRelation, ...]]] = [
            ((note_id(path),), ()) for path in dict.fromkeys(paths)
        ]
        for _ in range(depth):
            steps: dict[str, list[Step]] = {}
            for step in sorted(
                await expand(list(dict.fromkeys(nodes[-1] for nodes, _ in ends))), key=_step_order
            ):
                if (step.forward != (step.relation.relation in REVERSED)) == downstream:
                    steps.setdefault(step.near, []).append(step)
            longer: list[tuple[tuple[str, ...], tuple[GraphRelation, ...]]] = []
            for nodes, chain in ends:
                extensions = [s for s in steps.get(nodes[-1], ()) if s.far not in nodes]
                longer += [((*nodes, s.far), (*chain, s.relation)) for s in extensions]
                if chain and not extensions:
                    chains.add(chain if downstream else chain[::-1])
            ends = sorted(longer, key=lambda end: _chain_order(end[1]))[:_FRONTIER]
            if not ends:
                break
        chains |= {chain if downstream else chain[::-1] for _, chain in ends if chain}
    return sorted(chains, key=_chain_order)[: max(limit, 0)]


def check_hops(hops: int) -> None:
    """Raise InputError unless ``hops`` is an integer in 1..4."""
    if type(hops) is not int or not 1 <= hops <= MAX_HOPS:
        raise InputError(f"A walk through the graph takes 1 to {MAX_HOPS} hops, not {hops}.")


def _is_shared(reach: _Reach) -> bool:
    return reach.step is not None and reach.step.kind != "note"


def _is_indexed(reach: _Reach) -> bool:
    return reach.step is not None and reach.step.path is not None


def _reach(origin: _Reach, step: Step, known: _Reach | None) -> _Reach:
    strength = origin.strength * step.relation.strength
    via = (*origin.via, step.relation)
    if known is None:
        names = frozenset({step.relation.relation})
        return _Reach(origin.paths_count, strength, via, names, step)
    better = strength > known.strength
    return _Reach(
        known.paths_count + origin.paths_count,
        max(strength, known.strength),
        via if better else known.via,
        known.relations | {step.relation.relation},
        step,
    )


def _neighbour(reach: _Reach, hops: int) -> Neighbour:
    step = cast("Step", reach.step)
    return Neighbour(
        path=cast("str", step.path),
        title=step.name,
        hops=hops,
        paths_count=reach.paths_count,
        strength=reach.strength,
        relations=tuple(sorted(reach.relations)),
        via=reach.via,
    )


def _step_order(step: Step) -> tuple[str, int, str, str, str]:
    relation = step.relation
    return relation.note_path, relation.line, relation.relation, step.far, step.near


def _chain_order(chain: Sequence[GraphRelation]) -> tuple[float, int, list[tuple[str, int, str]]]:
    mean = sum(relation.strength for relation in chain) / len(chain)
    places = [(r.note_path, r.line, r.target_title) for r in chain]
    return -mean, -len(chain), places


# --- Graphiti on FalkorDB ------------------------------------------------------------------


class GraphitiStore:
    """The graph behind a FalkorDB socket, for one event loop."""

    def __init__(self, socket: Path, *, ensure: Ensure | None = None) -> None:
        """``ensure`` finds or starts the server when nobody answers at ``socket``."""
        self._graph = Connection(socket, graph=GRAPH, ensure=ensure)
        self._checked = False

    async def close(self) -> None:
        await self._graph.close()

    async def replace(self, notes: Sequence[NoteGraph]) -> None:
        # Two versions of one note in a row are two changes.
        await self._prepare()
        for batch in _batches(notes):
            known = await self._known(batch)
            await self._apply(plan_replace(batch, known), batch)

    async def remove(self, paths: Sequence[str]) -> None:
        await self._prepare()
        for batch in batched(dict.fromkeys(paths), _NOTES_PER_BATCH):
            await self._remove([note_id(path) for path in batch])

    async def paths(self) -> set[str]:
        return {cast("str", path) for (path,) in await self._ask(queries.PATHS)}

    async def neighbours(self, paths: Sequence[str], *, hops: int, limit: int) -> list[Neighbour]:
        async def expand(notes: Sequence[str], shared: Sequence[str]) -> list[Step]:
            rows: list[Row] = []
            if notes:
                rows += await self._ask(queries.STEPS, uuids=notes, most=_STEP_ROWS)
            if shared:
                rows += await self._ask(queries.SHARED_STEPS, uuids=shared, degree=SHARED_DEGREE)
            return [_step(row) for row in rows]

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
            return [_step(row) for row in rows]

        return await walk_chains(expand, paths, direction=direction, limit=limit, depth=depth)

    async def versions(self, paths: Sequence[str]) -> list[Version]:
        rows = await self._ask(queries.VERSIONS, uuids=_ids(paths))
        return order_versions(
            Version(
                path=cast("str", path),
                title=cast("str", title),
                timestamp=_date(valid_at),
                seen_at=_date(created_at),
                content_hash=cast("str", content_hash),
                first=False,
            )
            for path, title, valid_at, created_at, content_hash in rows
        )

    async def facts(self, paths: Sequence[str]) -> list[GraphRelation]:
        rows = await self._ask(queries.FACTS, uuids=_ids(paths))
        return order_facts(_step(row).relation for row in rows)

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

    # --- inside ----------------------------------------------------------------------------

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

    async def _prepare(self) -> None:
        await self._check_version()
        await self._graph.attempt(lambda: _driver(self._graph))

    async def _known(self, notes: Sequence[NoteGraph]) -> Known:
        uuids = [note.entity.uuid for note in notes]
        answered = [unresolved_id(name) for note in notes for name in note.entity.names]
        others = {other.uuid for note in notes for other in note.others}
        present = await self._ask(queries.PRESENT, uuids=[*uuids, *answered, *others])
        present_ids = frozenset(cast("str", uuid) for (uuid,) in present)
        relations = await self._relations(queries.SAID, uuids=uuids)
        if waiting := [uuid for uuid in answered if uuid in present_ids]:
            arriving = await self._relations(queries.SAID_ABOUT, uuids=waiting)
            sources = sorted({relation.source for relation in arriving})
            relations += arriving
            relations += await self._relations(queries.SAID_BETWEEN, sources=sources, targets=uuids)
        versions = await self._ask(queries.WHOLE_EPISODES, uuids=uuids)
        return Known(
            notes=await self._entities(uuids),
            present=present_ids,
            episodes=frozenset(cast("str", uuid) for (uuid,) in versions),
            relations=relations,
        )

    async def _entities(self, uuids: Sequence[str]) -> dict[str, Entity]:
        found = [_entity(row) for row in await self._ask(queries.NOTES, uuids=uuids)]
        return {entity.uuid: entity for entity in found}

    async def _relations(self, cypher: str, **parameters: object) -> list[Relation]:
        return [_relation(row) for row in await self._ask(cypher, **parameters)]

    async def _apply(self, changes: Changes, notes: Sequence[NoteGraph]) -> None:
        if changes == Changes():
            return
        touched = [note.entity.uuid for note in notes]
        outdated = await self._superseded_ids(touched)
        for uuid in changes.relabelled:
            await self._graph.query(queries.RELABEL, uuid=uuid)
        await self._graph.attempt(lambda: _write(self._graph, changes))
        if changes.episodes:
            versions = [
                {"uuid": episode.uuid, "content_hash": episode.content_hash}
                for episode, _ in changes.episodes
            ]
            await self._graph.query(queries.SEAL_EPISODES, episodes=versions)
        if changes.dropped:
            gone = [{"source": r.source, "uuid": r.uuid} for r in changes.dropped]
            await self._graph.query(queries.DROP, relations=gone)
            loose = sorted({relation.target for relation in changes.dropped})
            await self._graph.query(queries.DELETE_LOOSE, uuids=loose)
        if changes.sealed:
            sealed = [
                {
                    "uuid": entity.uuid,
                    "content_hash": entity.content_hash,
                    "created": _iso(entity.created),
                    "modified": _iso(entity.modified),
                }
                for entity in changes.sealed
            ]
            await self._graph.query(queries.SEAL_NOTES, notes=sealed)
        await self._note_superseded({*outdated, *await self._superseded_ids(touched), *touched})

    async def _remove(self, uuids: list[str]) -> None:
        about = await self._relations(queries.SAID_ABOUT, uuids=uuids)
        stand_ins = sorted({unresolved_id(word) for r in about for word in r.words})
        present = await self._ask(queries.PRESENT, uuids=stand_ins)
        known = Known(
            notes=await self._entities(uuids),
            present=frozenset(cast("str", uuid) for (uuid,) in present),
            episodes=frozenset(),
            relations=about,
        )
        changes = plan_remove(frozenset(uuids), known, seen_at=datetime.now(UTC))
        said = await self._relations(queries.SAID, uuids=uuids)
        outdated = await self._superseded_ids(uuids)
        await self._graph.attempt(lambda: _write(self._graph, changes))
        await self._graph.query(queries.DELETE_EPISODES, uuids=uuids)
        await self._graph.query(queries.DELETE_NOTES, uuids=uuids)
        await self._graph.query(
            queries.DELETE_LOOSE, uuids=sorted({relation.target for relation in said})
        )
        await self._note_superseded(outdated)

    async def _superseded_ids(self, uuids: Sequence[str]) -> set[str]:
        rows = await self._ask(queries.SUPERSEDED_BY_WORD, uuids=uuids)
        return {cast("str", uuid) for (uuid,) in rows}

    async def _note_superseded(self, uuids: Iterable[str]) -> None:
        """Record for each of these notes the latest note that supersedes it, or that none does."""
        newest: dict[str, dict[str, object]] = {
            uuid: {"uuid": uuid, "path": None, "created": None} for uuid in uuids
        }
        for old, path, created in sorted(
            await self._ask(queries.SUPERSEDING, uuids=list(newest)),
            key=lambda row: (str(row[2]), str(row[1])),
        ):
            newest[cast("str", old)] |= {"path": path, "created": created}
        await self._graph.query(queries.SET_SUPERSEDED, rows=list(newest.values()))


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


def _batches(notes: Sequence[NoteGraph]) -> Iterable[list[NoteGraph]]:
    """Parts of bounded size in which no note occurs twice."""
    batch: dict[str, NoteGraph] = {}
    for note in notes:
        if note.entity.uuid in batch or len(batch) == _NOTES_PER_BATCH:
            yield list(batch.values())
            batch = {}
        batch[note.entity.uuid] = note
    if batch:
        yield list(batch.values())


# --- rows ----------------------------------------------------------------------------------


def _ids(paths: Iterable[str]) -> list[str]:
    return [note_id(path) for path in paths]


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _date(value: object) -> datetime:
    return datetime.fromisoformat(cast("str", value))


def _optional_date(value: object) -> datetime | None:
    return None if value is None else _date(value)


def _strings(value: object) -> tuple[str, ...]:
    return tuple(cast("Sequence[str]", value or ()))


def _entity(row: Row) -> Entity:
    return Entity(
        uuid=cast("str", row[0]),
        kind=cast("Kind", row[1]),
        name=cast("str", row[2]),
        labels=_labels(_strings(row[3])),
        created_at=_date(row[4]),
        names=_strings(row[5]),
        path=cast("str | None", row[6]),
        building_block=cast("str | None", row[7]),
        note_type=cast("str | None", row[8]),
        content_hash=cast("str | None", row[9]),
        created=_optional_date(row[10]),
        modified=_optional_date(row[11]),
    )


def _labels(labels: Iterable[str]) -> tuple[str, ...]:
    """In the order the model gives them; the database keeps none."""
    order = {"Entity": 0, "Note": 1, "Tag": 1, "Unresolved": 1}
    return tuple(sorted(labels, key=lambda label: (order.get(label, 2), label)))


def _relation(row: Row) -> Relation:
    return Relation(
        source=cast("str", row[0]),
        target=cast("str", row[1]),
        name=cast("str", row[2]),
        fact=cast("str", row[3]),
        note_path=cast("str", row[4]),
        line=cast("int", row[5]),
        strength=cast("float", row[6]),
        words=_strings(row[7]),
        episode=_strings(row[8])[0],
        valid_at=_date(row[9]),
        created_at=_date(row[10]),
        invalid_at=_optional_date(row[11]),
        expired_at=_optional_date(row[12]),
        interval=cast("int", row[13]),
    )


def _step(row: Row) -> Step:
    forward = cast("bool", row[0])
    near = (cast("str", row[7]), cast("str", row[8]) if row[9] else None)
    far = (cast("str", row[4]), cast("str", row[5]) if row[6] else None)
    source, target = (near, far) if forward else (far, near)
    return Step(
        near=cast("str", row[1]),
        far=cast("str", row[2]),
        kind=cast("Kind", row[3]),
        name=far[0],
        path=far[1],
        forward=forward,
        relation=GraphRelation(
            source_title=source[0],
            relation=cast("str", row[10]),
            target_title=target[0],
            source_path=source[1],
            target_path=target[1],
            note_path=cast("str", row[11]),
            line=cast("int", row[12]),
            strength=cast("float", row[13]),
            valid_at=_optional_date(row[14]),
            invalid_at=_optional_date(row[15]),
        ),
    )


# --- writing through Graphiti --------------------------------------------------------------


def _load_graphiti() -> None:
    """Import Graphiti, which takes seconds, warns about itself and would otherwise phone home."""
    silence_telemetry()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        importlib.import_module("graphiti_core.driver.falkordb_driver")
        importlib.import_module("graphiti_core.utils.bulk_utils")


async def _driver(graph: Connection) -> "FalkorDriver":
    """Graphiti's driver on our connection, with our indices in place."""
    await asyncio.to_thread(_load_graphiti)
    from graphiti_core.driver.falkordb_driver import FalkorDriver

    class Driver(FalkorDriver):
        """Builds only the indices we use: the stock ones on dates give wrong answers."""

        async def build_indices_and_constraints(self, delete_existing: bool = False) -> None:
            if delete_existing:
                await self.delete_all_indexes()
            for query in queries.INDICES:
                await self.execute_query(query)

        def clone(self, database: str) -> "Driver":
            same = database == self._database
            return self if same else Driver(falkor_db=self.client, database=database)

        async def ready(self) -> "Driver":
            """Wait for the indices, which the constructor began to build."""
            if (building := cast("Awaitable[None] | None", self._init_task)) is not None:
                await building
            return self

    client = cast("None", graph.client)  # it has what the driver calls, not its class
    return await Driver(falkor_db=client, database=graph.graph_name).ready()


async def _write(graph: Connection, changes: Changes) -> None:
    """Write entities, then versions and edges, with Graphiti's models and its bulk writer."""
    driver = await _driver(graph)
    from graphiti_core.edges import EpisodicEdge
    from graphiti_core.embedder import EmbedderClient
    from graphiti_core.nodes import EpisodeType, EpisodicNode
    from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

    class NoVectors(EmbedderClient):
        """Vectors live in the semantic index; here every embedding stays null."""

        async def create(self, input_data: object) -> list[float]:
            del input_data
            return cast("list[float]", None)

    episodes = [
        EpisodicNode(
            uuid=episode.uuid,
            group_id=GRAPH,
            name=episode.name,
            content=episode.content,
            source=EpisodeType.text,
            source_description=episode.path,
            valid_at=episode.valid_at,
            created_at=episode.created_at,
        )
        for episode, _ in changes.episodes
    ]
    mentions = [
        EpisodicEdge(
            uuid=f"{episode.uuid}:mentions",
            group_id=GRAPH,
            source_node_uuid=episode.uuid,
            target_node_uuid=note,
            created_at=episode.created_at,
        )
        for episode, note in changes.episodes
    ]
    await add_nodes_and_edges_bulk(
        driver,
        episodes,
        mentions,
        [_entity_node(entity) for entity in changes.entities],
        [_entity_edge(relation) for relation in changes.relations],
        NoVectors(),
    )


def _entity_node(entity: Entity) -> "EntityNode":
    from graphiti_core.nodes import EntityNode

    return EntityNode(
        uuid=entity.uuid,
        group_id=GRAPH,
        name=entity.name,
        labels=list(entity.labels),
        created_at=entity.created_at,
        attributes={
            "kind": entity.kind,
            "path": entity.path,
            "title": entity.name,
            "names": list(entity.names),
            "building_block": entity.building_block,
            "note_type": entity.note_type,
            "content_hash": entity.content_hash,
            "created": _iso(entity.created),
            "modified": _iso(entity.modified),
        },
    )


def _entity_edge(relation: Relation) -> "EntityEdge":
    from graphiti_core.edges import EntityEdge

    return EntityEdge(
        uuid=relation.uuid,
        group_id=GRAPH,
        source_node_uuid=relation.source,
        target_node_uuid=relation.target,
        name=relation.name,
        fact=relation.fact,
        episodes=[relation.episode],
        created_at=relation.created_at,
        valid_at=relation.valid_at,
        invalid_at=relation.invalid_at,
        expired_at=relation.expired_at,
        attributes={
            "note_path": relation.note_path,
            "line": relation.line,
            "strength": relation.strength,
            "words": list(relation.words),
            "interval": relation.interval,
            "origin": "written",
        },
    )
