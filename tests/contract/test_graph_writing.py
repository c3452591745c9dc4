"""What every graph store keeps of notes that come, change and go."""

from tests.contract.vault import CREATED, Vault, said
from tools.graph.store import GraphStore


async def test_an_empty_graph_answers_with_nothing(store: GraphStore) -> None:
    assert await store.paths() == set()
    assert await store.neighbours(["A.md"], hops=2, limit=5) == []
    assert await store.versions(["A.md"]) == []
    assert await store.facts(["A.md"]) == []
    assert await store.superseded(["A.md"]) == {}
    status = await store.status()
    assert (status.notes, status.edges, status.episodes, status.schema_version) == (0, 0, 0, 1)


async def test_facts_are_what_a_note_says_in_its_order(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), (None, "Nowhere"), ("leads to", "B"), tags=["t"])
    vault.write("B")

    await store.replace(vault.graphs())

    assert await store.paths() == {"A.md", "B.md"}
    facts = await store.facts(["A.md"])
    assert said(facts) == [
        ("A", "CAUSES", "B", "B.md"),
        ("A", "TAGGED", "#t", None),
        ("A", "LINKS_TO", "Nowhere", None),
        ("A", "LEADS_TO", "B", "B.md"),
    ]
    causes = facts[0]
    assert (causes.note_path, causes.line, causes.strength) == ("A.md", 1, 0.9)
    assert (causes.valid_at, causes.invalid_at, causes.source_path) == (CREATED, None, "A.md")


async def test_a_name_made_of_a_query_is_a_name(store: GraphStore) -> None:
    hostile = """x'}) MATCH (n) DETACH DELETE n // "\\ $params {uuid: `y`}"""
    vault = Vault()
    vault.write("A", ("causes", hostile))
    vault.write(hostile, ("causes", "A"))

    await store.replace(vault.graphs())

    assert await store.paths() == {"A.md", f"{hostile}.md"}
    assert said(await store.facts([f"{hostile}.md"])) == [(hostile, "CAUSES", "A", "A.md")]
    near = await store.neighbours([f"{hostile}.md"], hops=1, limit=5)
    assert {one.path for one in near} == {"A.md"}


async def test_indexing_in_any_order_gives_the_same(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B", ("causes", "A"))

    await store.replace(vault.graphs("B"))
    await store.replace(vault.graphs("A"))

    assert said(await store.facts(["A.md", "B.md"])) == [
        ("A", "CAUSES", "B", "B.md"),
        ("B", "CAUSES", "A", "A.md"),
    ]


async def test_a_note_known_only_from_links_is_not_served(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"))
    vault.write("B")

    await store.replace(vault.graphs("A"))

    assert await store.paths() == {"A.md"}
    assert await store.neighbours(["A.md"], hops=1, limit=5) == []
    assert said(await store.facts(["A.md"])) == [("A", "LINKS_TO", "B", None)]


async def test_a_placeholder_becomes_the_note_when_it_appears(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "Late Coffee"))
    await store.replace(vault.graphs())
    (before,) = await store.facts(["A.md"])

    vault.write("late coffee")
    await store.replace(vault.graphs("late coffee"))

    (after,) = await store.facts(["A.md"])
    assert (before.target_title, before.target_path) == ("Late Coffee", None)
    assert (after.target_title, after.target_path) == ("late coffee", "late coffee.md")
    assert after.valid_at == before.valid_at
    assert (await store.status()).edges == 1


async def test_a_dropped_link_is_no_longer_a_fact(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"), (None, "C"))
    await store.replace(vault.graphs())

    vault.write("A", (None, "C"))
    await store.replace(vault.graphs())

    assert said(await store.facts(["A.md"])) == [("A", "LINKS_TO", "C", None)]


async def test_a_link_that_comes_back_holds_from_then_on(store: GraphStore) -> None:
    vault = Vault()
    for links in ([(None, "B")], [], [(None, "B")]):
        note = vault.write("A", *links)
        await store.replace(vault.graphs())

    (fact,) = await store.facts(["A.md"])
    # The third text is the first one again, at a later date.
    assert fact.valid_at == note.modified


async def test_a_removed_note_is_gone_and_links_to_it_wait(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B", (None, "C"), tags=["only-here"])
    vault.write("C")
    await store.replace(vault.graphs())

    await store.remove(["B.md", "never there.md"])

    assert await store.paths() == {"A.md", "C.md"}
    assert await store.versions(["B.md"]) == []
    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "B", None)]
    assert await store.neighbours(["C.md"], hops=2, limit=5) == []

    await store.replace(vault.graphs("B"))

    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "B", "B.md")]


async def test_a_note_by_two_names_waits_under_both(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), ("causes", "Bee"))
    vault.write("B")
    await store.replace(vault.graphs())
    vault.write("B", aliases=["Bee"])
    await store.replace(vault.graphs("B"))
    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "B", "B.md")]

    await store.remove(["B.md"])

    assert said(await store.facts(["A.md"])) == [
        ("A", "CAUSES", "B", None),
        ("A", "CAUSES", "bee", None),
    ]


async def test_a_renamed_note_keeps_nobody_pointing_at_the_old_one(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "Old"))
    vault.write("Old")
    await store.replace(vault.graphs())

    await store.remove(["Old.md"])
    del vault.notes["Old"]
    vault.write("A", (None, "New"))
    vault.write("New")
    await store.replace(vault.graphs())

    assert said(await store.facts(["A.md"])) == [("A", "LINKS_TO", "New", "New.md")]
    assert await store.paths() == {"A.md", "New.md"}


async def test_a_change_of_title_and_type_keeps_the_relations(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), note_type="project")
    vault.write("B", ("causes", "A"))
    await store.replace(vault.graphs())

    vault.write("A", ("causes", "B"), note_type="goal")
    await store.replace(vault.graphs("A"))

    assert len(await store.facts(["A.md"])) == len(await store.facts(["B.md"])) == 1
    assert len(await store.versions(["A.md"])) == 2


async def test_text_that_utf8_or_c_cannot_carry_does_not_raise(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("ca\ud800uses", "x\udfff\0y"), tags=['"\\'], note_type="\ud800")

    await store.replace(vault.graphs())

    assert len(await store.facts(["A.md"])) == 2


async def test_reset_forgets_everything(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"))
    await store.replace(vault.graphs())

    await store.reset()

    status = await store.status()
    assert (status.notes, status.edges, status.episodes) == (0, 0, 0)
