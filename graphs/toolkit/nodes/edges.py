"""Edges of the graph as tools give them, each with the note and line that says so."""

from collections.abc import Mapping
from dataclasses import dataclass

from graphs.core.deps import Deps
from graphs.toolkit.nodes.references import find_node, ref_of, unknown
from tools.base.domain import DatedEdge, GraphNode, Neighbourhood
from tools.graph.store import NOW

MOST_AROUND = 400
"""Nodes that are looked at around a centre, of which few are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What one node is to another, and the note and line that say so."""

    subject: str
    subject_id: str
    relation: str
    object: str
    object_id: str
    object_type: str
    note_path: str
    line: int
    depth: int


def edge_of(edge: DatedEdge, nodes: Mapping[str, GraphNode], depth: int) -> Edge:
    source, target = ref_of(nodes[edge.source]), ref_of(nodes[edge.target])
    return Edge(
        subject=source.name,
        subject_id=source.id,
        relation=edge.relation.relation,
        object=target.name,
        object_id=target.id,
        object_type=target.type,
        note_path=edge.relation.note_path,
        line=edge.relation.line,
        depth=depth,
    )


async def look_around(deps: Deps, node_id: str, *, hops: int) -> tuple[GraphNode, Neighbourhood]:
    """What lies around a node, and itself. Raises InputError where nothing is called so."""
    wanted = await find_node(deps, node_id)
    around = await deps.graph.around(
        wanted.paths, wanted.names, hops=hops, limit=MOST_AROUND, at=NOW
    )
    if not around.nodes:
        raise unknown(node_id)
    return around.nodes[0], around
