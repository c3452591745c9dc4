"""After any history of changes a graph is as if indexed at once, and both stores agree."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.vault import Vault, said
from tests.fakes.graph import InMemoryGraph
from tools.domain import GraphRelation
from tools.folding import fold_name
from tools.graph.graphiti import GraphitiStore
from tools.graph.model import CAUSAL
from tools.graph.store import GraphStore

NAMES = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Change:
    """A new text of a note, or (None) the end of it."""

    name: str
    links: tuple[tuple[str | None, str], ...] | None
    tags: tuple[str, ...] = ()


words = st.sampled_from([None, "causes", "supersedes"])
links = st.lists(st.tuples(words, st.sampled_from((*NAMES, "Nowhere"))), max_size=3).map(tuple)
histories = st.lists(
    st.builds(
        Change,
        st.sampled_from(NAMES),
        st.one_of(links, links, links, st.none()),
        st.sampled_from([(), ("x",), ("x", "y")]),
    ),
    max_size=8,
)


async def play(store: GraphStore, history: Sequence[Change]) -> Vault:
    """Index each change as it happens."""
    vault = Vault()
    for change in history:
        if change.links is None:
            vault.notes.pop(change.name, None)
            await store.remove([f"{change.name}.md"])
        else:
            vault.write(change.name, *change.links, tags=change.tags)
            await store.replace(vault.graphs(change.name))
    return vault


async def snapshot(store: GraphStore, paths: Sequence[str]) -> dict[str, object]:
    return {
        "paths": await store.paths(),
        "status": await store.status(),
        "facts": await store.facts(paths),
        "versions": await store.versions(paths),
        "superseded": await store.superseded(paths),
        "near": await store.neighbours(paths[:1], hops=3, limit=20),
        "chains": await store.chains(paths, relations=CAUSAL, direction="both", limit=50),
    }


def spoken(relations: Sequence[GraphRelation]) -> set[tuple[str, str, str, str | None]]:
    """Placeholders are called as the first or the last to name them; that may differ."""
    return {(s, r, fold_name(t), path) for s, r, t, path in said(relations)}


async def check_history(
    open_store: Callable[[], GraphStore], history: Sequence[Change]
) -> dict[str, object]:
    paths = [f"{name}.md" for name in NAMES]
    store = open_store()
    await store.reset()
    vault = await play(store, history)
    grown = await snapshot(store, paths)
    await store.replace(vault.graphs())
    assert await snapshot(store, paths) == grown, "indexing twice changes nothing"
    assert await store.paths() == {note.path for note in vault.notes.values()}
    said_now = spoken(await store.facts(paths))
    successors = await store.superseded(paths)
    await store.reset()
    await store.replace(vault.graphs())
    assert spoken(await store.facts(paths)) == said_now, "as if it had been indexed at once"
    assert (await store.superseded(paths)).keys() == successors.keys()
    return grown


@given(histories)
def test_any_history_ends_where_a_fresh_index_does(history: list[Change]) -> None:
    asyncio.run(check_history(InMemoryGraph, history))


@pytest.mark.integration
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=histories)
def test_the_real_store_agrees_with_the_one_in_memory(socket: Path, history: list[Change]) -> None:
    async def both() -> None:
        real = GraphitiStore(socket)
        try:
            ours = await check_history(lambda: real, history)
        finally:
            await real.close()
        assert ours == await check_history(InMemoryGraph, history)

    asyncio.run(both())
