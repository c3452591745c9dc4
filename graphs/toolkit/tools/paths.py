"""Tools over ways: what is most connected to a node, and how two notes are connected."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphs.core.deps import Deps
from graphs.toolkit.arguments import Depth, Limit, NodeId, Types
from graphs.toolkit.nodes.edges import look_around
from graphs.toolkit.nodes.references import (
    NAME,
    NodeRef,
    find_node,
    is_of_type,
    note_type,
    ref_of,
    unknown,
)
from graphs.toolkit.tool import Arguments, Session, tool
from tools.base.domain import GraphRelation
from tools.base.errors import InputError
from tools.graph.expand import related
from tools.graph.relations import phrase
from tools.graph.store import NOW


@dataclass(frozen=True, slots=True, kw_only=True)
class FindRelated(Arguments):
    node_id: NodeId
    """A node's id (a note's path, ``tag:NAME``, ``name:NAME``), or a note's title or alias."""
    depth: Depth = 2
    """How many links to go outwards."""
    relation_types: Types = ()
    """Only ways over these relations, such as SUPPORTS or LINKS_TO."""
    node_types: Types = ()
    """Only nodes of these types, such as Note, Project, Tag."""
    limit: Limit = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedNode:
    """A node, the relations on its best way, and how strongly it is connected (0 to 1)."""

    id: str
    name: str
    type: str
    relation_path: str
    connection_strength: float
    ways: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedFound:
    center: NodeRef
    related: tuple[RelatedNode, ...]


@tool("What is most connected to a node", next_steps=("get_node", "traverse_path", "read_note"))
async def find_related(session: Session, given: FindRelated) -> RelatedFound:
    """Find what is most strongly connected to a node, over up to four links.

    The strength grows with the number of distinct ways and falls with their length.
    """
    centre, around = await look_around(session.deps, given.node_id, hops=given.depth)
    followed = {one.upper() for one in given.relation_types}
    edges = (one for one in around.edges if not followed or one.relation.relation in followed)
    kept = replace(around, edges=tuple(edges))
    starts = [node.uuid for node in around.nodes if node.hops == 0]
    found = [
        RelatedNode(
            id=ref.id,
            name=ref.name,
            type=ref.type,
            relation_path=" → ".join(one.relations),
            connection_strength=round(one.strength, 3),
            ways=one.ways,
        )
        for one in related(kept, starts, depth=given.depth)
        if is_of_type((ref := ref_of(one.node)).type, given.node_types)
    ]
    return RelatedFound(center=ref_of(centre), related=tuple(found[: given.limit]))


@dataclass(frozen=True, slots=True, kw_only=True)
class TraversePath(Arguments):
    from_id: NodeId
    """Where the way begins: a note's path, title or alias."""
    to_id: NodeId
    """Where it ends, named the same way."""
    max_depth: Depth = 4
    """Links at the most."""
    relation_filter: Types = ()
    """Only ways over these relations; any where none is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathNode:
    """A node on the way, and the relation to the next one with the note and line that says so."""

    node_id: str
    node_name: str
    node_type: str
    relation_to_next: str | None = None
    note_path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFound:
    found: bool
    path: tuple[PathNode, ...]
    path_description: str


@tool("How two notes are connected", next_steps=("read_note", "get_node"))
async def traverse_path(session: Session, given: TraversePath) -> PathFound:
    """Find the way between two notes that tells most, over at most four links in either direction.

    Use it for "how is X connected to Y" and "which value does this project serve".
    """
    deps = session.deps
    ends: list[str] = []
    for said in (given.from_id, given.to_id):
        wanted = await find_node(deps, said)
        if not wanted.paths:
            raise unknown(said)
        ends.append(wanted.paths[0])
    if ends[0] == ends[1]:
        raise InputError("Both are the same note: name two notes.")
    steps = await deps.graph.path_between(ends[0], ends[1], hops=given.max_depth, at=NOW)
    followed = {one.upper() for one in given.relation_filter}
    if not steps or (followed and any(step.relation not in followed for step in steps)):
        return PathFound(found=False, path=(), path_description="")
    types = await asyncio.to_thread(_types, deps, steps)
    return _told(ends[0], steps, types)


def _types(deps: Deps, steps: Sequence[GraphRelation]) -> Mapping[str, str]:
    paths = {path for step in steps for path in (step.source_path, step.target_path) if path}
    return {path: note_type(one.note_type) for path, one in deps.catalog.records(paths).items()}


def _told(start: str, steps: Sequence[GraphRelation], types: Mapping[str, str]) -> PathFound:
    nodes, words = list[PathNode](), list[str]()
    at, name = start, ""
    for step in steps:
        ends = (step.source_path or step.source_title), (step.target_path or step.target_title)
        titles = step.source_title, step.target_title
        forward = ends[0] == at
        name = titles[0 if forward else 1]
        nodes.append(
            PathNode(
                node_id=at,
                node_name=name,
                node_type=types.get(at, NAME),
                relation_to_next=step.relation,
                note_path=step.note_path,
                line=step.line,
            )
        )
        word = phrase(step.relation)
        words.append(f"{name} — {word} →" if forward else f"{name} ← {word} —")
        at, name = ends[1 if forward else 0], titles[1 if forward else 0]
    nodes.append(PathNode(node_id=at, node_name=name, node_type=types.get(at, NAME)))
    return PathFound(found=True, path=tuple(nodes), path_description=" ".join((*words, name)))
