"""What every graph store keeps of notes that come, change and go."""

from datetime import timedelta

from tests.contract.vault import CREATED, SEEN, Vault, said
from tests.support.values.inferred import fact, version
from tools.base.domain import Moment
from tools.graph.store import SCHEMA_VERSION, GraphStore


async def test_an_empty_graph_answers_with_nothing(store: GraphStore) -> None:
    assert await store.digests() == {}
    assert await store.neighbours(["A.md"], hops=2, limit=5) == []
    assert await store.versions(["A.md"]) == []
    assert await store.facts(["A.md"]) == []
    assert await store.superseded(["A.md"]) == {}
    assert await store.path_between("A.md", "B.md") == ()
    assert (await store.around(["A.md"], ["A"], hops=1, limit=5)).nodes == ()
    status = await store.status()
    assert (status.notes, status.edges, status.episodes) == (0, 0, 0)
    assert status.schema_version == SCHEMA_VERSION


async def test_facts_are_what_a_note_says_in_its_order(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), (None, "Nowhere"), ("leads to", "B"), tags=["t"])
    vault.write("B")

    await store.replace(vault.graphs())

    assert (await store.digests()).keys() == {"A.md", "B.md"}
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
    assert (causes.created_at, causes.expired_at) == (SEEN + timedelta(days=1), None)
    assert causes.origin == "written"


async def test_what_is_said_about_a_name_is_found_by_it(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("people", "Selin Kaya"), tags=["Energy"])
    await store.replace(vault.graphs())

    assert said(await store.facts_about(["selin kaya"])) == [("A", "PEOPLE", "Selin Kaya", None)]
    assert said(await store.facts_about(["#energy"])) == [("A", "TAGGED", "#Energy", None)]
    assert await store.facts_about(["nobody"]) == []

    vault.write("A", tags=["Energy"])
    await store.replace(vault.graphs())

    assert await store.facts_about(["Selin Kaya"]) == []
    then = Moment(as_of=CREATED + timedelta(days=1))
    assert said(await store.facts_about(["Selin Kaya"], at=then)) == [
        ("A", "PEOPLE", "Selin Kaya", None)
    ]
    assert len(await store.facts_about(["Selin Kaya"], at=None)) == 1


async def test_a_name_made_of_a_query_is_a_name(store: GraphStore) -> None:
    hostile = """x'}) MATCH (n) DETACH DELETE n // "\\ $params {uuid: `y`}"""
    vault = Vault()
    vault.write("A", ("causes", hostile))
    vault.write(hostile, ("causes", "A"))

    await store.replace(vault.graphs())

    assert (await store.digests()).keys() == {"A.md", f"{hostile}.md"}
    assert said(await store.facts([f"{hostile}.md"])) == [(hostile, "CAUSES", "A", "A.md")]
    near = await store.neighbours([f"{hostile}.md"], hops=1, limit=5)
    assert {one.path for one in near} == {"A.md"}


async def test_a_note_known_only_from_links_is_not_served(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"))
    vault.write("B")

    await store.replace(vault.graphs("A"))

    assert (await store.digests()).keys() == {"A.md"}
    assert await store.neighbours(["A.md"], hops=1, limit=5) == []
    assert said(await store.facts(["A.md"])) == [("A", "LINKS_TO", "B", None)]


async def test_a_placeholder_becomes_the_note_when_it_appears(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "Late Coffee"))
    await store.replace(vault.graphs())
    (before,) = await store.facts(["A.md"])

    vault.write("late coffee")
    await store.replace(vault.graphs())

    (after,) = await store.facts(["A.md"])
    assert (before.target_title, before.target_path) == ("Late Coffee", None)
    assert (after.target_title, after.target_path) == ("late coffee", "late coffee.md")
    assert (after.valid_at, after.created_at) == (before.valid_at, before.created_at)
    assert (await store.status()).edges == 1
    assert await store.facts_about(["Late Coffee"]) == []


async def test_a_dropped_link_is_closed_and_never_deleted(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"), (None, "C"))
    await store.replace(vault.graphs())

    vault.write("A", (None, "C"))
    await store.replace(vault.graphs())

    assert said(await store.facts(["A.md"])) == [("A", "LINKS_TO", "C", None)]
    dropped = next(
        fact for fact in await store.facts_stated_in(["A.md"]) if fact.target_title == "B"
    )
    assert (dropped.valid_at, dropped.invalid_at) == (CREATED, CREATED + timedelta(days=2))
    assert (dropped.created_at, dropped.expired_at) == (
        SEEN + timedelta(days=1),
        SEEN + timedelta(days=2),
    )
    assert (await store.status()).edges == 1
    assert (await store.status(at=Moment(as_of=CREATED + timedelta(days=1)))).edges == 2


async def test_a_link_that_comes_back_holds_from_then_on(store: GraphStore) -> None:
    vault = Vault()
    for links in ([(None, "B")], [], [(None, "B")]):
        vault.write("A", *links)
        await store.replace(vault.graphs())

    (fact,) = await store.facts(["A.md"])
    assert fact.valid_at == CREATED + timedelta(days=3)
    assert len(await store.facts_stated_in(["A.md"])) == 2


async def test_a_deleted_note_is_part_of_the_past_only(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B", ("causes", "C"))
    vault.write("C")
    vault.delete("B")
    await store.replace(vault.graphs())

    assert await store.facts(["B.md"]) == []
    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "B", None)]
    assert await store.neighbours(["C.md"], hops=2, limit=5) == []
    assert (await store.status()).notes == 2
    before = Moment(known_at=SEEN + timedelta(days=3))
    assert said(await store.facts(["B.md"], at=before)) == [("B", "CAUSES", "C", "C.md")]
    assert [v.content_hash is None for v in await store.versions(["B.md"])] == [False, True]


