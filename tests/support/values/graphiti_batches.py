"""Notes, edges and versions as Graphiti's bulk writer takes them, for tests and measurements."""

from datetime import datetime
from typing import TYPE_CHECKING, cast

from tools.graph.cypher.port import Writer

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver, GraphDriverSession


async def bulk_write(
    driver: "GraphDriver",
    writer: Writer,
    *,
    notes: int,
    edges_each: int,
    seen: datetime,
    start: int = 0,
    among: int | None = None,
) -> None:
    """Write the notes ``start`` … ``start + notes``, each with edges to others ``among`` all.

    Edges lead to the notes that follow, in a circle; those must exist or be part of the batch.
    """
    from graphiti_core.edges import EntityEdge, EpisodicEdge
    from graphiti_core.embedder import EmbedderClient
    from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode
    from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk_tx

    class NoVectors(EmbedderClient):
        async def create(self, input_data: object) -> list[float]:
            return cast("list[float]", None)

    numbers = range(start, start + notes)
    whole = among or notes
    await add_nodes_and_edges_bulk_tx(
        cast("GraphDriverSession", writer),
        [
            EpisodicNode(
                uuid=f"v{number}",
                group_id="vault",
                name=f"Note {number}",
                content="",
                source=EpisodeType.text,
                source_description=f"Note {number}.md",
                valid_at=seen,
                created_at=seen,
            )
            for number in numbers
        ],
        [
            EpisodicEdge(
                uuid=f"v{number}:mentions",
                group_id="vault",
                source_node_uuid=f"v{number}",
                target_node_uuid=f"n{number}",
                created_at=seen,
            )
            for number in numbers
        ],
        [
            EntityNode(
                uuid=f"n{number}",
                group_id="vault",
                name=f"Note {number}",
                labels=["Entity", "Note"],
                created_at=seen,
                attributes={
                    "path": f"Note {number}.md",
                    "names": [f"Note {number}", "a\ud800"],
                    "content_hash": None,
                },
            )
            for number in numbers
        ],
        [
            EntityEdge(
                uuid=f"e{number}:{step}",
                group_id="vault",
                source_node_uuid=f"n{number}",
                target_node_uuid=f"n{(number + step * 37) % whole}",
                name="CAUSES",
                fact=f"Note {number} causes another",
                episodes=[f"v{number}"],
                created_at=seen,
                valid_at=seen,
                attributes={"note_path": f"Note {number}.md", "line": step, "strength": 0.9},
            )
            for number in numbers
            for step in range(1, edges_each + 1)
        ],
        NoVectors(),
        driver=driver,
    )
