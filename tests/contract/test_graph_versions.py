"""What every graph store knows of a note's earlier texts and of the note that took its place."""

from datetime import timedelta

import pytest

from tests.contract.vault import CREATED, SEEN, Vault, said
from tools.base.domain import Moment
from tools.graph.store import GraphStore


async def test_every_version_is_remembered_once(store: GraphStore) -> None:
    vault = Vault()
    first = vault.write("A", (None, "B"))
    second = vault.write("A", (None, "C"))
    await store.replace(vault.graphs())
    await store.replace(vault.graphs())

    versions = await store.versions(["A.md"])

    assert [(v.content_hash, v.timestamp, v.first) for v in versions] == [
        (first.content_hash, CREATED, True),
        (second.content_hash, CREATED + timedelta(days=2), False),
    ]
    assert [v.known_at for v in versions] == [SEEN + timedelta(days=1), SEEN + timedelta(days=2)]


@pytest.mark.parametrize("spoken_by", ["new", "old"])
async def test_a_superseded_note_names_its_successor(store: GraphStore, spoken_by: str) -> None:
    vault = Vault()
    by_new = spoken_by == "new"
    vault.write("Old", *([] if by_new else [("superseded_by", "New")]))
    await store.replace(vault.graphs())
    assert await store.superseded(["Old.md", "New.md"]) == {}

    vault.write("New", *([("supersedes", "Old")] if by_new else []))
    await store.replace(vault.graphs())

    assert await store.superseded(["Old.md", "New.md"]) == {"Old.md": "New.md"}


@pytest.mark.parametrize("spoken_by", ["new", "old"])
async def test_what_a_superseded_note_says_holds_no_more(store: GraphStore, spoken_by: str) -> None:
    vault = Vault()
    replaced = CREATED + timedelta(days=500)
    if spoken_by == "new":
        vault.write("Old", ("causes", "Sleep"))
        vault.write("New", ("supersedes", "Old"), created=replaced)
    else:
        vault.write("New")
        vault.write("Old", ("causes", "Sleep"))
        vault.write("Old", ("causes", "Sleep"), ("superseded_by", "New"), created=replaced)
    await store.replace(vault.graphs())

    now = [relation for _, relation, _, _ in said(await store.facts(["Old.md"]))]
    before = await store.facts(["Old.md"], at=Moment(as_of=replaced - timedelta(days=1)))
    ended = next(
        fact for fact in await store.facts_stated_in(["Old.md"]) if fact.relation == "CAUSES"
    )

    assert "CAUSES" not in now
    assert [relation for _, relation, _, _ in said(before)] == ["CAUSES"]
    assert ended.invalid_at is not None
    assert ended.invalid_at >= replaced


async def test_the_latest_successor_counts_until_it_takes_it_back(store: GraphStore) -> None:
    vault = Vault()
    vault.write("Old", (None, "Somewhere"))
    vault.write("Newer", ("supersedes", "Old"), created=CREATED + timedelta(days=900))
    vault.write("Newest", ("supersedes", "Old"), created=CREATED + timedelta(days=1000))
    await store.replace(vault.graphs())
    assert await store.superseded(["Old.md"]) == {"Old.md": "Newest.md"}

    vault.write("Newest", created=CREATED + timedelta(days=1000))
    await store.replace(vault.graphs())
    assert await store.superseded(["Old.md"]) == {"Old.md": "Newer.md"}

    vault.write("Newer", created=CREATED + timedelta(days=900))
    await store.replace(vault.graphs())
    assert await store.superseded(["Old.md"]) == {}
    assert said(await store.facts(["Old.md"])) == [("Old", "LINKS_TO", "Somewhere", None)]


async def test_two_notes_that_supersede_each_other_end(store: GraphStore) -> None:
    vault = Vault()
    vault.write("A", ("supersedes", "B"), ("causes", "C"))
    vault.write("B", ("supersedes", "A"), ("causes", "C"))

    await store.replace(vault.graphs())

    assert await store.superseded(["A.md", "B.md"]) == {"A.md": "B.md", "B.md": "A.md"}
    assert {fact.relation for fact in await store.facts(["A.md", "B.md"])} == {"SUPERSEDES"}


async def test_notes_that_ever_said_something_of_it_latest_change_first(store: GraphStore) -> None:
    vault = Vault()
    vault.write("Tea")
    for name, *links in (
        ("Ceased", (None, "Tea"), ("causes", "Tea")),
        ("Gone", (None, "Tea")),
        ("Partly", (None, "Tea"), ("causes", "Tea")),
        ("Still", (None, "Tea")),
        ("Never", (None, "Milk")),
        ("Named", ("leads to", "Nowhere")),
    ):
        vault.write(name, *links, tags=("drink",) if name == "Never" else ())
    for name in ("Named", "Ceased", "Never"):
        vault.write(name)
    vault.write("Partly", (None, "Tea"))
    vault.delete("Gone")
    await store.replace(vault.graphs())

    async def ever(paths: list[str], *names: str, limit: int = 9) -> list[str]:
        return await store.notes_mentioning(paths, names, limit=limit)

    assert await ever(["Tea.md"]) == ["Gone.md", "Partly.md", "Ceased.md", "Still.md"]
    assert await ever(["Tea.md"], "nowhere", limit=2) == ["Gone.md", "Partly.md"]
    assert await ever([], "nowhere") == ["Named.md"]
    assert await ever([], "#drink") == ["Never.md"]
    assert await ever([], "unknown") == []
