"""What every graph store knows of a note's earlier texts and of the note that took its place."""

from datetime import timedelta

import pytest

from tests.contract.vault import CREATED, SEEN, Vault
from tools.graph.store import GraphStore


async def test_every_version_is_remembered_once(store: GraphStore) -> None:
    vault = Vault()
    first = vault.write("A", (None, "B"))
    await store.replace(vault.graphs())
    second = vault.write("A", (None, "C"))
    await store.replace(vault.graphs())
    await store.replace(vault.graphs())

    versions = await store.versions(["A.md"])

    assert [(v.content_hash, v.timestamp, v.first) for v in versions] == [
        (first.content_hash, first.modified, True),
        (second.content_hash, second.modified, False),
    ]
    assert [v.seen_at for v in versions] == [SEEN + timedelta(days=1), SEEN + timedelta(days=2)]


@pytest.mark.parametrize("spoken_by", ["new", "old"])
async def test_a_superseded_note_names_its_successor(store: GraphStore, spoken_by: str) -> None:
    vault = Vault()
    by_new = spoken_by == "new"
    vault.write("Old", *([] if by_new else [("superseded_by", "New")]))
    vault.write("New", *([("supersedes", "Old")] if by_new else []))
    await store.replace(vault.graphs("Old"))
    assert await store.superseded(["Old.md", "New.md"]) == {}

    await store.replace(vault.graphs("New"))

    assert await store.superseded(["Old.md", "New.md"]) == {"Old.md": "New.md"}


async def test_the_latest_successor_counts_until_it_takes_it_back(store: GraphStore) -> None:
    vault = Vault()
    vault.write("Old")
    vault.write("Newer", ("supersedes", "Old"), created=CREATED + timedelta(days=900))
    vault.write("Newest", ("supersedes", "Old"), created=CREATED + timedelta(days=1000))
    await store.replace(vault.graphs())
    assert await store.superseded(["Old.md"]) == {"Old.md": "Newest.md"}

    vault.write("Newest", created=CREATED + timedelta(days=1000))
    await store.replace(vault.graphs("Newest"))
    assert await store.superseded(["Old.md"]) == {"Old.md": "Newer.md"}

    vault.write("Old", (None, "Elsewhere"))
    await store.replace(vault.graphs("Old"))
    assert await store.superseded(["Old.md"]) == {"Old.md": "Newer.md"}

    await store.remove(["Newer.md"])
    assert await store.superseded(["Old.md"]) == {}


async def test_a_name_that_moves_to_another_note_takes_its_successor_along(
    store: GraphStore,
) -> None:
    vault = Vault()
    vault.write("One", aliases=["Plan"])
    vault.write("Two")
    vault.write("New", ("supersedes", "Plan"))
    await store.replace(vault.graphs())
    assert await store.superseded(["One.md", "Two.md"]) == {"One.md": "New.md"}

    vault.write("One")
    vault.write("Two", aliases=["Plan"])
    await store.replace(vault.graphs("New"))

    assert await store.superseded(["One.md", "Two.md"]) == {"Two.md": "New.md"}
