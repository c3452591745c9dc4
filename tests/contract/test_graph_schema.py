"""The list of what is ever written, held against what an indexing run writes to each database."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.contract.vault import Vault, supersedes
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.cypher.port import GraphBackend
from tools.graph.cypher.schema import EDGES, KINDS, NODES, Shape, neo4j_nodes
from tools.graph.episodes import InferredFact
from tools.graph.provenance import Provenance

type Written = dict[str, set[str]]

NODE_KEYS = "MATCH (n) UNWIND labels(n) AS label UNWIND keys(n) AS key RETURN DISTINCT label, key"
EDGE_KEYS = "MATCH ()-[e]->() UNWIND keys(e) AS key RETURN DISTINCT type(e), key"
NEVER_FILLED = {"entity_edges"}
"""Named by Graphiti's statement, which also takes a right, and always empty."""
TYPE = "Recipe"
"""A note's own word for its type, which becomes a label."""
SEEN = datetime(2025, 1, 2, tzinfo=UTC)


def whole_vault() -> Vault:
    """Notes with everything that notes can have: types, tags, dates, ends, successors."""
    vault = Vault()
    for target in ("B", "Nowhere"):
        vault.write(
            "A",
            (None, target),
            ("causes", "B"),
            ("author", "Ada"),
            supersedes("Old"),
            tags=["cooking"],
            note_type=TYPE,
            aliases=["Alpha"],
        )
    for name in ("B", "Old", "Gone"):
        vault.write(name, ("supports", "A"))
    vault.write("B", (None, "A"), created=SEEN)
    last = vault.versions["B"][-1]
    assert last.said is not None
    stated = Provenance(created_by="Ada", source_type="thought", confidence=0.5)
    built = replace(last.said, building_block="argument", provenance=stated)
    vault.versions["B"][-1] = replace(last, said=built)
    vault.delete("Gone")
    vault.write("Corrected", (None, "A"))
    for month in (6, 3):  # it ended in June, and as known later in March
        vault.write("Corrected", created=datetime(2024, month, 1, tzinfo=UTC))
    return vault


def inferred() -> InferredFact:
    return InferredFact(
        uuid="f",
        note_path="A.md",
        content_hash="A 2",
        episode="e",
        line=1,
        subject="Ada",
        relation="CAUSES",
        object="B",
        fact="Ada causes B",
        created_at=SEEN,
        valid_at=SEEN,
        invalid_at=SEEN + timedelta(days=1),
        expired_at=SEEN + timedelta(days=2),
        subject_type="Person",
    )


async def add_written(graph: GraphBackend, nodes: Written, edges: Written) -> None:
    for found, question in ((nodes, NODE_KEYS), (edges, EDGE_KEYS)):
        for name, key in await graph.query(question):
            found.setdefault(str(name), set()).add(str(key))


def differing(written: Written, expected: Written) -> Written:
    """By name, what is written and not listed, or listed and not written."""
    names = sorted({*written, *expected})
    pairs = {name: written.get(name, set()) ^ expected.get(name, set()) for name in names}
    return {name: keys for name, keys in pairs.items() if keys}


def listed(shapes: Iterable[Shape]) -> Written:
    return {shape.name: set(shape.properties) for shape in shapes}


async def test_every_property_that_is_written_is_listed_and_the_other_way(
    real_store: Callable[[], GraphitiStore], request: pytest.FixtureRequest
) -> None:
    on_neo4j = "neo4j" in request.node.name
    store = real_store()
    graph = store._graph  # pyright: ignore[reportPrivateUsage]
    nodes: Written = {}
    edges: Written = {}
    await store.reset()
    vault = whole_vault()
    await store.replace(vault.graphs(inferred=[inferred()]))
    await add_written(graph, nodes, edges)
    vault.write("A", ("opposes", "B"))  # ends, corrections and new stretches
    vault.delete("B")
    await store.replace(vault.graphs(inferred=[inferred()]))
    await add_written(graph, nodes, edges)
    await store.remove(["Old.md"])
    await add_written(graph, nodes, edges)
    await store.close()

    shapes = neo4j_nodes() if on_neo4j else NODES
    labels = {shape.name for shape in shapes} | set(KINDS)
    others = set(nodes) - labels
    entity = set(shapes[0].properties)
    assert others <= {TYPE, "Person"}
    assert all(nodes[label] <= entity for label in (*others, *KINDS) if label in nodes)
    expected = listed(shapes)
    expected["Episodic"] -= NEVER_FILLED
    assert differing({name: nodes[name] for name in expected}, expected) == {}
    assert differing(edges, listed(EDGES)) == {}
