"""A note that the database refuses is left out whole, on each database; all others are written."""

import math
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.contract.vault import Vault
from tests.support.servers.refusing_graphs import RefusingBackend
from tools.base.errors import RefusedError, ServiceUnavailableError, SourceError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.cypher.port import GraphBackend, Work

pytestmark = pytest.mark.integration

UNHOLDABLE = "Unholdable"


@dataclass(frozen=True, slots=True)
class Database:
    """The store under test, what refuses for it, and another way to the same database."""

    store: GraphitiStore
    backend: RefusingBackend
    plain: GraphBackend


@pytest.fixture(params=["falkor", "neo4j"])
async def database(request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    opened: Callable[[], GraphBackend]
    if request.param == "neo4j":
        uri = request.getfixturevalue("neo4j_uri")
        opened = lambda: Neo4jBackend(uri, vault="tests")  # noqa: E731
    else:
        socket: Path = request.getfixturevalue("socket")
        opened = lambda: FalkorBackend(socket, graph="vault")  # noqa: E731
    backend, plain = RefusingBackend(opened(), UNHOLDABLE), opened()
    store = GraphitiStore(backend)
    await store.reset()
    yield Database(store, backend, plain)
    await store.close()
    await plain.close()


def a_vault(*bad: int, notes: int) -> Vault:
    """Each note links to the next one and to a thing; the bad ones to what cannot be held."""
    vault = Vault()
    for n in range(notes):
        target = UNHOLDABLE if n in bad else f"thing {n}"
        vault.write(f"N{n}", ("causes", f"N{(n + 1) % notes}"), ("needs", target), tags=("all",))
    return vault


async def said(store: GraphitiStore, vault: Vault) -> object:
    """All that the store answers about the notes."""
    paths = [f"{name}.md" for name in vault.versions]
    return await store.facts_stated_in(paths), await store.versions(paths)


async def everything(database: Database) -> object:
    nodes = await database.plain.query(
        "MATCH (n) WHERE n.digest IS NOT NULL OR NOT n:Entity OR NOT (n)--() "
        "RETURN n.uuid, n.content_hash ORDER BY n.uuid"
    )
    edges = await database.plain.query("MATCH ()-[e]->() RETURN e.uuid ORDER BY e.uuid")
    return nodes, edges


async def test_notes_that_are_refused_are_left_out_and_all_others_written(
    database: Database,
) -> None:
    bad = (0, 4, 11)  # in the first batch and the last; the one between is whole
    vault = a_vault(*bad, notes=12)
    graphs = vault.graphs()
    # A note is in a batch once, so one that comes again begins another.
    batches = [*graphs[:5], graphs[1], *graphs[5:8], graphs[1], *graphs[8:]]
    assert await database.store.replace(batches) == tuple(f"N{n}.md" for n in bad)

    good = [graph for graph in graphs if graph.entity.name not in {f"N{n}" for n in bad}]
    digests = {str(graph.entity.path): str(graph.entity.digest) for graph in good}
    assert await database.store.digests() == digests
    for n in bad:
        assert await database.store.facts_stated_in([f"N{n}.md"]) == []
        assert await database.store.versions([f"N{n}.md"]) == []
    assert (await database.store.around([], [UNHOLDABLE], hops=1, limit=9)).nodes == ()
    left_out = await everything(database)

    await database.store.reset()
    assert await database.store.replace(good) == ()
    assert await everything(database) == left_out

    database.backend.words = ()
    assert await database.store.replace([g for g in graphs if g not in good]) == ()
    whole = await said(database.store, vault)
    await database.store.reset()
    await database.store.replace(graphs)
    assert await said(database.store, vault) == whole


async def test_a_note_that_comes_to_be_refused_says_nothing_old(database: Database) -> None:
    vault = a_vault(notes=4)
    await database.store.replace(vault.graphs())
    vault.write("N1", ("needs", UNHOLDABLE))
    vault.write("N2", ("needs", "another"))
    assert await database.store.replace(vault.graphs()) == ("N1.md",)
    assert await database.store.facts(["N1.md"]) == []
    assert "N1.md" not in await database.store.digests()
    (fact,) = await database.store.facts(["N2.md"])
    assert fact.target_title == "another"
    about = await database.store.facts_about(["N1"])
    assert about == []
    assert [fact.target_title for fact in await database.store.facts(["N0.md"])][:1] == ["N1"]


async def test_a_number_that_is_none_is_refused_by_falkordb(database: Database) -> None:
    """A value that one database cannot hold and the other can."""
    graphs = a_vault(notes=3).graphs()
    bad = graphs[1]
    endless = replace(bad, relations=tuple(replace(r, strength=math.inf) for r in bad.relations))
    refused = await database.store.replace([graphs[0], endless, graphs[2]])
    falkor = isinstance(database.plain, FalkorBackend)
    assert refused == (("N1.md",) if falkor else ())
    assert len(await database.store.digests()) == (2 if falkor else 3)


@pytest.mark.parametrize("error", [ServiceUnavailableError, SourceError])
async def test_what_is_no_refusal_stops_the_load(
    database: Database, monkeypatch: pytest.MonkeyPatch, error: type[SourceError]
) -> None:
    changes = 0

    async def failing(work: Work) -> None:
        nonlocal changes
        changes += 1
        raise error("gone")

    monkeypatch.setattr(database.backend, "change", failing)
    with pytest.raises(error, match="gone"):
        await database.store.replace(a_vault(notes=5).graphs())
    assert changes == 1


async def test_a_database_that_refuses_every_change_loses_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = a_vault(notes=5)
    await database.store.replace(vault.graphs())
    before = await everything(database)

    async def refusing(work: Work) -> None:
        raise RefusedError("It may only be read.")

    vault.write("N1", ("needs", "another"))
    monkeypatch.setattr(database.backend, "change", refusing)
    with pytest.raises(RefusedError):
        await database.store.replace(vault.graphs())
    assert await everything(database) == before
