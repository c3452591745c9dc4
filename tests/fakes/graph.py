"""A graph in memory: the walks of the real one over plain dictionaries."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from operator import itemgetter

from tools.base.domain import GraphNode, GraphRelation, Moment, Neighbourhood
from tools.graph.causal_chains import Direction
from tools.graph.cypher.best_path import Link, walk_path
from tools.graph.cypher.edge_steps import Step, to_graph_relation
from tools.graph.cypher.walk import (
    SHARED_DEGREE,
    walk_around,
    walk_chains,
    walk_neighbours,
)
from tools.graph.facts_at import is_valid_at
from tools.graph.model import Entity, NoteGraph, Relation, name_ids, note_id
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


class InMemoryGraph:
    """A ``GraphStore`` without a server."""

    def __init__(self) -> None:
        self.notes: dict[str, NoteGraph] = {}

    async def replace(self, notes: Sequence[NoteGraph]) -> tuple[str, ...]:
        self.notes |= {note.entity.uuid: self._whole(note) for note in notes}
        return ()

    async def remove(self, paths: Sequence[str]) -> None:
        for path in paths:
            self.notes.pop(note_id(path), None)

    async def digests(self) -> dict[str, str]:
        entities = [note.entity for note in self.notes.values()]
        return {e.path: e.digest for e in entities if e.path and e.digest}

    async def neighbours(
        self, paths: Sequence[str], *, hops: int, limit: int, at: Moment = NOW
    ) -> list[Neighbour]:
        async def expand(notes: Sequence[str], shared: Sequence[str]) -> list[Step]:
            steps = self._steps({*notes, *shared}, at)
            degree = {uuid: sum(step.near == uuid for step in steps) for uuid in shared}
            return [step for step in steps if degree.get(step.near, 0) <= SHARED_DEGREE]

        return await walk_neighbours(expand, paths, hops=hops, limit=limit)

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
        async def expand(uuids: Sequence[str]) -> list[Step]:
            return [s for s in self._steps(set(uuids), at) if s.relation in relations]

        return await walk_chains(expand, paths, direction=direction, limit=limit, depth=depth)

    async def path_between(
        self, start: str, end: str, *, hops: int = 4, at: Moment = NOW
    ) -> tuple[GraphRelation, ...]:
        async def ends(uuids: Sequence[str]) -> list[Link]:
            steps = self._steps(set(uuids), at)
            linked = [s for s in steps if s.kind in ("note", "unresolved")]
            return [Link(s.near, s.far, s.relation) for s in linked]

        nodes = await walk_path(ends, note_id(start), note_id(end), hops=hops)
        pairs = [frozenset(pair) for pair in pairwise(nodes)]
        best: dict[frozenset[str], GraphRelation] = {}
        for step in self._steps(set(nodes), at):
            pair = frozenset({step.near, step.far})
            if pair not in best or best[pair].strength < step.strength:
                best[pair] = to_graph_relation(step)
        return tuple(best[pair] for pair in pairs)

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
            return self._steps(set(uuids), at)

        starts = [*(note_id(path) for path in paths), *name_ids(names)]
        entities = self._entities()
        centres = [_centre(entities[uuid]) for uuid in starts if uuid in entities]
        name = ", ".join(names)
        return await walk_around(expand, centres, name=name, hops=hops, limit=limit)

    async def versions(self, paths: Sequence[str]) -> list[StoredVersion]:
        return order_versions(
            StoredVersion(
                path=path,
                title=episode.name,
                timestamp=episode.valid_at,
                known_at=episode.created_at,
                content_hash=episode.content_hash,
                first=False,
            )
            for path in paths
            if (note := self.notes.get(note_id(path))) is not None
            for episode in note.episodes
        )

    async def facts(self, paths: Sequence[str], *, at: Moment = NOW) -> list[GraphRelation]:
        ids = {note_id(path) for path in paths}
        return order_facts(to_graph_relation(step) for step in self._steps(ids, at) if step.forward)

    async def facts_about(
        self, names: Sequence[str], *, at: Moment | None = NOW
    ) -> list[GraphRelation]:
        ids = set(name_ids(names))
        return order_facts(to_graph_relation(step) for step in self._steps(ids, at))

    async def notes_mentioning(
        self, paths: Sequence[str], names: Sequence[str], *, limit: int
    ) -> list[str]:
        ids = {*(note_id(path) for path in paths), *name_ids(names)}
        changed: list[tuple[datetime, str]] = []
        for note in self.notes.values():
            about = [r for r in note.relations if r.origin == "written" and r.target in ids]
            if about and note.entity.path:
                changed.append((max(r.expired_at or r.created_at for r in about), note.entity.path))
        latest_first = sorted(sorted(changed, key=itemgetter(1)), key=itemgetter(0), reverse=True)
        return [path for _, path in latest_first[:limit]]

    async def facts_stated_in(self, paths: Sequence[str]) -> list[GraphRelation]:
        ids = {note_id(path) for path in paths}
        return order_facts(
            to_graph_relation(step) for step in self._steps(ids, None) if step.forward
        )

    async def superseded(self, paths: Sequence[str], *, at: Moment = NOW) -> dict[str, str]:
        if at != NOW:
            return self._superseded_at(paths, at)
        return {
            note.entity.path: note.entity.superseded_by
            for path in paths
            if (note := self.notes.get(note_id(path))) is not None
            and note.entity.path
            and note.entity.content_hash
            and note.entity.superseded_by
        }

    async def provenance(self, paths: Sequence[str]) -> dict[str, Provenance]:
        return {
            path: note.entity.provenance
            for path in paths
            if (note := self.notes.get(note_id(path))) is not None and note.entity.provenance
        }

    async def present(self, uuids: Sequence[str]) -> frozenset[str]:
        return frozenset(self._entities().keys() & set(uuids))

    async def status(self, *, at: Moment = NOW) -> GraphStatus:
        return GraphStatus(
            notes=sum(note.entity.content_hash is not None for note in self.notes.values()),
            edges=len(list(self._held(at))),
            episodes=sum(len(note.episodes) for note in self.notes.values()),
            schema_version=SCHEMA_VERSION,
        )

    async def census(self) -> Census:
        entities = self._entities()
        held = list(self._held(NOW))
        named = {r.target for r in held if entities[r.target].kind != "note"}
        there = [n.entity for n in self.notes.values() if n.entity.content_hash is not None]
        nodes = Counter((one.kind, one.note_type) for one in there)
        nodes += Counter((entities[uuid].kind, None) for uuid in named)
        edges = Counter(relation.name for relation in held)
        return Census(
            nodes=tuple((kind, said, n) for (kind, said), n in nodes.items()),
            edges=tuple(sorted(edges.items(), key=lambda one: (-one[1], one[0]))),
        )

    async def reset(self) -> None:
        self.notes.clear()

    def _whole(self, note: NoteGraph) -> NoteGraph:
        """The note with what is stored as inferred from it, where that is to stay."""
        before = self.notes.get(note.entity.uuid) if note.keeps_inferred else None
        if before is None:
            return note
        kept = [relation for relation in before.relations if relation.origin == "inferred"]
        ends = {uuid for relation in kept for uuid in (relation.source, relation.target)}
        named = {other.uuid for other in note.others} | {note.entity.uuid}
        return replace(
            note,
            relations=(*note.relations, *kept),
            others=(*note.others, *(o for o in before.others if o.uuid in ends - named)),
        )

    def _superseded_at(self, paths: Sequence[str], at: Moment) -> dict[str, str]:
        found: list[tuple[datetime, str, str]] = []
        for relation in self._held(at):
            ends = {SUPERSEDES: (relation.target, relation.source)}
            ends[SUPERSEDED_BY] = (relation.source, relation.target)
            old, new = (self._path_now(uuid) for uuid in ends.get(relation.name, ("", "")))
            if old is not None and new is not None and old in paths:
                found.append((relation.valid_at, new, old))
        return {old: new for _, new, old in sorted(found)}

    def _path_now(self, uuid: str) -> str | None:
        note = self.notes.get(uuid)
        return note.entity.path if note and note.entity.content_hash else None

    def _held(self, at: Moment | None) -> Iterable[Relation]:
        for note in self.notes.values():
            for relation in note.relations:
                if at is None or is_valid_at(relation, at):
                    yield relation

    def _steps(self, uuids: set[str], at: Moment | None) -> list[Step]:
        entities = self._entities()
        found: list[Step] = []
        for relation in self._held(at):
            source, target = entities[relation.source], entities[relation.target]
            for near, far in ((source, target), (target, source)):
                if near.uuid in uuids:
                    found.append(
                        Step(
                            near=near.uuid,
                            far=far.uuid,
                            forward=int(near is source),
                            near_name=near.name,
                            near_path=_path(near),
                            name=far.name,
                            path=_path(far),
                            kind=far.kind,
                            note_type=far.note_type,
                            relation=relation.name,
                            note_path=relation.note_path,
                            line=relation.line,
                            strength=relation.strength,
                            origin=relation.origin,
                            valid_at=relation.valid_at,
                            invalid_at=relation.invalid_at,
                            created_at=relation.created_at,
                            expired_at=relation.expired_at,
                            retracted_at=relation.retracted_at,
                        )
                    )
        return found

    def _entities(self) -> dict[str, Entity]:
        """Every entity that is named; a note that is only named is none of today."""
        named = {other.uuid: other for note in self.notes.values() for other in note.others}
        stubs = {uuid: replace(entity, content_hash=None) for uuid, entity in named.items()}
        return stubs | {uuid: note.entity for uuid, note in self.notes.items()}


def _centre(entity: Entity) -> GraphNode:
    return GraphNode(
        uuid=entity.uuid,
        title=entity.name,
        kind=entity.kind,
        hops=0,
        path=_path(entity),
        note_type=entity.note_type,
    )


def _path(entity: Entity) -> str | None:
    return entity.path if entity.content_hash is not None else None
