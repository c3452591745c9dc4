"""Every history is answered on both axes as a replay of its versions, by all stores alike."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.contract.vault import CREATED, SEEN, Vault
from tests.fakes.graph import InMemoryGraph
from tools.base.domain import GraphRelation, Moment
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.relations import CAUSAL, SUPERSEDED_BY, SUPERSEDES
from tools.graph.store import GraphStore
from tools.graph.versions import Dated, last_at

NAMES = ("A", "B", "C", "D")

# A server takes seconds for what the graph in memory does at once, which is tried with more.
FEW = max(3, settings().max_examples // 40)


@dataclass(frozen=True)
class Change:
    """A new text of a note, or (None) the end of it; ``dated`` days after the first date."""

    name: str
    links: tuple[tuple[str | None, str], ...] | None
    tags: tuple[str, ...] = ()
    dated: int | None = None


words = st.sampled_from([None, "causes", "supersedes", "superseded_by"])
links = st.lists(st.tuples(words, st.sampled_from((*NAMES, "Nowhere"))), max_size=3).map(tuple)
histories = st.lists(
    st.builds(
        Change,
        st.sampled_from(NAMES),
        st.one_of(links, links, links, st.none()),
        st.sampled_from([(), ("x",), ("x", "y")]),
        st.sampled_from([None, None, 0, 3, 6]),
    ),
    min_size=1,
    max_size=8,
)

type Fact = tuple[str, str, str]


def played(history: Sequence[Change]) -> Vault:
    vault = Vault()
    for change in history:
        if change.links is None:
            vault.delete(change.name)
            continue
        created = CREATED + timedelta(days=change.dated or 0)
        vault.write(change.name, *change.links, tags=change.tags, created=created)
        if change.dated is not None:  # dated by itself, maybe before what it follows
            last = vault.versions[change.name][-1]
            assert last.said is not None
            vault.versions[change.name][-1] = replace(
                last, said=replace(last.said, modified=None, created=created)
            )
    return vault


def replayed(vault: Vault, *, at: Moment) -> set[Fact]:
    """What the last version of each note says that was known by then and valid by then."""
    speaking = {
        name: last_at(vault.dated(name), as_of=at.as_of, known_at=at.known_at)
        for name in vault.versions
    }
    found: set[Fact] = set()
    for name, version in speaking.items():
        facts = _facts(vault, name, version)
        others = (
            f for other in speaking if other != name for f in _facts(vault, other, speaking[other])
        )
        if any(relation == SUPERSEDED_BY for _, relation, _ in facts) or any(
            (relation, target) == (SUPERSEDES, name) for _, relation, target in others
        ):
            facts = {fact for fact in facts if fact[1] in (SUPERSEDES, SUPERSEDED_BY)}
        found |= facts
    return found


def _facts(vault: Vault, name: str, dated: Dated | None) -> set[Fact]:
    said = dated.version.said if dated else None
    stated = [
        (s.relation, f"#{s.target}" if s.kind == "tag" else s.target)
        for s in (said.statements if said else ())
    ]
    return {(name, relation, target) for relation, target in stated if target != name}


def told(facts: Sequence[GraphRelation]) -> set[Fact]:
    return {
        (fact.note_path.removesuffix(".md"), fact.relation, fact.target_title) for fact in facts
    }


def points(days: Sequence[float]) -> list[Moment]:
    valid: list[datetime | None] = [None, *(CREATED + timedelta(days=day) for day in days)]
    known: list[datetime | None] = [None, *(SEEN + timedelta(days=day) for day in days)]
    return [Moment(as_of=as_of, known_at=known_at) for as_of in valid for known_at in known]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(history=histories)
def test_the_graph_equals_a_replay_of_the_versions(history: list[Change]) -> None:
    vault = played(history)
    paths = [f"{name}.md" for name in NAMES]

    async def check() -> None:
        store = InMemoryGraph()
        await store.replace(vault.graphs())
        for at in points([-1, 1.5, 3.5, 6.5]):
            assert told(await store.facts(paths, at=at)) == replayed(vault, at=at)

    asyncio.run(check())


async def snapshot(store: GraphStore, vault: Vault) -> dict[str, object]:
    paths = [f"{name}.md" for name in NAMES]
    moments = points([2.5])
    return {
        "digests": await store.digests(),
        "status": [await store.status(at=at) for at in moments],
        "facts": [await store.facts(paths, at=at) for at in moments],
        "said": await store.facts_stated_in(paths),
        "versions": await store.versions(paths),
        "superseded": [await store.superseded(paths, at=at) for at in moments],
        "once": await store.notes_mentioning(paths[:1], ["Nowhere", "x"], limit=3),
        "near": [await store.neighbours(paths[:1], hops=3, limit=20, at=at) for at in moments],
        "chains": [
            await store.chains(paths, relations=CAUSAL, direction="both", limit=50, at=at)
            for at in moments
        ],
        "path": len(await store.path_between(paths[0], paths[1])),
    }


async def grown(
    open_store: Callable[[], GraphStore], history: Sequence[Change]
) -> dict[str, object]:
    """Index after every change; what comes out is as if all had been indexed at once."""
    store = open_store()
    await store.reset()
    for end in range(1, len(history) + 1):
        await store.replace(played(history[:end]).graphs())
    vault = played(history)
    found = await snapshot(store, vault)
    await store.replace(vault.graphs())
    assert await snapshot(store, vault) == found, "indexing twice changes nothing"
    await store.reset()
    await store.replace(vault.graphs())
    assert await snapshot(store, vault) == found, "as if it had been indexed at once"
    return found


@pytest.mark.integration
@settings(
    max_examples=FEW,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@example(
    history=[  # two take one's place at once
        Change("C", ()),
        Change("D", (("superseded_by", "C"),)),
        Change("B", (("supersedes", "D"),)),
    ]
)
@given(history=histories)
def test_a_real_store_agrees_with_the_one_in_memory(
    real_store: Callable[[], GraphitiStore], history: list[Change]
) -> None:
    async def both() -> None:
        real = real_store()
        try:
            ours = await grown(lambda: real, history)
        finally:
            await real.close()
        assert ours == await grown(InMemoryGraph, history)

    asyncio.run(both())


@pytest.mark.integration
@settings(
    max_examples=FEW,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
@given(many=st.lists(histories, min_size=20, max_size=20))
def test_many_histories_in_a_real_store_equal_a_replay(
    real_store: Callable[[], GraphitiStore], many: list[list[Change]]
) -> None:
    vaults = [played([apart(change, at) for change in one]) for at, one in enumerate(many)]

    async def check() -> None:
        store = real_store()
        try:
            await store.reset()
            await store.replace([graph for vault in vaults for graph in vault.graphs()])
            paths = [f"{name}.md" for vault in vaults for name in vault.versions]
            for at in points([-1, 1.5, 3.5, 6.5]):
                expected = set[Fact]().union(*(replayed(vault, at=at) for vault in vaults))
                assert told(await store.facts(paths, at=at)) == expected
        finally:
            await store.close()

    asyncio.run(check())


def apart(change: Change, number: int) -> Change:
    """The change with names that no other history has."""
    links = change.links and tuple((word, f"{number} {name}") for word, name in change.links)
    return replace(change, name=f"{number} {change.name}", links=links)
