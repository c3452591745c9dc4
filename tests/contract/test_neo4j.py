"""What only a Neo4j server does to the graph: owners, logins, restarts, Graphiti's writes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from neo4j import GraphDatabase, exceptions

from tools.base.errors import ServiceUnavailableError, SourceError
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.cypher import queries
from tools.graph.cypher.port import Writer

pytestmark = pytest.mark.integration

SEEN = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
async def backend(neo4j_uri: str) -> AsyncIterator[Neo4jBackend]:
    backend = Neo4jBackend(neo4j_uri, vault="ours")
    yield backend
    await backend.close()


async def refusal(backend: Neo4jBackend) -> str:
    """The one line that says why the backend cannot be used; it says no for every method."""
    lines: set[str] = set()

    async def work(_: object, writer: Writer) -> None:
        await writer.run("CREATE (:Entity)")

    for attempt in (
        lambda: backend.query("RETURN 1"),
        lambda: backend.change(work),
        backend.prepare,
        backend.clear,
    ):
        with pytest.raises(SourceError) as caught:
            await attempt()
        lines.add(str(caught.value))
    await backend.close()
    (line,) = lines
    assert "\n" not in line
    return line


# --- whose database ------------------------------------------------------------------------


async def test_a_database_serves_one_vault(neo4j_uri: str, backend: Neo4jBackend) -> None:
    await backend.query("CREATE (:Entity {name: 'a'})")
    assert "another vault" in await refusal(Neo4jBackend(neo4j_uri, vault="theirs"))

    again = Neo4jBackend(neo4j_uri, vault="ours")
    assert await again.query("MATCH (n:Entity) RETURN n.name") == [["a"]]
    await again.clear()
    await again.close()
    assert "another vault" in await refusal(Neo4jBackend(neo4j_uri, vault="theirs"))


async def test_a_database_can_be_handed_over(neo4j_uri: str, backend: Neo4jBackend) -> None:
    await backend.query("CREATE (:Entity {name: 'a'})")
    await backend.query("MATCH (v:BrainVault) SET v.vault = null")
    heir = Neo4jBackend(neo4j_uri, vault="theirs")
    assert await heir.query("MATCH (n:Entity) RETURN n.name") == [["a"]]
    await heir.close()
    assert "another vault" in await refusal(Neo4jBackend(neo4j_uri, vault="ours"))


async def test_of_two_vaults_at_once_one_has_the_database(neo4j_uri: str) -> None:
    two = [Neo4jBackend(neo4j_uri, vault=name) for name in ("one", "other")]
    results = await asyncio.gather(*(b.query("RETURN 1") for b in two), return_exceptions=True)
    assert sorted(isinstance(result, SourceError) for result in results) == [False, True]
    for one in two:
        await one.close()


async def test_of_several_first_questions_to_a_new_database_one_makes_the_store(
    neo4j_uri: str,
) -> None:
    with GraphDatabase.driver(neo4j_uri) as driver:  # pyright: ignore[reportUnknownMemberType]
        for name in ("brain_vault", "brain_store", "brain_entity", "brain_episodic"):
            driver.execute_query(f"DROP CONSTRAINT {name} IF EXISTS")  # pyright: ignore[reportUnknownMemberType]
    several = [GraphitiStore(Neo4jBackend(neo4j_uri, vault="ours")) for _ in range(4)]
    await asyncio.gather(*(store.status() for store in several))
    await several[0].replace([])  # which fails where there are two
    for store in several:
        await store.close()


async def test_other_data_stays_as_it_is(neo4j_uri: str, backend: Neo4jBackend) -> None:
    await backend.query("CREATE (:Customer {name: 'a'})")
    await backend.query("MATCH (v:BrainVault) DELETE v")
    assert "holds other data" in await refusal(Neo4jBackend(neo4j_uri, vault="ours"))
    assert await backend.query("MATCH (n) RETURN labels(n), n.name") == [[["Customer"], "a"]]


# --- what the driver says, in our words ----------------------------------------------------


async def test_a_database_that_is_not_there_is_named_by_its_setting(neo4j_uri: str) -> None:
    line = await refusal(Neo4jBackend(neo4j_uri, vault="ours", database="nowhere"))
    assert "BRAIN_GRAPH_DATABASE" in line


async def test_a_server_of_another_kind_is_not_reached() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        hidden = "hush"
        other = Neo4jBackend(f"bolt://127.0.0.1:{port}", vault="v", password=hidden)
        with pytest.raises(ServiceUnavailableError) as caught:
            await other.query("RETURN 1")
        await other.close()
    assert hidden not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (exceptions.AuthError(), "BRAIN_GRAPH_PASSWORD"),
        (exceptions.TokenExpired(), "BRAIN_GRAPH_PASSWORD"),
        (exceptions.ConfigurationError("bolt://me:hush@h"), "BRAIN_GRAPH_URI"),
        (exceptions.SessionExpired("hush"), "cannot be reached"),
        (exceptions.ServiceUnavailable("hush"), "cannot be reached"),
        (exceptions.ConnectionAcquisitionTimeoutError("hush"), "cannot be reached"),
        (exceptions.TransientError("hush"), "busy"),
        (exceptions.ClientError("hush"), "refused a query"),
    ],
)
async def test_each_error_is_one_line_without_secrets(
    backend: Neo4jBackend, error: exceptions.GqlError, why: str
) -> None:
    async def work(_: object, writer: Writer) -> None:
        raise error

    with pytest.raises(SourceError, match=why) as caught:
        await backend.change(work)
    assert "\n" not in str(caught.value)
    assert "hush" not in str(caught.value)


# --- connections ---------------------------------------------------------------------------


class Relay:
    """Stands between a client and the server, and can cut every connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: set[asyncio.StreamWriter] = set()
        self.accepted = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._open |= {writer, far_writer}
        await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))

    def cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def test_a_lost_connection_is_made_anew(neo4j_uri: str) -> None:
    relay = Relay(int(neo4j_uri.rpartition(":")[2]))
    runs = 0

    async def work(_: object, writer: Writer) -> None:
        nonlocal runs
        runs += 1
        await writer.run("CREATE (:Entity {name: 'a'})")
        if runs == 1:
            relay.cut()
        await writer.run("CREATE (:Entity {name: 'b'})")

    async with await asyncio.start_server(relay.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        backend = Neo4jBackend(f"bolt://127.0.0.1:{port}", vault="ours")
        count = "MATCH (n:Entity) RETURN count(n)"
        assert await backend.query(count) == [[0]]
        before = relay.accepted
        relay.cut()
        assert await backend.query(count) == [[0]]
        assert relay.accepted > before
        await backend.change(work)
        assert (runs, await backend.query(count)) == (2, [[2]])
        await backend.close()
        relay.cut()


async def test_an_address_with_routing_leads_to_the_server(neo4j_uri: str) -> None:
    routed = Neo4jBackend(neo4j_uri.replace("bolt:", "neo4j:"), vault="ours", database="neo4j")
    assert await routed.query("RETURN 1") == [[1]]
    await routed.close()


# --- what is stored ------------------------------------------------------------------------


# Each takes its planning. The contracts of the store run every query that anybody asks for.
@pytest.mark.torture
async def test_every_query_of_ours_is_understood(backend: Neo4jBackend) -> None:
    texts = [text for name, text in vars(queries).items() if name.isupper() and name[0] != "_"]
    for text in texts:
        timed = isinstance(text, queries.Timed)
        for query in (text.now, text.then, text.ever) if timed else (text,):
            await backend.query(f"EXPLAIN {query}")


async def test_a_date_that_somebody_else_wrote_is_in_utc(backend: Neo4jBackend) -> None:
    rows = await backend.query(
        "WITH datetime('2024-05-01T15:00:00.000000999+03:00') AS at, "
        "datetime('2024-05-01T14:00[Europe/Paris]') AS there RETURN at, [there], {at: at}"
    )
    assert rows == [[SEEN, [SEEN], {"at": SEEN}]]
    assert str(rows[0][0]) == str(SEEN)


async def test_only_our_indices_are_built(backend: Neo4jBackend) -> None:
    async def work(_: object, writer: Writer) -> None: ...

    await backend.change(work)
    rows = await backend.query("SHOW INDEXES YIELD type, labelsOrTypes, properties")
    indices = {(str(kind), str(on), str(of)) for kind, on, of in rows if kind != "LOOKUP"}
    assert indices == {
        ("RANGE", f"['{label}']", "['uuid']")
        for label in ("BrainVault", "Entity", "Episodic", "Store")
    } | {("RANGE", "['RELATES_TO']", "['inferred_in']")}


async def test_two_writers_make_one_entity(neo4j_uri: str, backend: Neo4jBackend) -> None:
    other = Neo4jBackend(neo4j_uri, vault="ours")
    await backend.prepare()

    async def work(_: object, writer: Writer) -> None:
        for number in range(20):
            await writer.run("MERGE (n:Entity {uuid: $uuid}) SET n.x = 1", uuid=f"{number}")

    await asyncio.gather(backend.change(work), other.change(work))
    await other.close()
    assert await backend.query("MATCH (n:Entity) RETURN count(n)") == [[20]]


async def test_graphiti_writes_within_a_change(backend: Neo4jBackend) -> None:
    from graphiti_core.driver.driver import GraphDriver

    from tests.support.values.graphiti_batches import bulk_write

    async def work(driver: GraphDriver, writer: Writer) -> None:
        await bulk_write(driver, writer, notes=3, edges_each=2, seen=SEEN)
        await writer.run("MATCH (n:Entity {uuid: 'n0'}) SET n.content_hash = $hash", hash="h")

    await backend.change(work)
    await backend.change(work)
    rows = await backend.query(
        "MATCH (n:Entity) RETURN n.uuid, n.content_hash, n.created_at, n.names ORDER BY n.uuid"
    )
    assert rows == [
        ["n0", "h", SEEN, ["Note 0", "a\ufffd"]],
        ["n1", None, SEEN, ["Note 1", "a\ufffd"]],
        ["n2", None, SEEN, ["Note 2", "a\ufffd"]],
    ]
    labels = await backend.query("MATCH (n:Entity {uuid: 'n0'}) UNWIND labels(n) AS l RETURN l")
    assert {str(label) for (label,) in labels} == {"Entity", "Note"}
    edges = await backend.query(
        "MATCH (a:Entity)-[e:RELATES_TO]->(b:Entity) WHERE e.valid_at <= $at "
        "AND e.invalid_at IS NULL AND e.fact_embedding IS NULL RETURN count(e)",
        at=SEEN,
    )
    assert edges == [[6]]
    versions = await backend.query("MATCH (v:Episodic)-[:MENTIONS]->(n) RETURN count(v)")
    assert versions == [[3]]
