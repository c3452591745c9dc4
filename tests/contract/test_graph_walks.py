"""How every graph store walks from note to note: to neighbours, and from cause to effect."""

from datetime import timedelta
from typing import cast

import pytest

from tests.contract.vault import CREATED, SEEN, Vault, said
from tests.fakes.graph import InMemoryGraph
from tools.base.domain import Moment
from tools.base.errors import InputError
from tools.graph.causal_chains import cause_and_effect
from tools.graph.relations import CAUSAL
from tools.graph.store import GraphStore


async def test_neighbours_come_from_both_sides_with_their_path(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B", (None, "C"))
    vault.write("C")
    vault.write("D", (None, "A"))
    await store.replace(vault.graphs())

    near = await store.neighbours(["A.md"], hops=2, limit=10)

    assert [(n.path, n.hops, round(n.strength, 3), n.relations) for n in near] == [
        ("B.md", 1, 0.9, ("CAUSES",)),
        ("D.md", 1, 0.6, ("LINKS_TO",)),
        ("C.md", 2, 0.54, ("LINKS_TO",)),
    ]
    assert said(near[2].via) == [("A", "CAUSES", "B", "B.md"), ("B", "LINKS_TO", "C", "C.md")]
    assert [n.path for n in await store.neighbours(["A.md"], hops=1, limit=1)] == ["B.md"]


async def test_more_shortest_paths_are_counted(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"), (None, "C"))
    vault.write("B", (None, "D"))
    vault.write("C", ("supports", "D"))
    vault.write("D", (None, "A"))
    vault.write("E", (None, "B"), (None, "C"))
    await store.replace(vault.graphs("B", "C", "D", "E", "A"))
    vault.write("D")
    await store.replace(vault.graphs("D"))

    near = {n.path: n for n in await store.neighbours(["A.md"], hops=2, limit=10)}

    assert near["D.md"].paths_count == near["E.md"].paths_count == 2
    assert near["D.md"].strength == pytest.approx(0.54)
    assert near["D.md"].relations == ("LINKS_TO", "SUPPORTS")
    assert said(near["D.md"].via)[1] == ("C", "SUPPORTS", "D", "D.md")


async def test_a_common_tag_connects_a_little_and_a_worn_one_not_at_all(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", tags=["rare", "worn"])
    vault.write("B", tags=["rare"])
    for number in range(60):
        vault.write(f"N{number}", tags=["worn"])
    await store.replace(vault.graphs())

    near = await store.neighbours(["A.md"], hops=2, limit=100)

    assert [(n.path, n.hops) for n in near] == [("B.md", 2)]
    assert near[0].strength == pytest.approx(0.16)


async def test_hops_are_an_integer_from_1_to_4(store: GraphStore) -> None:
    for hops in cast("list[int]", [0, 5, -1, True, 2.0, "2"]):
        with pytest.raises(InputError, match="1 to 4"):
            await store.neighbours(["A.md"], hops=hops, limit=5)
        with pytest.raises(InputError, match="1 to 4"):
            await store.chains(["A.md"], relations=CAUSAL, direction="both", depth=hops, limit=5)


async def a_causal_vault(store: GraphStore) -> None:
    vault = Vault()
    vault.write("Coffee", ("causes", "Bad sleep"), (None, "Cup"))
    vault.write("Bad sleep", ("leads to", "Bad memory"))
    vault.write("Bad memory", ("caused_by", "Stress"), ("causes", "Coffee"))
    vault.write("Stress")
    vault.write("Cup")
    await store.replace(vault.graphs())


async def test_chains_run_from_cause_to_effect(store: GraphStore) -> None:
    await a_causal_vault(store)

    effects = await store.chains(
        ["Coffee.md"], relations=CAUSAL, direction="effects", depth=2, limit=5
    )
    causes = await store.chains(
        ["Bad memory.md"], relations=CAUSAL, direction="causes", depth=2, limit=5
    )

    assert [said(chain) for chain in effects] == [
        [
            ("Coffee", "CAUSES", "Bad sleep", "Bad sleep.md"),
            ("Bad sleep", "LEADS_TO", "Bad memory", "Bad memory.md"),
        ]
    ]
    assert [said(chain) for chain in causes] == [
        [
            ("Coffee", "CAUSES", "Bad sleep", "Bad sleep.md"),
            ("Bad sleep", "LEADS_TO", "Bad memory", "Bad memory.md"),
        ],
        [("Bad memory", "CAUSED_BY", "Stress", "Stress.md")],
    ]


async def test_a_chain_ends_where_it_comes_back(store: GraphStore) -> None:
    await a_causal_vault(store)

    chains = await store.chains(
        ["Coffee.md"], relations=CAUSAL, direction="both", depth=4, limit=50
    )

    assert ["CAUSES", "LEADS_TO", "CAUSES"] in [[r.relation for r in chain] for chain in chains]
    for chain in chains:
        links = [cause_and_effect(step) for step in chain]
        assert [effect for _, effect in links[:-1]] == [cause for cause, _ in links[1:]]
        assert len({name for pair in links for name in pair}) >= len(links)


async def test_only_the_relations_asked_for_make_a_chain(store: GraphStore) -> None:
    await a_causal_vault(store)

    chains = await store.chains(
        ["Coffee.md"], relations=frozenset({"CAUSES"}), direction="effects", limit=5
    )

    assert [[r.relation for r in chain] for chain in chains] == [["CAUSES"]]


async def test_walks_go_over_the_edges_of_their_moment(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B", ("leads to", "C"))
    vault.write("C")
    vault.write("A")
    await store.replace(vault.graphs())
    then = Moment(as_of=CREATED + timedelta(days=1))

    assert await store.neighbours(["A.md"], hops=2, limit=5) == []
    assert [n.path for n in await store.neighbours(["A.md"], hops=2, limit=5, at=then)] == [
        "B.md",
        "C.md",
    ]
    assert await store.path_between("A.md", "C.md") == ()
    way = await store.path_between("A.md", "C.md", at=then)
    assert [step.relation for step in way] == ["CAUSES", "LEADS_TO"]
    chains = await store.chains(
        ["A.md"],
        relations=CAUSAL,
        direction="effects",
        limit=5,
        at=Moment(known_at=SEEN + timedelta(days=3)),
    )
    assert [[r.relation for r in chain] for chain in chains] == [["CAUSES", "LEADS_TO"]]
    assert await store.chains(["A.md"], relations=CAUSAL, direction="effects", limit=5) == []


async def test_a_shortest_path_either_way(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"))
    vault.write("B", (None, "C"), ("causes", "C"))
    vault.write("C")
    vault.write("D", (None, "C"), tags=["t"])
    vault.write("E", tags=["t"])
    await store.replace(vault.graphs())

    path = await store.path_between("A.md", "D.md")

    assert [(r.source_title, r.relation, r.target_title) for r in path] == [
        ("A", "LINKS_TO", "B"),
        ("B", "CAUSES", "C"),
        ("D", "LINKS_TO", "C"),
    ]
    assert await store.path_between("A.md", "D.md", hops=2) == ()
    assert await store.path_between("A.md", "E.md") == (), "a tag is no connection"
    assert await store.path_between("A.md", "A.md") == ()


async def test_a_way_that_says_how_goes_before_a_plain_link(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), ("topic", "T"), (None, "P"))
    vault.write("B", ("leads to", "C"))
    vault.write("C", (None, "A"), ("supports", "D"))
    vault.write("D", (None, "A"))
    vault.write("P", (None, "Q"), ("topic", "T"))
    vault.write("Q")
    await store.replace(vault.graphs())

    async def way(start: str, end: str, hops: int = 4) -> list[str]:
        path = await store.path_between(f"{start}.md", f"{end}.md", hops=hops)
        return [f"{r.source_title} {r.relation} {r.target_title}" for r in path]

    assert await way("A", "C") == ["A CAUSES B", "B LEADS_TO C"]
    assert await way("C", "A") == ["B LEADS_TO C", "A CAUSES B"]
    assert await way("A", "C", hops=1) == ["C LINKS_TO A"]
    assert await way("A", "D") == ["D LINKS_TO A"], "three steps are no better than one"
    assert await way("A", "P") == ["A LINKS_TO P"], "many have one topic"
    assert await way("B", "D") == ["B LEADS_TO C", "C SUPPORTS D"], "of two as long"
    assert await way("A", "Q") == ["A LINKS_TO P", "P LINKS_TO Q"]


async def test_a_surrounding_shows_every_edge_there_ever_was(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), tags=["t"])
    vault.write("B", (None, "C"))
    vault.write("C")
    vault.write("A", (None, "C"))
    await store.replace(vault.graphs())

    around = await store.around(["A.md"], ["A"], hops=1, limit=50)

    assert {(node.title, node.kind, node.hops) for node in around.nodes} == {
        ("A", "note", 0),
        ("B", "note", 1),
        ("C", "note", 1),
        ("#t", "tag", 1),
    }
    edges = {(e.relation.relation, e.relation.invalid_at is None) for e in around.edges}
    assert edges == {("CAUSES", False), ("LINKS_TO", True), ("TAGGED", False)}
    assert len((await store.around(["A.md"], ["A"], hops=2, limit=3)).nodes) == 3


async def test_a_chain_between_two_asked_notes_is_one(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B")
    await store.replace(vault.graphs())

    found = await store.chains(
        ["A.md", "B.md"], relations=CAUSAL, direction="both", depth=3, limit=5
    )

    assert [said(chain) for chain in found] == [[("A", "CAUSES", "B", "B.md")]]


async def test_beyond_a_hub_the_strongest_lead_on(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more links than a walk goes on from, nothing that it read ahead may be missed."""
    frontier = 20  # a walk's own is ten times that, and so would be the vault
    for module in ("cypher.walk", "cypher.best_path", "backends.graphiti"):
        monkeypatch.setattr(f"tools.graph.{module}.FRONTIER", frontier)
    vault = Vault()
    spokes = [f"S{number:03}" for number in range(frontier + 5)]
    kinds = ("causes", None, "supports")
    vault.write("Hub", *((kinds[at % 3], spoke) for at, spoke in enumerate(spokes)))
    for spoke in spokes:
        vault.write(spoke, ("causes", f"Leaf {spoke}"))
        vault.write(f"Leaf {spoke}")
    graphs = vault.graphs()
    await store.replace(graphs)
    expected = InMemoryGraph()
    await expected.replace(graphs)

    near = [await each.neighbours(["Hub.md"], hops=2, limit=500) for each in (store, expected)]
    assert near[0] == near[1]
    assert sum(neighbour.hops == 2 for neighbour in near[0]) == frontier
    chains = [
        await each.chains(["Hub.md"], relations=CAUSAL, direction="effects", depth=2, limit=500)
        for each in (store, expected)
    ]
    assert chains[0] == chains[1]
    way = await store.path_between("Hub.md", f"Leaf {spokes[-1]}.md")
    assert [step.target_title for step in way] == [spokes[-1], f"Leaf {spokes[-1]}"]
