"""From anchors outwards."""

import pytest

from tests.support.values.results import a_relation
from tools.base.domain import DatedEdge, GraphNode, Intent, Neighbourhood
from tools.graph.expand import expansion_of, outwards, related


def around(*edges: tuple[str, str, str]) -> Neighbourhood:
    """Nodes called by letters, ``a`` in the middle; each further on the later it is named."""
    names = list(dict.fromkeys(["a", *(name for edge in edges for name in (edge[0], edge[2]))]))
    near = {end for one, _, other in edges for end in (one, other) if "a" in (one, other)}
    nodes = tuple(
        GraphNode(uuid=n, title=n.upper(), kind="note", path=f"{n}.md", hops=hops(n, near))
        for n in names
    )
    return Neighbourhood(
        name="a",
        nodes=nodes,
        edges=tuple(
            DatedEdge(
                source=one,
                target=other,
                relation=a_relation(
                    one, relation, other, strength=0.6 if relation == "LINKS_TO" else 0.9
                ),
            )
            for one, relation, other in edges
        ),
    )


def hops(name: str, near: set[str]) -> int:
    return 0 if name == "a" else 1 if name in near else 2


@pytest.mark.parametrize(
    ("question", "intent", "expansion"),
    [
        ("Why do I build the greenhouse?", "causal", "hierarchy"),
        ("Who is Selin?", "factual", "context"),
        ("What relates to sleep?", "exploratory", "knowledge"),
        ("What am I afraid of?", "factual", "fear"),
        ("What are the risks of the move?", "causal", "fear"),
        ("which dangers I see?", "exploratory", "fear"),
        ("How do I sleep better?", "causal", "hierarchy"),
        ("", "temporal", "context"),
    ],
)
def test_the_words_or_else_the_intent_choose_the_expansion(
    question: str, intent: Intent, expansion: str
) -> None:
    assert expansion_of(question, intent) == expansion


def test_near_edges_come_first_and_of_these_the_relations_that_are_followed() -> None:
    found = around(
        ("a", "LINKS_TO", "b"), ("c", "FEARS", "a"), ("a", "CAUSES", "d"), ("b", "FEARS", "e")
    )
    steps = outwards(found, "fear", limit=10)
    told = [(step.edge.source, step.edge.relation.relation, step.depth) for step in steps]
    assert told == [("c", "FEARS", 1), ("a", "CAUSES", 1), ("a", "LINKS_TO", 1), ("b", "FEARS", 2)]
    assert outwards(found, "fear", limit=1) == steps[:1]


def test_more_ways_connect_more_strongly_and_longer_ones_less() -> None:
    found = around(
        ("a", "CAUSES", "b"), ("a", "SUPPORTS", "b"), ("a", "CAUSES", "c"), ("c", "CAUSES", "d")
    )
    strengths = {one.node.uuid: one.strength for one in related(found, ["a"], depth=2)}
    assert strengths["b"] > strengths["c"] > strengths["d"] > 0
    ways = {one.node.uuid: (one.ways, one.relations) for one in related(found, ["a"], depth=2)}
    assert ways["b"][0] == 2
    assert ways["d"] == (1, ("CAUSES", "CAUSES"))
    assert "d" not in {one.node.uuid for one in related(found, ["a"], depth=1)}
