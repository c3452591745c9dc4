"""What every graph store does: the one in memory and Graphiti on a real embedded server."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes.graph import InMemoryGraph
from tools.domain import GraphRelation, Link, Note
from tools.errors import InputError
from tools.folding import fold_name
from tools.graph import queries
from tools.graph.graphiti import GraphitiStore
from tools.graph.model import CAUSAL, NoteGraph
from tools.graph.projection import project
from tools.graph.store import GraphStore

CREATED = datetime(2024, 1, 1, tzinfo=UTC)
SEEN = datetime(2025, 1, 1, tzinfo=UTC)


# --- a vault in memory -----------------------------------------------------------------------


@dataclass
class Vault:
    """Notes by name; every change of a note is a new version, a day later."""

    notes: dict[str, Note] = field(default_factory=dict[str, Note])
    day: int = 0

    def write(
        self,
        name: str,
        *links: tuple[str | None, str],
        tags: Sequence[str] = (),
        created: datetime = CREATED,
        note_type: str | None = None,
        aliases: Sequence[str] = (),
    ) -> Note:
        """``links`` are (relation or None, target) pairs, one a line."""
        self.day += 1
        text = f"{links} {tags} {note_type} {aliases}"
        previous = self.notes.get(name)
        if previous is not None and previous.text == text:
            return previous
        self.notes[name] = Note(
            path=f"{name}.md",
            title=name,
            text=text,
            content_hash=f"{name} {text}",
            body_line=1,
            created=created,
            modified=created + timedelta(days=self.day),
            date_origin="frontmatter",
            tags=tuple(tags),
            links=tuple(
                Link(target=target, line=line, relation=relation)
                for line, (relation, target) in enumerate(links, start=1)
            ),
            note_type=note_type,
            aliases=tuple(aliases),
        )
        return self.notes[name]

    def resolve(self, target: str) -> str | None:
        names = {
            fold_name(called): note.path
            for name, note in self.notes.items()
            for called in (*note.aliases, name, note.path)
        }
        return names.get(fold_name(target))

    def graphs(self, *names: str) -> list[NoteGraph]:
        return [
            project(self.notes[name], resolve=self.resolve, seen_at=SEEN + timedelta(days=self.day))
            for name in names or self.notes
        ]


def said(relations: Sequence[GraphRelation]) -> list[tuple[str, str, str, str | None]]:
    return [(r.source_title, r.relation, r.target_title, r.target_path) for r in relations]


# --- the two stores --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("graph")
    command = [
        *(sys.executable, "-m", "tools.graph.falkor", "--idle-minutes", "5"),
        *("--data-dir", str(folder / "d"), "--run-dir", str(folder / "r")),
        *("--owner", str(os.getpid())),
    ]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as keeper:
        path = folder / "r" / "graph.sock"
        deadline = time.monotonic() + 20
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        yield path
        keeper.terminate()


@pytest.fixture(params=["memory", pytest.param("falkor", marks=pytest.mark.integration)])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[GraphStore]:
    if request.param == "memory":
        yield InMemoryGraph()
        return
    real = GraphitiStore(request.getfixturevalue("socket"))
    await real.reset()
    yield real
    await real.close()


# --- writing ---------------------------------------------------------------------------------


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


# --- versions and successors -----------------------------------------------------------------


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


# --- walks -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("hops", [0, 5, -1, True, 2.0, "2"])
async def test_hops_are_an_integer_from_1_to_4(store: GraphStore, hops: int) -> None:
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


async def test_a_chain_ends_before_it_would_repeat_itself(store: GraphStore) -> None:
    await a_causal_vault(store)

    chains = await store.chains(
        ["Coffee.md"], relations=CAUSAL, direction="both", depth=4, limit=50
    )

    assert all(len(chain) <= 4 for chain in chains)
    assert ["CAUSES", "LEADS_TO"] in [[r.relation for r in chain] for chain in chains]
    for chain in chains:
        names = [chain[0].source_title, *(r.target_title for r in chain)]
        assert "CAUSED_BY" in {r.relation for r in chain} or len(set(names)) == len(names)


async def test_only_the_relations_asked_for_make_a_chain(store: GraphStore) -> None:
    await a_causal_vault(store)

    chains = await store.chains(
        ["Coffee.md"], relations=frozenset({"CAUSES"}), direction="effects", limit=5
    )

    assert [[r.relation for r in chain] for chain in chains] == [["CAUSES"]]


# --- invariants ------------------------------------------------------------------------------

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


def test_no_cypher_is_built_from_text() -> None:
    """Only constants are concatenated, in queries.py, with other constants."""
    written = Path(str(queries.__file__)).read_text("utf-8")
    others = Path(str(queries.__file__)).parent.glob("*.py")
    using = "\n".join(file.read_text("utf-8") for file in others if file.stem != "queries")

    assert not re.search(r"\bf[\"']|\.format\(|%\s*[\(\w]|\.join\(|\.replace\(", written)
    calls = re.findall(r"(?:_ask|\.query)\(\s*([^\s,)]+)", using)
    assert len(calls) > 10
    assert {call for call in calls if not call.startswith("queries.")} <= {
        "cypher",
        "query",
        "self",
    }
    assert "MATCH" not in using
