"""The tool that looks up what a question is about, and goes outwards from there."""

from dataclasses import dataclass
from typing import Literal

from graphs.toolkit.arguments import Depth, Limit, Text, Types
from graphs.toolkit.nodes.anchors import Anchor, find_anchors
from graphs.toolkit.nodes.edges import MOST_AROUND, Edge, edge_of
from graphs.toolkit.nodes.references import is_of_type
from graphs.toolkit.tool import Arguments, Session, tool
from tools.graph.expand import Expansion, expansion_of, in_words, outwards
from tools.graph.store import NOW

_EXPANDED = 3
"""Anchors from which it goes outwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchGraph(Arguments):
    query: Text
    """The question, or what to look for, in plain words (English or Turkish)."""
    node_types: Types = ()
    """Only anchors of these types, such as Note, Project, Person."""
    expansion: Literal["auto", "hierarchy", "context", "knowledge", "fear"] = "auto"
    """Which relations to follow first: what something serves, whose it is, what it relates to, what
    is feared or avoided. By the question where it is left to the program."""
    max_depth: Depth = 2
    """How many links to go outwards."""
    limit: Limit = 10
    """Anchors, and edges for each of them, at the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFound:
    anchors: tuple[Anchor, ...]
    context: tuple[Edge, ...]
    expansion: Expansion
    summary: str


@tool(
    "Search the graph of notes",
    next_steps=("get_node", "find_related", "traverse_path", "read_note"),
)
async def search_graph(session: Session, given: SearchGraph) -> GraphFound:
    """Find what a question is about in the graph of notes, and what is connected to it.

    Use it for "who or what is X", "why X", "what belongs to X". Anchors are where the question
    enters the graph; context are edges around them, each with the note and line that says so.
    """
    deps = session.deps
    found, plan = await find_anchors(session.brain, given.query, limit=given.limit)
    anchors = [one for one in found if is_of_type(one.type, given.node_types)]
    asked = given.expansion
    words = plan.reading.english or given.query
    expansion = expansion_of(words, plan.intent) if asked == "auto" else asked
    paths = [one.id for one in anchors[:_EXPANDED] if one.score >= anchors[0].score / 2]
    around = await deps.graph.around(paths, [], hops=given.max_depth, limit=MOST_AROUND, at=NOW)
    steps = outwards(around, expansion, limit=given.limit * max(1, len(paths)))
    nodes = {node.uuid: node for node in around.nodes}
    named = ", ".join(f"{one.name} ({one.id})" for one in anchors) or "nothing"
    return GraphFound(
        anchors=tuple(anchors),
        context=tuple(edge_of(step.edge, nodes, step.depth) for step in steps),
        expansion=expansion,
        summary=f"About: {named}.\n{in_words(steps, nodes)}".strip(),
    )
