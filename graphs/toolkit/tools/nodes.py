"""Tools over single nodes: look at one, list those of a type, count what there is."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from graphs.core.deps import Deps
from graphs.ingest.staging import staged_digests
from graphs.toolkit.arguments import Cursor, Limit, NodeId
from graphs.toolkit.nodes.edges import Edge, edge_of, look_around
from graphs.toolkit.nodes.references import NOTE, TAG, id_of, is_of_type, note_type, ref_of, type_of
from graphs.toolkit.paging import page
from graphs.toolkit.tool import Arguments, Session, tool
from tools.base.domain import GraphNode
from tools.base.errors import InputError
from tools.graph.provenance import Provenance
from tools.text.markdown.properties import marked
from tools.text.normalize import fold
from tools.vault.catalog.inventory import TypedNote
from tools.vault.notes.lines import read_lines

_SUMMARY_WORDS = 40
_TYPES_SAID = 20
_NOTES_KEPT = 20_000
"""Notes whose properties are kept, by what they said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetNode(Arguments):
    node_id: NodeId
    """A node's id (a note's path, ``tag:NAME``, ``name:NAME``), or a note's title or alias."""
    include_neighbors: bool = True
    """Whether to list what is linked to it and from it."""
    limit: Limit = 50
    """Neighbours at the most, in each direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    id: str
    name: str
    type: str
    summary: str = ""
    properties: dict[str, str] = field(default_factory=dict[str, str])
    created_at: str | None = None
    created_by: str | None = None
    source_type: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFound:
    node: Node
    incoming: tuple[Edge, ...] = ()
    outgoing: tuple[Edge, ...] = ()


@tool("Look at one node", next_steps=("read_note", "find_related", "timeline"))
async def get_node(session: Session, given: GetNode) -> NodeFound:
    """Give one node of the graph: its properties, and what is linked to it and from it.

    Use it when the node is known: by its id, or by a note's title or alias.
    """
    centre, around = await look_around(session.deps, given.node_id, hops=1)
    nodes = {node.uuid: node for node in around.nodes}
    edges = [edge for edge in around.edges if given.include_neighbors]
    paths = [centre.path] if centre.path is not None else []
    stated = (await session.deps.graph.provenance(paths)).get(centre.path or "") if paths else None
    node = await asyncio.to_thread(_described, session.deps, centre, stated or Provenance())
    own = {node.uuid for node in around.nodes if node.hops == 0}
    incoming = [edge_of(one, nodes, 1) for one in edges if one.target in own]
    outgoing = [edge_of(one, nodes, 1) for one in edges if one.source in own]
    return NodeFound(
        node=node,
        incoming=tuple(incoming[: given.limit]),
        outgoing=tuple(outgoing[: given.limit]),
    )


def _described(deps: Deps, node: GraphNode, stated: Provenance) -> Node:
    ref = ref_of(node)
    if node.path is None:
        return Node(id=ref.id, name=ref.name, type=ref.type)
    record = deps.catalog.records([node.path]).get(node.path)
    settings = deps.settings
    lines = read_lines([node.path], root=settings.vault, max_bytes=settings.max_note_bytes)
    properties = {one.key: one.value.strip() for one in marked(lines.get(node.path, []))}
    passages = deps.catalog.passages_of([node.path]).get(node.path, [])
    words = passages[0].text.split() if passages else []
    return Node(
        id=ref.id,
        name=ref.name,
        type=ref.type,
        summary=" ".join(words[:_SUMMARY_WORDS]),
        properties=dict(properties),
        created_at=record.created.isoformat() if record else None,
        created_by=stated.created_by,
        source_type=stated.source_type,
        confidence=stated.confidence,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNodes(Arguments):
    type: Annotated[str, Field(min_length=1, max_length=100)]
    """The type: Note for every note, Tag, or what notes call themselves, such as Goal."""
    filters: Annotated[dict[str, str], Field(max_length=10)] = field(default_factory=dict[str, str])
    """What their properties say, such as {"status": "active", "priority": "core"}."""
    sort_by: Literal["name", "created_at", "status"] = "name"
    """In which order; the last created first."""
    limit: Limit = 50
    """Nodes on a page."""
    cursor: Cursor = None
    """Where to go on, as the page before said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNode:
    id: str
    name: str
    type: str
    created_at: str | None = None
    properties: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesListed:
    """``count`` are all that fit, of which this is a page."""

    count: int
    nodes: tuple[ListedNode, ...]
    next_cursor: str | None = None


@tool("List nodes of a type", next_steps=("get_node", "find_related"))
async def list_nodes(session: Session, given: ListNodes) -> NodesListed:
    """List notes of a type, or all tags: "all my goals", "active projects", "which tags are there".

    A note's type is its property ``type``; filters compare other properties.
    """
    found = await asyncio.to_thread(_listed, session.deps, given)
    shown, following = page(
        found,
        ("list_nodes", given.type, given.filters, given.sort_by),
        cursor=given.cursor,
        limit=given.limit,
    )
    return NodesListed(
        count=len(found), nodes=tuple(make() for make in shown), next_cursor=following
    )


