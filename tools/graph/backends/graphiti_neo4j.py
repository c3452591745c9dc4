"""Graphiti's driver for Neo4j on a client and with indices of ours; importing it takes seconds."""

# The parameters are Graphiti's.
# ruff: noqa: ARG002

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, cast

from graphiti_core.driver.driver import GraphProvider
from graphiti_core.driver.graph_operations.graph_operations import GraphOperationsInterface
from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.models.edges.edge_db_queries import (
    get_entity_edge_save_bulk_query,
    get_episodic_edge_save_bulk_query,
)
from graphiti_core.models.nodes.node_db_queries import (
    get_entity_node_save_bulk_query,  # pyright: ignore[reportUnknownVariableType]
    get_episode_node_save_bulk_query,
)

from tools.graph.cypher.port import Writer

if TYPE_CHECKING:
    from neo4j import AsyncDriver

type _Rows = Sequence[dict[str, object]]

_NEO4J = GraphProvider.NEO4J


class WithoutVectors(GraphOperationsInterface):
    """Graphiti's own bulk statements in the form for vectors that are kept elsewhere.

    The stock ones hand each vector to a procedure, which fails for one that is null.
    """

    async def episodic_node_save_bulk(
        self, _cls: object, driver: object, transaction: Writer, nodes: _Rows, batch_size: int = 0
    ) -> None:
        await transaction.run(get_episode_node_save_bulk_query(_NEO4J), episodes=nodes)

    async def node_save_bulk(
        self, _cls: object, driver: object, transaction: Writer, nodes: _Rows, batch_size: int = 0
    ) -> None:
        known = cast("list[dict[str, object]]", nodes)
        query = get_entity_node_save_bulk_query(_NEO4J, known, has_aoss=True)
        await transaction.run(cast("str", query), nodes=nodes)

    async def episodic_edge_save_bulk(
        self,
        _cls: object,
        driver: object,
        transaction: Writer,
        episodic_edges: _Rows,
        batch_size: int = 0,
    ) -> None:
        query = get_episodic_edge_save_bulk_query(_NEO4J)
        await transaction.run(query, episodic_edges=episodic_edges)

    async def edge_save_bulk(
        self, _cls: object, driver: object, transaction: Writer, edges: _Rows, batch_size: int = 0
    ) -> None:
        query = get_entity_edge_save_bulk_query(_NEO4J, has_aoss=True)
        await transaction.run(query, entity_edges=edges)


class GraphitiNeo4j(Neo4jDriver):
    """Builds only the indices we use, over a client that others go on using."""

    def __init__(
        self,
        client: "AsyncDriver",
        *,
        database: str | None,
        prepare: Callable[[], Awaitable[None]],
    ) -> None:
        self._prepare = prepare
        super().__init__("bolt://localhost", None, None)
        # Graphiti opens a client without time limits; it has not connected to anything yet.
        self._unused, self.client = self.client, client
        self._database = cast("str", database)  # None is the user's home database
        self.graph_operations_interface = WithoutVectors()

    async def build_indices_and_constraints(self, delete_existing: bool = False) -> None:
        await self._prepare()

    async def ready(self) -> "GraphitiNeo4j":
        """Wait for the indices, which the constructor began to build."""
        await self._unused.close()
        if (building := cast("Awaitable[None] | None", self._init_task)) is not None:
            await building
        return self
