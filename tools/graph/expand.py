"""From anchors outwards: which relations tell what, and how strongly things are connected. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tools.base.domain import DatedEdge, GraphNode, Intent, Neighbourhood
from tools.graph.relations import phrase
from tools.text.likeness import rows_of, word_by_word
from tools.text.tokens import stems_in

Expansion = Literal["hierarchy", "context", "knowledge", "fear"]
EXPANSIONS: Mapping[Expansion, frozenset[str]] = {
    "hierarchy": frozenset({"CONTRIBUTES_TO", "MOTIVATES", "SUPPORTS", "PART_OF", "PROJECT"}),
    "context": frozenset({
        "HAS_GOAL", "WORKS_ON", "BELIEVES", "INTERESTED_IN", "FEARS", "STATUS", "OWNER", "PROJECT",
        "PEOPLE", "ATTENDEES",
    }),
    "knowledge": frozenset({"RELATED_TO", "SUPPORTS", "CONTRADICTS", "ELABORATES", "SOURCE"}),
    "fear": frozenset({"FEARS", "AVOIDS"}),
}  # fmt: skip
"""The relations that each expansion follows first; a vault may know others, which come after."""

_AS_ALIKE = 0.5
"""How alike a word is to a relation of the fears that asks for them: "afraid" is .81, "risk" .60,
of questions for other things no word is .2."""
_BY_INTENT: Mapping[Intent, Expansion] = {
    "causal": "hierarchy",
    "factual": "context",
    "temporal": "context",
    "comparative": "knowledge",
    "exploratory": "knowledge",
}


def expansion_of(question: str, intent: Intent) -> Expansion:
    """The expansion that a question, in English, asks for by its words or else by its intent."""
    asked = tuple(dict.fromkeys(stems_in(question)))
    feared = [stem for name in sorted(EXPANSIONS["fear"]) for stem in stems_in(phrase(name))]
    alike = word_by_word(asked, [(rows_of(feared), feared)]) if asked else np.zeros(1)
    return "fear" if alike.max() >= _AS_ALIKE else _BY_INTENT[intent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An edge on the way outwards, ``depth`` edges away from where the way began."""

    edge: DatedEdge
    depth: int


def outwards(around: Neighbourhood, expansion: Expansion, *, limit: int) -> list[Step]:
    """The edges around anchors: near ones first, of these what is followed, then the strongest."""
    hops = {node.uuid: node.hops for node in around.nodes}
    followed = EXPANSIONS[expansion]

    def order(step: Step) -> tuple[int, bool, float]:
        relation = step.edge.relation
        return step.depth, relation.relation not in followed, -relation.strength

    steps = [
        Step(edge=edge, depth=max(hops[edge.source], hops[edge.target], 1)) for edge in around.edges
    ]
    return sorted(steps, key=order)[:limit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A node with the relations on its best way from the centre, and how strongly it is connected.

    The strength is in [0, 1]: 1 - ∏(1 - s) over the distinct ways, each with the product of the
    strengths of its edges and 0.5 for every edge after the first (noisy or).
    """

    node: GraphNode
    relations: tuple[str, ...]
    strength: float
    ways: int


_WEAKER = 0.5
_MOST_WAYS = 64


def related(around: Neighbourhood, centres: Iterable[str], *, depth: int) -> list[Related]:
    """What lies around the centres, the most strongly connected first."""
    starts = set(centres)
    beside: dict[str, list[tuple[str, str, float]]] = {}
    for edge in around.edges:
        one = edge.relation
        beside.setdefault(edge.source, []).append((edge.target, one.relation, one.strength))
        beside.setdefault(edge.target, []).append((edge.source, one.relation, one.strength))
    ways: dict[str, list[tuple[float, tuple[str, ...]]]] = {}
    going: list[tuple[tuple[str, ...], tuple[str, ...], float]] = [
        ((start,), (), 1.0) for start in starts
    ]
    for _ in range(depth):
        longer: list[tuple[tuple[str, ...], tuple[str, ...], float]] = []
        for nodes, relations, strength in going:
            for far, relation, own in beside.get(nodes[-1], ()):
                if far in nodes or far in starts or len(ways.get(far, ())) >= _MOST_WAYS:
                    continue
                weight = strength * own * (_WEAKER if relations else 1.0)
                way = (*relations, relation)
                ways.setdefault(far, []).append((weight, way))
                longer.append(((*nodes, far), way, weight))
        going = longer
    known = {node.uuid: node for node in around.nodes}
    found = [
        Related(
            node=known[uuid],
            relations=max(own, key=lambda way: (way[0], -len(way[1])))[1],
            strength=1.0 - math.prod(1.0 - min(weight, 0.99) for weight, _ in own),
            ways=len(own),
        )
        for uuid, own in ways.items()
        if uuid in known
    ]
    return sorted(found, key=lambda one: (-one.strength, one.node.hops, one.node.title))


def in_words(steps: Sequence[Step], nodes: Mapping[str, GraphNode]) -> str:
    """A line for each edge, with the note and line that says so."""
    return "\n".join(
        f"{nodes[step.edge.source].title} — {phrase(step.edge.relation.relation)} → "
        f"{nodes[step.edge.target].title} "
        f"({step.edge.relation.note_path}:{step.edge.relation.line})"
        for step in steps
    )
