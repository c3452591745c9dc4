"""What the graph store asks of every database that may hold its graph."""

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.base.errors import ServiceUnavailableError, SourceError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.cypher.dialects import FALKOR, NEO4J, Dialect
from tools.graph.cypher.port import GraphBackend, Row, Writer

HOSTILE = (
    "'})-[r:OWNS]->(attacker) WHERE 1=1 //",
    "}]->(x), (attacker)-[:OWNS]->(x) WHERE 1=1 //",
    "}]->(n), (attacker:Note {path: 'evil.md'})-[:CONTROLS]->(n) //",
    "}]->(n) DELETE n //",
    "x' OR 1=1 WITH 1 AS x MATCH (n) DETACH DELETE n //",
    '"}) DETACH DELETE (n) /* */ "\\',
    "$uuid `n` {uuid: $uuid} \\' \\u0027",
    "CYPHER x=1 MATCH (n) DELETE n",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A database under test: how it speaks, and a backend whose server does not answer."""

    backend: GraphBackend
    dialect: Dialect
    gone: GraphBackend


_NEO4J = pytest.param("neo4j", marks=pytest.mark.integration)


@pytest.fixture(params=[pytest.param("falkor", marks=pytest.mark.integration), _NEO4J])
async def kind(request: pytest.FixtureRequest) -> AsyncIterator[Kind]:
    if request.param == "neo4j":
        uri = request.getfixturevalue("neo4j_uri")
        nobody = f"bolt://127.0.0.1:{_free_port()}"
        kind = Kind(Neo4jBackend(uri, vault="t"), NEO4J, Neo4jBackend(nobody, vault="t"))
    else:
        here: Path = request.getfixturevalue("socket")
        there = FalkorBackend(here.with_name("nobody.sock"), graph="backends")
        kind = Kind(FalkorBackend(here, graph="backends"), FALKOR, there)
        await kind.backend.clear()
    yield kind
    await kind.backend.close()
    await kind.gone.close()


@pytest.fixture
def backend(kind: Kind) -> GraphBackend:
    return kind.backend


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def names(backend: GraphBackend) -> list[object]:
    rows = await backend.query("MATCH (n:Entity) RETURN n.name ORDER BY n.name")
    return [name for (name,) in rows]


async def add(backend: GraphBackend, *given: str) -> None:
    async def work(_: object, writer: Writer) -> None:
        for name in given:
            await writer.run("CREATE (:Entity {uuid: $name, name: $name})", name=name)

    await backend.change(work)


# --- values --------------------------------------------------------------------------------

_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
# FalkorDB reads a parameter as text, so a number may lose its last digits or its size.
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _text,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=6,
)


# Neo4j plans a query anew for a parameter of another type, so most come in a list.
@settings(
    max_examples=max(12, settings().max_examples // 10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(_values, st.lists(_values, max_size=12))
async def test_a_parameter_comes_back_as_it_was(
    backend: GraphBackend, value: object, more: list[object]
) -> None:
    rows = await backend.query("RETURN $value, $more", value=value, more=more)
    assert rows == [[value, more]]


async def test_rows_come_in_order_with_their_columns(backend: GraphBackend) -> None:
    rows = await backend.query(
        "UNWIND $rows AS row RETURN row.a, row.b, row.c",
        rows=[{"a": 1, "b": "x"}, {"a": 2, "b": None, "c": [1.5]}],
    )
    assert rows == [[1, "x", None], [2, None, [1.5]]]
    assert await backend.query("MATCH (n:Nobody) RETURN n.name") == []


_DATES = (
    datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(2024, 1, 1, 1, 30, tzinfo=timezone(timedelta(hours=3))),
    datetime(2024, 12, 31, 22, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
)


async def test_a_kept_date_comes_back_in_utc(backend: GraphBackend) -> None:
    for moment in _DATES:
        rows = await backend.query("CREATE (n:Entity {at: $at}) RETURN n.at", at=moment)
        found = _moment(rows[0][0])
        assert found == moment
        assert found.utcoffset() == timedelta(0)


def _moment(value: object) -> datetime:
    """A date as a database gives it: as one, or as its ISO text."""
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))


async def test_dates_in_lists_and_rows_are_dates(backend: GraphBackend) -> None:
    moments = list(_DATES)
    rows = await backend.query(
        "UNWIND $rows AS row CREATE (n:Entity {at: row.at}) WITH collect(n.at) AS all RETURN all",
        rows=[{"at": moment} for moment in moments],
    )
    assert [_moment(value) for value in cast("list[object]", rows[0][0])] == moments


async def test_dates_of_any_zone_compare_by_time(backend: GraphBackend) -> None:
    early, late = _DATES[3], datetime(2023, 12, 31, 23, tzinfo=UTC)
    assert early < late
    await backend.query("CREATE (:Entity {at: $at})", at=early)
    query = "MATCH (n:Entity) WHERE n.at < $at RETURN count(n)"
    assert await backend.query(query, at=late) == [[1]]
    assert await backend.query(query, at=early) == [[0]]


async def test_text_that_is_like_a_date_stays_text(backend: GraphBackend) -> None:
    for text in ("2024-01-01", "2024", "2024-01-01 daily", "12:30"):
        assert await backend.query("CREATE (n:Entity {t: $t}) RETURN n.t", t=text) == [[text]]


_ODD = (
    *("", "İstanbul ğ ı", "日本語", "👩‍👩‍👧", "e\u0301", "\u202e\ufeff"),
    *("a\nb\r\n\t", "\x01\x1b[31m\x7f", "\\", "'", '"', "`"),
)
_MENDED = {"a\0b": "ab", "a\ud800b": "a\ufffdb", "\udc80": "\ufffd", "\ud83d\ude00": "😀"}


async def test_text_is_kept_or_mended(backend: GraphBackend) -> None:
    query = "CREATE (n:Entity {one: $one, all: $all}) RETURN n.one, n.all"
    for sent, kept in {**dict(zip(_ODD, _ODD, strict=True)), **_MENDED}.items():
        assert await backend.query(query, one=sent, all=["x", sent]) == [[kept, ["x", kept]]]
        rows = await backend.query("MATCH (n:Entity {one: $one}) RETURN count(n)", one=sent)
        assert rows == [[1]]


async def test_a_long_text_is_kept(backend: GraphBackend) -> None:
    text = "ğ" * 1_000_000
    rows = await backend.query("CREATE (n:Entity {t: $t}) RETURN size(n.t), n.t", t=text)
    assert rows == [[len(text), text]]


async def test_a_null_takes_a_property_away(backend: GraphBackend) -> None:
    await backend.query("CREATE (:Entity {uuid: 'a', gone: 1, kept: 2})")
    await backend.query("MATCH (n:Entity) SET n.gone = $new", new=None)
    rows = await backend.query("MATCH (n:Entity) WHERE n.gone IS NULL RETURN n.gone, n.kept")
    assert rows == [[None, 2]]


async def test_a_query_in_a_value_is_only_a_value(backend: GraphBackend) -> None:
    there = ["kept"]
    await add(backend, "kept")
    for text in HOSTILE:
        await add(backend, text)
        there.append(text)
        assert await names(backend) == sorted(there)
        rows = await backend.query(
            "MATCH (n:Entity) WHERE n.uuid IN $uuids RETURN n.name", uuids=[text]
        )
        assert rows == [[text]]
        edges = await backend.query("MATCH (n)-[e]->() RETURN count(e)")
        assert edges == [[0]]


# --- changes -------------------------------------------------------------------------------


async def test_a_change_takes_lists_of_statements(backend: GraphBackend) -> None:
    create = "CREATE (:Entity {uuid: $name, name: $name})"

    async def work(_: object, writer: Writer) -> None:
        await writer.run([(create, {"name": "a"}), (create, {"name": "b\0"})])
        await writer.run(
            "MATCH (a:Entity {name: $a}), (b:Entity {name: $b}) CREATE (a)-[:RELATES_TO]->(b)",
            a="a",
            b="b",
        )
        await writer.run([])

    await backend.change(work)
    rows = await backend.query("MATCH (a)-[:RELATES_TO]->(b) RETURN a.name, b.name")
    assert rows == [["a", "b"]]


async def test_nobody_sees_a_part_of_a_change(backend: GraphBackend) -> None:
    seen: list[list[object]] = []

    async def work(_: object, writer: Writer) -> None:
        for name in ("a", "b"):
            await writer.run("CREATE (:Entity {name: $name})", name=name)
            seen.append(await names(backend))

    await backend.change(work)
    assert seen == [[], []]
    assert await names(backend) == ["a", "b"]


async def test_a_change_that_fails_in_its_middle_leaves_nothing(backend: GraphBackend) -> None:
    await add(backend, "before")

    async def work(_: object, writer: Writer) -> None:
        await writer.run("MATCH (n:Entity) SET n.name = 'changed'")
        await writer.run("CREATE (:Entity {name: 'new'})")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await backend.change(work)
    assert await names(backend) == ["before"]


# Redis runs the other statements of a transaction all the same.
@pytest.mark.parametrize("kind", [_NEO4J], indirect=True)
async def test_a_statement_that_fails_takes_the_change_with_it(backend: GraphBackend) -> None:
    async def failing(_: object, writer: Writer) -> None:
        await writer.run("CREATE (:Entity {name: 'a'})")
        await writer.run(statement)
        await writer.run("CREATE (:Entity {name: 'b'})")

    for statement in ("THIS IS NO CYPHER", "RETURN $never_given", "RETURN 1/0"):
        with pytest.raises(SourceError) as caught:
            await backend.change(failing)
        assert "\n" not in str(caught.value)
        assert statement not in str(caught.value)
        assert await names(backend) == []
    await add(backend, "after")
    assert await names(backend) == ["after"]


async def test_a_change_that_is_cancelled_leaves_nothing(backend: GraphBackend) -> None:
    started = asyncio.Event()

    async def work(_: object, writer: Writer) -> None:
        await writer.run("CREATE (:Entity {name: 'a'})")
        started.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(backend.change(work))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await names(backend) == []


async def test_changes_at_once_are_all_kept(backend: GraphBackend) -> None:
    await backend.prepare()
    await asyncio.gather(*(add(backend, f"{number}") for number in range(8)))
    assert await names(backend) == [f"{number}" for number in range(8)]


async def test_an_empty_change_is_fine(backend: GraphBackend) -> None:
    async def work(_: object, writer: Writer) -> None: ...

    await backend.change(work)
    assert await names(backend) == []


# --- the graph as a whole ------------------------------------------------------------------


async def test_a_graph_can_be_prepared_again_and_again(backend: GraphBackend) -> None:
    await backend.prepare()
    await add(backend, "a")
    await backend.prepare()
    assert await names(backend) == ["a"]


async def test_a_cleared_graph_is_empty_and_can_be_filled(backend: GraphBackend) -> None:
    await backend.clear()
    await backend.prepare()
    await add(backend, "a", "b")
    await backend.query("MATCH (a:Entity), (b:Entity) CREATE (a)-[:RELATES_TO]->(b)")
    await backend.clear()
    await backend.clear()
    assert await names(backend) == []
    assert await backend.query("MATCH ()-[e]->() RETURN count(e)") == [[0]]
    await backend.prepare()
    await add(backend, "c")
    assert await names(backend) == ["c"]


async def test_an_entity_loses_its_labels_and_keeps_the_rest(kind: Kind) -> None:
    backend = kind.backend
    await backend.prepare()
    await backend.query(
        "CREATE (n:Entity:Note:Person {uuid: 'n', name: 'N'}) "
        "CREATE (other:Entity:Note {uuid: 'o', name: 'O'}) "
        "CREATE (v:Episodic {uuid: 'v'})-[:MENTIONS {uuid: 'm'}]->(n) "
        "CREATE (n)-[:RELATES_TO {uuid: 'said'}]->(other) "
        "CREATE (other)-[:RELATES_TO {uuid: 'about'}]->(n)"
    )
    before = await _edges(backend)

    async def work(_: object, writer: Writer) -> None:
        await writer.run(kind.dialect.relabel, uuid="n")
        await writer.run(kind.dialect.relabel, uuid="not there")

    await backend.change(work)
    rows = await backend.query("MATCH (n:Entity) RETURN n.uuid, n.name, labels(n) ORDER BY n.uuid")
    assert rows[0] == ["n", "N", ["Entity"]]
    assert rows[1][:2] == ["o", "O"]
    assert sorted(cast("list[str]", rows[1][2])) == ["Entity", "Note"]
    assert await _edges(backend) == before


async def _edges(backend: GraphBackend) -> list[Row]:
    return await backend.query(
        "MATCH (a)-[e]->(b) RETURN a.uuid, type(e), e.uuid, b.uuid ORDER BY e.uuid"
    )


# --- faults --------------------------------------------------------------------------------


async def test_a_query_that_cannot_be_run_is_one_line(backend: GraphBackend) -> None:
    with pytest.raises(SourceError) as caught:
        await backend.query("MATCH (n RETURN n", name="a")
    assert not isinstance(caught.value, ServiceUnavailableError)
    assert "\n" not in str(caught.value)
    assert await names(backend) == []


async def test_a_server_that_is_gone_is_told_by_every_method(kind: Kind) -> None:
    async def work(_: object, writer: Writer) -> None: ...

    gone = kind.gone
    for attempt in (
        lambda: gone.query("RETURN 1"),
        lambda: gone.change(work),
        gone.prepare,
        gone.clear,
    ):
        with pytest.raises(ServiceUnavailableError, match="search still works") as caught:
            await attempt()
        assert "\n" not in str(caught.value)


async def test_what_is_closed_can_be_used_again(backend: GraphBackend) -> None:
    await backend.close()
    await add(backend, "a")
    await backend.close()
    await backend.close()
    assert await names(backend) == ["a"]
