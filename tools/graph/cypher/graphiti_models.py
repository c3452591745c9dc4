"""Graphiti's side of the graph: its driver, and our values as its models. Loaded on demand."""

from collections.abc import Awaitable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from tools.base.errors import SourceError
from tools.graph.cypher.dialects import FALKOR
from tools.graph.cypher.graphiti_loading import load_graphiti
from tools.graph.cypher.records import entity_record, former_entity_record, relation_record
from tools.graph.model import Entity, Episode, Relation
from tools.graph.provenance import Provenance

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver, GraphDriverSession
    from graphiti_core.driver.falkordb_driver import FalkorDriver
    from graphiti_core.edges import EntityEdge
    from graphiti_core.embedder import EmbedderClient
    from graphiti_core.nodes import EntityNode

    from tools.graph.cypher.port import CypherStatement, Writer

GRAPH = "vault"
"""Graphiti routes each group id to the graph of the same name; there is one."""


_NO_VECTOR: list[float] = []
"""Vectors live in the semantic index; without any, Graphiti would ask for one each time."""


class _Bulk:
    """A writer that has as little as possible read by the database.

    What is null or an empty vector is left out of rows: they replace all that was there. Where
    labels cannot be values, Graphiti words a statement for each entity: those with the same labels
    become one.
    """

    def __init__(self, writer: "Writer") -> None:
        self._writer = writer

    async def run(self, query: "str | list[CypherStatement]", **parameters: object) -> None:
        statements = [(query, parameters)] if isinstance(query, str) else query
        wanted: dict[tuple[str, str], list[dict[str, object]]] = {}
        for text, given in statements:
            ((name, rows),) = cast("dict[str, list[dict[str, object]]]", given).items()
            wanted.setdefault((text, name), []).extend(
                {key: value for key, value in row.items() if value is not None and value != []}
                for row in rows
            )
        for (text, name), rows in wanted.items():
            if rows:
                await self._writer.run(text, **{name: rows})


async def falkor_driver(
    client: object, graph_name: str, *, indices: Sequence[str] = FALKOR.indices
) -> "FalkorDriver":
    """Graphiti's driver on our connection, for one graph alone, with our indices in place."""
    await load_graphiti("graphiti_core.driver.falkordb_driver", "graphiti_core.utils.bulk_utils")
    from graphiti_core.driver.falkordb_driver import FalkorDriver

    class Driver(FalkorDriver):
        """Builds only the indices we use: the stock ones on dates give wrong answers."""

        async def build_indices_and_constraints(self, delete_existing: bool = False) -> None:
            if delete_existing:
                await self.delete_all_indexes()
            for query in indices:
                await self.execute_query(query)

        def clone(self, database: str) -> "Driver":
            if database != self._database:
                raise SourceError(f"Graphiti asked for another graph than {graph_name}.")
            return self

        async def ready(self) -> "Driver":
            """Wait for the indices, which the constructor began to build."""
            if (building := cast("Awaitable[None] | None", self._init_task)) is not None:
                await building
            return self

    known = cast("None", client)  # it has what the driver calls, not its class
    return await Driver(falkor_db=known, database=graph_name).ready()


async def write(
    driver: "GraphDriver",
    writer: "Writer",
    *,
    entities: Iterable[Entity],
    relations: Iterable[Relation],
    episodes: Iterable[tuple[Episode, str]],
) -> None:
    """Add entities, relations, and versions with the entity of their note, to a change."""
    from graphiti_core.edges import EpisodicEdge
    from graphiti_core.nodes import EpisodeType, EpisodicNode
    from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk_tx

    given = list(episodes)
    nodes = [
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
        for episode, _ in given
    ]
    mentions = [
        EpisodicEdge(
            uuid=f"{episode.uuid}:mentions",
            group_id=GRAPH,
            source_node_uuid=episode.uuid,
            target_node_uuid=note,
            created_at=episode.created_at,
        )
        for episode, note in given
    ]
    await add_nodes_and_edges_bulk_tx(
        cast("GraphDriverSession", _Bulk(writer)),
        nodes,
        mentions,
        [_entity_node(entity) for entity in entities],
        [_entity_edge(relation) for relation in relations],
        cast("EmbedderClient", None),  # asked for no vector, since each has an empty one
        driver=driver,
    )


def _entity_node(entity: Entity) -> "EntityNode":
    from graphiti_core.nodes import EntityNode

    stated = entity.provenance or Provenance()
    return EntityNode(
        uuid=entity.uuid,
        group_id=GRAPH,
        name=entity.name,
        name_embedding=_NO_VECTOR,
        labels=list(entity.labels),
        created_at=entity.created_at,
        attributes={
            "kind": entity.kind,
            "path": entity.path,
            "building_block": entity.building_block,
            "note_type": entity.note_type,
            "content_hash": entity.content_hash,
            "created": entity.created,
            "modified": entity.modified,
            "superseded_by": entity.superseded_by,
            "digest": entity.digest,
            "brief": entity_record(entity),
            "former": former_entity_record(entity),
            "created_by": stated.created_by,
            "source_type": stated.source_type,
            "confidence": stated.confidence,
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
        fact_embedding=_NO_VECTOR,
        episodes=[relation.episode],
        created_at=relation.created_at,
        valid_at=relation.valid_at,
        invalid_at=relation.invalid_at,
        expired_at=relation.expired_at,
        attributes={
            "note_path": relation.note_path,
            "line": relation.line,
            "strength": relation.strength,
            "retracted_at": relation.retracted_at,
            "interval": relation.interval,
            "origin": relation.origin,
            "brief": relation_record(relation),
            # Found by it again, since the note is not its source.
            "inferred_in": relation.note if relation.origin == "inferred" else None,
        },
    )