async def test_a_forgotten_note_leaves_what_others_say_about_it(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B", (None, "C"), tags=["only-here"])
    vault.write("C")
    await store.replace(vault.graphs())

    await store.remove(["B.md", "never there.md"])

    assert (await store.digests()).keys() == {"A.md", "C.md"}
    assert await store.versions(["B.md"]) == []
    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "B", None)]
    assert await store.facts_about(["#only-here"]) == []

    await store.replace(vault.graphs("B"))

    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "B", "B.md")]


async def test_control_characters_in_names_stay_what_they_are(store: GraphStore) -> None:
    odd = "unit\x1f\x1e0 record\x1e\x1f1\x1e1"
    vault = Vault()
    vault.write(odd, ("causes", "B"), note_type=f"type {odd}")
    vault.write("B", ("people", odd[::-1]))
    await store.replace(vault.graphs())

    (fact,) = await store.facts([f"{odd}.md"])
    assert (fact.source_title, fact.source_path, fact.note_path) == (odd, f"{odd}.md", f"{odd}.md")
    assert (fact.target_title, fact.line, fact.valid_at) == ("B", 1, CREATED)
    (near,) = await store.neighbours(["B.md"], hops=1, limit=5)
    assert (near.path, near.title) == (f"{odd}.md", odd)
    around = await store.around(["B.md"], [], hops=1, limit=5)
    assert {(node.title, node.note_type) for node in around.nodes if node.hops} == {
        (odd, f"type {odd}"),
        (odd[::-1], None),
    }


async def test_a_note_that_is_gone_or_back_is_told_so_at_both_ends(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("B")
    await store.replace(vault.graphs())

    async def ends() -> list[tuple[str | None, str | None]]:
        facts = [*await store.facts(["A.md"]), *await store.facts_about(["B"])]
        return [(fact.source_path, fact.target_path) for fact in facts]

    assert await ends() == [("A.md", "B.md")]
    await store.remove(["B.md"])
    assert await ends() == [("A.md", None)]
    await store.remove(["B.md"])
    assert await ends() == [("A.md", None)]
    await store.replace(vault.graphs("B"))
    assert await ends() == [("A.md", "B.md")]


async def test_a_change_of_title_and_type_keeps_the_relations(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"), note_type="project")
    vault.write("B", ("causes", "A"))
    await store.replace(vault.graphs())

    vault.write("A", ("causes", "B"), note_type="goal")
    await store.replace(vault.graphs("A"))

    assert len(await store.facts(["A.md"])) == len(await store.facts(["B.md"])) == 1
    assert len(await store.versions(["A.md"])) == 2


async def test_a_history_that_was_rewritten_takes_the_place_of_the_old_one(
    store: GraphStore,
) -> None:
    vault = Vault()
    vault.write("A", ("causes", "B"))
    vault.write("A", ("causes", "C"))
    await store.replace(vault.graphs())
    rewritten = Vault()
    rewritten.write("A", ("causes", "D"))

    await store.replace(rewritten.graphs())

    assert [fact.target_title for fact in await store.facts_stated_in(["A.md"])] == ["D"]
    assert len(await store.versions(["A.md"])) == 1
    assert await store.facts_about(["B", "C"]) == []


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


async def test_what_was_inferred_stays_where_nobody_can_tell_what_was(store: GraphStore) -> None:
    vault, ada = Vault(), fact("Engines", version("A.md"))
    vault.write("A", ("causes", "B"))
    await store.replace(vault.graphs(inferred=[ada]))

    vault.write("A", ("causes", "C"))
    await store.replace(vault.graphs(inferred=None))
    assert said(await store.facts_about(["Ada"])) == [("Ada", "LEADS", "Engines", None)]
    assert said(await store.facts(["A.md"])) == [("A", "CAUSES", "C", None)]

    await store.replace(vault.graphs())
    assert await store.facts_about(["Ada"]) == []


async def test_a_census_counts_what_there_is_today(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", (None, "B"), ("causes", "Nobody"), tags=["energy"], note_type="project")
    vault.write("B", tags=["energy"])
    await store.replace(vault.graphs())

    found = await store.census()
    assert sorted(found.nodes, key=str) == [
        ("note", "project", 1),
        ("note", None, 1),
        ("tag", None, 1),
        ("unresolved", None, 1),
    ]
    assert found.edges == (("TAGGED", 2), ("CAUSES", 1), ("LINKS_TO", 1))

    vault.write("A")
    await store.replace(vault.graphs())

    found = await store.census()
    assert ("unresolved", None, 1) not in found.nodes
    assert found.edges == (("TAGGED", 1),)