def _listed(deps: Deps, given: ListNodes) -> Sequence[Callable[[], ListedNode]]:
    """What makes each of the nodes, in their order: of thousands a page is shown.

    Raises InputError for a type that nothing is of.
    """
    inventory = deps.catalog.inventory
    if is_of_type(TAG, [given.type]):
        return [partial(_tag_node, tag) for tag in inventory.tags()]
    notes = inventory.typed_notes()
    kinds = _kinds_of_type(given.type, Counter(one.note_type for one in notes))
    wanted = [one for one in notes if one.note_type in kinds]
    paths = [one.path for one in wanted]
    stated = _properties(deps, paths if given.filters or given.sort_by == "status" else [])
    if given.filters:
        wanted = [one for one in wanted if _fits(stated[one.path], given.filters)]
    match given.sort_by:
        case "created_at":
            wanted.sort(key=lambda one: datetime.fromisoformat(one.created), reverse=True)
        case "name":
            wanted.sort(key=lambda one: fold(one.title))
        case "status":
            wanted.sort(key=lambda one: (stated[one.path].get("status", ""), fold(one.title)))
    return [partial(_note_node, one, stated.get(one.path, {})) for one in wanted]


def _kinds_of_type(wanted: str, said: Counter[str | None]) -> Collection[str | None]:
    """What notes of a type call themselves, of all that notes do. Raises InputError for none."""
    kinds = {kind for kind in said if is_of_type(wanted, [NOTE, note_type(kind)])}
    if kinds or is_of_type(NOTE, [wanted]):
        return kinds
    types = dict.fromkeys((NOTE, TAG, *(note_type(kind) for kind, _ in said.most_common())))
    listed = ", ".join(islice(types, _TYPES_SAID))
    raise InputError(
        f"No note is of the type {wanted[:60]!r}: "
        f"{'among others there are' if len(types) > _TYPES_SAID else 'there are'} {listed}."
    )


def _tag_node(tag: str) -> ListedNode:
    return ListedNode(id=id_of(tag, "tag", None), name=f"#{tag}", type=TAG)


def _note_node(note: TypedNote, properties: Mapping[str, str]) -> ListedNode:
    return ListedNode(
        id=note.path,
        name=note.title,
        type=note_type(note.note_type),
        created_at=note.created,
        properties=dict(properties),
    )


def _properties(deps: Deps, paths: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    settings = deps.settings
    hashes = deps.catalog.hashes() if paths else {}
    return {
        path: _stated(settings.vault, path, hashes.get(path), settings.max_note_bytes)
        for path in paths
    }


def _stated(root: Path, path: str, content_hash: str | None, max_bytes: int) -> Mapping[str, str]:
    """What a note states by its file; nothing where that cannot be read."""
    try:
        return _read_once(root, path, content_hash, max_bytes)
    except _UnreadableError:
        return {}


class _UnreadableError(Exception):
    """A file cannot be read just now, which is not kept."""


@lru_cache(maxsize=_NOTES_KEPT)
def _read_once(
    root: Path, path: str, content_hash: str | None, max_bytes: int
) -> Mapping[str, str]:
    """Read anew once the note has another content hash."""
    lines = read_lines([path], root=root, max_bytes=max_bytes).get(path)
    if lines is None:
        raise _UnreadableError(path, content_hash)
    return MappingProxyType({fold(one.key): one.value.strip() for one in marked(lines)})


def _fits(stated: Mapping[str, str], filters: Mapping[str, str]) -> bool:
    return all(fold(stated.get(fold(key), "")) == fold(value) for key, value in filters.items())


async def _staged(session: Session) -> int | None:
    """How many notes wait; what nobody has looked at is not for everybody."""
    if session.caller.tier == "reader":
        return None
    return len(await asyncio.to_thread(staged_digests, session.brain.settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class GetGraphStats(Arguments):
    detailed: bool = False
    """Whether to count by type of node and of relation as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats:
    total_nodes: int
    total_edges: int
    by_node_type: dict[str, int] | None = None
    by_edge_type: dict[str, int] | None = None
    staged_notes: int | None = None


@tool("How large the graph is", next_steps=("list_nodes", "search_graph"))
async def get_graph_stats(session: Session, given: GetGraphStats) -> GraphStats:
    """Count the nodes and the edges of the graph as of now, by type where that is asked for.

    Who may add notes is also told how many wait to be looked at (staged_notes).
    """
    census = await session.deps.graph.census()
    kinds: dict[str, int] = {}
    for kind, said, count in census.nodes:
        node = GraphNode(uuid="", title="", kind=kind, hops=0, note_type=said)
        kinds[type_of(node)] = kinds.get(type_of(node), 0) + count
    return GraphStats(
        total_nodes=sum(kinds.values()),
        total_edges=sum(count for _, count in census.edges),
        by_node_type=kinds if given.detailed else None,
        by_edge_type=dict(census.edges) if given.detailed else None,
        staged_notes=await _staged(session),
    )
