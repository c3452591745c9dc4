"""A graph in memory: the plans and walks of the real one over plain dictionaries."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from tools.domain import GraphRelation
from tools.graph.changes import Known, plan_remove, plan_replace
from tools.graph.model import Entity, Episode, NoteGraph, Relation, note_id
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


class InMemoryGraph:
    """A ``GraphStore`` without a server."""

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.relations: dict[str, Relation] = {}
        self.episodes: dict[str, Episode] = {}

    async def replace(self, notes: Sequence[NoteGraph]) -> None:
        for note in notes:
            changes = plan_replace([note], self._known())
            for entity in (*changes.entities, *changes.sealed):
                self.entities[entity.uuid] = entity
            self.relations |= {relation.uuid: relation for relation in changes.relations}
            self.episodes |= {episode.uuid: episode for episode, _ in changes.episodes}
            for relation in changes.dropped:
                del self.relations[relation.uuid]
            self._delete_loose({relation.target for relation in changes.dropped})

    async def remove(self, paths: Sequence[str]) -> None:
        gone = frozenset(note_id(path) for path in paths)
        changes = plan_remove(gone, self._known(), seen_at=datetime.now(UTC))
        self.entities |= {entity.uuid: entity for entity in changes.entities}
        self.relations |= {relation.uuid: relation for relation in changes.relations}
        targets = {r.target for r in self.relations.values() if r.source in gone}
        self.relations = {
            uuid: r for uuid, r in self.relations.items() if not {r.source, r.target} & gone
        }
        self.episodes = {u: e for u, e in self.episodes.items() if note_id(e.path) not in gone}
        self.entities = {u: e for u, e in self.entities.items() if u not in gone}
        self._delete_loose(targets)

    async def paths(self) -> set[str]:
        return {entity.path for entity in self._indexed().values() if entity.path}

    async def neighbours(self, paths: Sequence[str], *, hops: int, limit: int) -> list[Neighbour]:
        async def expand(notes: Sequence[str], shared: Sequence[str]) -> list[Step]:
            steps = self._steps({*notes, *shared})
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
    ) -> list[tuple[GraphRelation, ...]]:
        async def expand(uuids: Sequence[str]) -> list[Step]:
            return [s for s in self._steps(set(uuids)) if s.relation.relation in relations]

        return await walk_chains(expand, paths, direction=direction, limit=limit, depth=depth)

    async def versions(self, paths: Sequence[str]) -> list[Version]:
        return order_versions(
            Version(
                path=episode.path,
                title=episode.name,
                timestamp=episode.valid_at,
                seen_at=episode.created_at,
                content_hash=episode.content_hash,
                first=False,
            )
            for episode in self.episodes.values()
            if episode.path in paths
        )

    async def facts(self, paths: Sequence[str]) -> list[GraphRelation]:
        ids = {note_id(path) for path in paths}
        return order_facts(step.relation for step in self._steps(ids) if step.forward)

    async def superseded(self, paths: Sequence[str]) -> dict[str, str]:
        indexed = self._indexed()
        successors: dict[str, list[tuple[datetime, str]]] = {}
        for relation in self._open():
            ends = (indexed.get(relation.source), indexed.get(relation.target))
            if relation.name not in ("SUPERSEDES", "SUPERSEDED_BY"):
                continue
            new, old = ends if relation.name == "SUPERSEDES" else ends[::-1]
            if not (new and old and new.path and new.created and old.path):
                continue
            if old.path in paths:
                successors.setdefault(old.path, []).append((new.created, new.path))
        return {old: max(found)[1] for old, found in successors.items()}

    async def status(self) -> GraphStatus:
        return GraphStatus(
            notes=len(self._indexed()),
            edges=len(list(self._open())),
            episodes=len(self.episodes),
            schema_version=SCHEMA_VERSION,
        )

    async def reset(self) -> None:
        for part in (self.entities, self.relations, self.episodes):
            part.clear()

    def _known(self) -> Known:
        return Known(
            notes=dict(self.entities),
            present=frozenset(self.entities),
            episodes=frozenset(self.episodes),
            relations=list(self.relations.values()),
        )

    def _indexed(self) -> dict[str, Entity]:
        return {uuid: e for uuid, e in self.entities.items() if e.content_hash is not None}

    def _open(self) -> Iterable[Relation]:
        return (r for r in self.relations.values() if r.expired_at is None)

    def _delete_loose(self, uuids: set[str]) -> None:
        used = {uuid for r in self.relations.values() for uuid in (r.source, r.target)}
        for uuid in uuids - used - self._indexed().keys():
            self.entities.pop(uuid, None)

    def _steps(self, uuids: set[str]) -> list[Step]:
        found: list[Step] = []
        for relation in self._open():
            shown = self._shown(relation)
            for near, far in (
                (relation.source, relation.target),
                (relation.target, relation.source),
            ):
                if near in uuids:
                    end = self.entities[far]
                    found.append(
                        Step(
                            near=near,
                            far=far,
                            kind=end.kind,
                            name=end.name,
                            path=self._path(far),
                            forward=near == relation.source,
                            relation=shown,
                        )
                    )
        return found

    def _shown(self, relation: Relation) -> GraphRelation:
        return GraphRelation(
            source_title=self.entities[relation.source].name,
            relation=relation.name,
            target_title=self.entities[relation.target].name,
            source_path=self._path(relation.source),
            target_path=self._path(relation.target),
            note_path=relation.note_path,
            line=relation.line,
            strength=relation.strength,
            valid_at=relation.valid_at,
            invalid_at=relation.invalid_at,
        )

    def _path(self, uuid: str) -> str | None:
        entity = self.entities[uuid]
        return entity.path if entity.content_hash is not None else None
