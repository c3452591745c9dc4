"""What each tier may do and may not, as a real FalkorDB enforces it; nothing is believed."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from graphs.core.credentials import login_of
from graphs.core.graph_backends import embedded_graph, graph_backend, graph_for
from tests.contract.vault import Vault
from tests.support.servers.access import (
    MAIN,
    OTHERS,
    READ,
    STAGING,
    WRITE,
    answer,
    as_owner,
    connection,
    sent,
)
from tests.support.waiting import until
from tools.base.errors import (
    LoginRefusedError,
    NotPermittedError,
    SourceError,
)
from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.secrets import Login, read_secrets
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.runtime.services import graph_service
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration


OPERATIONS: dict[str, tuple[tuple[str, ...], tuple[Tier, ...]]] = {
    "read main": (("GRAPH.RO_QUERY", MAIN, READ), TIERS),
    "write by the command that reads": (("GRAPH.RO_QUERY", MAIN, WRITE), ()),
    "delete by the command that reads": (("GRAPH.RO_QUERY", MAIN, "MATCH (n) DELETE n"), ()),
    "index by the command that reads": (
        ("GRAPH.RO_QUERY", MAIN, "CREATE INDEX FOR (n:Q) ON (n.q)"),
        (),
    ),
    "procedure that writes": (
        ("GRAPH.RO_QUERY", MAIN, "CALL db.idx.fulltext.createNodeIndex('Q', 'q')"),
        (),
    ),
    "write main": (("GRAPH.QUERY", MAIN, WRITE), ("librarian", "curator")),
    "read main by the command that writes": (
        ("GRAPH.QUERY", MAIN, READ),
        ("librarian", "curator"),
    ),
    "read staging": (
        ("GRAPH.RO_QUERY", STAGING, READ),
        ("contributor", "librarian", "curator"),
    ),
    "write staging": (("GRAPH.QUERY", STAGING, WRITE), ("contributor", "librarian", "curator")),
    "explain": (("GRAPH.EXPLAIN", MAIN, READ), ("curator",)),
    "profile, which runs it": (("GRAPH.PROFILE", MAIN, WRITE), ("curator",)),
    "copy to elsewhere": (("GRAPH.COPY", MAIN, "mine"), ()),
    "copy of another's": (("GRAPH.COPY", OTHERS, STAGING), ()),
    "read another's graph": (("GRAPH.RO_QUERY", OTHERS, READ), ()),
    "write another's graph": (("GRAPH.QUERY", OTHERS, WRITE), ()),
    "delete another's graph": (("GRAPH.DELETE", OTHERS), ()),
    "read a key": (("GET", "plain"), ()),
    "overwrite a graph's key": (("SET", MAIN, "x"), ()),
    "delete a graph's key": (("DEL", MAIN), ()),
    "dump a graph's key": (("DUMP", MAIN), ()),
    "rename a graph's key": (("RENAME", MAIN, STAGING), ()),
    "names of keys": (("KEYS", "*"), ()),
    "scan of keys": (("SCAN", "0"), ()),
    "names of graphs": (("GRAPH.LIST",), ()),
    "queries of others": (("GRAPH.INFO",), ()),
    "configuration": (("CONFIG", "GET", "*"), ()),
    "configuration of graphs": (("GRAPH.CONFIG", "SET", "RESULTSET_SIZE", "1"), ()),
    "functions of users": (("GRAPH.UDF", "LIST"), ()),
    "flush": (("FLUSHALL",), ()),
    "script": (("EVAL", "return redis.call('GRAPH.DELETE', KEYS[1])", "1", MAIN), ()),
    "script kept": (("SCRIPT", "LOAD", "return 1"), ()),
    "function": (("FUNCTION", "LIST"), ()),
    "module": (("MODULE", "LIST"), ()),
    "shutdown": (("SHUTDOWN", "NOSAVE"), ()),
    "users": (("ACL", "LIST"), ()),
    "more rights": (("ACL", "SETUSER", "default", "nopass"), ()),
    "connections": (("CLIENT", "LIST"), ()),
    "monitor": (("MONITOR",), ()),
    "replication": (("REPLICAOF", "127.0.0.1", "1"), ()),
    "statistics": (("INFO",), ()),
    # The last ones, for what they do to the graphs.
    "delete staging": (("GRAPH.DELETE", STAGING), ("curator",)),
    "delete main": (("GRAPH.DELETE", MAIN), ("curator",)),
}


@pytest.mark.parametrize("tier", TIERS)
async def test_the_database_refuses_what_a_tier_may_not(served: Settings, tier: Tier) -> None:
    graphs = [("GRAPH.QUERY", graph, WRITE) for graph in (MAIN, STAGING, OTHERS)]
    await as_owner(served, *graphs, ("SET", "plain", "secret"))
    login = login_of(served, tier)
    wrong: list[str] = []
    for name, (command, allowed) in OPERATIONS.items():
        try:
            await sent(connection(served, login), *command)
        except NotPermittedError:
            if tier in allowed:
                wrong.append(f"{name}: refused")
        else:
            if tier not in allowed:
                wrong.append(f"{name}: allowed")
    assert not wrong
    others = await sent(embedded_graph(served, OTHERS), "GRAPH.RO_QUERY", OTHERS, READ)
    assert "count(n)" in str(others)


@pytest.mark.parametrize("tier", TIERS)
async def test_nobody_logs_in_as_more_than_they_are(served: Settings, tier: Tier) -> None:
    """Names, empty passwords and secrets of other tiers: whatever a caller claims to be."""
    mine = login_of(served, tier)
    others = [login for login in read_secrets(served.data_dir).tiers.values() if login != mine]
    claimed = ["default", "", "admin", "librarian", *(login.user for login in others)]
    for user in claimed:
        for secret in (mine.secret, user, "curator"):
            forged = Login(user=user, secret=secret)
            with pytest.raises(LoginRefusedError):
                await answer(served, forged, cypher="RETURN 1")
    for words in (
        *(("AUTH", "default", ""), ("AUTH", ""), ("AUTH", "default", mine.secret)),
        *(("HELLO", "3", "AUTH", login.user, mine.secret) for login in others),
    ):
        with pytest.raises(LoginRefusedError):
            await sent(connection(served, mine), *words)


async def test_a_connection_that_forgets_who_it_is_is_nobody(served: Settings) -> None:
    from redis.exceptions import AuthenticationError, RedisError

    backend = connection(served, login_of(served, "reader"))
    pool = backend.client.connection.connection_pool
    line = await pool.get_connection()
    await line.send_command("RESET")
    await line.read_response()
    await line.send_command("GRAPH.QUERY", MAIN, WRITE)
    with pytest.raises(RedisError) as caught:
        await line.read_response()
    assert isinstance(caught.value, AuthenticationError)
    await line.disconnect()
    await backend.close()


async def test_without_a_login_nobody_is_let_in(served: Settings) -> None:
    with pytest.raises(LoginRefusedError):
        await sent(FalkorBackend(graph_service(served).socket, graph=MAIN), "PING")


async def test_a_change_with_one_statement_too_many_lands_nowhere(served: Settings) -> None:
    backend = connection(served, login_of(served, "contributor"), staging=True)
    pipeline = backend.client.connection.pipeline(transaction=True)
    add = cast("Callable[..., object]", pipeline.execute_command)
    for graph in (STAGING, MAIN):
        add("GRAPH.QUERY", graph, "CREATE (:Forged)")
    with pytest.raises(NotPermittedError):
        await backend.attempt(pipeline.execute)
    assert await backend.query("MATCH (n:Forged) RETURN n.uuid") == []
    await backend.close()


async def test_the_server_calls_no_address_for_whoever_asks(served: Settings) -> None:
    await as_owner(served, ("GRAPH.QUERY", MAIN, WRITE))
    called: list[str] = []

    async def answered(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append("by the server")
        writer.close()

    async with await asyncio.start_server(answered, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        table = f"LOAD CSV FROM 'https://127.0.0.1:{port}/t.csv' AS row RETURN row"
        assert await answer(served, login_of(served, "reader"), cypher=table) == []
        _, writer = await asyncio.open_connection("127.0.0.1", port)  # comes after any other
        writer.write(b"")
        await asyncio.to_thread(until, lambda: called)
        writer.close()
    assert called == ["by the server"]


async def test_a_file_is_loaded_for_nobody(served: Settings) -> None:
    for place in ("file:///etc/hostname", "file://../../../../../etc/hostname"):
        table = f"LOAD CSV FROM '{place}' AS row RETURN row"
        with pytest.raises(SourceError):
            await answer(served, login_of(served, "curator"), cypher=table)


async def test_stores_work_within_their_tier(served: Settings) -> None:
    notes = Vault()
    notes.write("A", (None, "B"))
    own = GraphitiStore(graph_backend(served))
    await own.replace(notes.graphs())
    await own.close()

    reader = GraphitiStore(graph_for(served, login_of(served, "reader")))
    assert set(await reader.digests()) == {"A.md"}
    assert [fact.target_title for fact in await reader.facts(["A.md"])] == ["B"]
    contributor = login_of(served, "contributor")
    proposing = GraphitiStore(graph_for(served, contributor, staging=True))
    await proposing.replace(notes.graphs())
    assert set(await proposing.digests()) == {"A.md"}
    asking = GraphitiStore(graph_for(served, contributor))
    assert set(await asking.digests()) == {"A.md"}
    curator = GraphitiStore(graph_for(served, login_of(served, "curator"), staging=True))
    for store in (reader, asking):
        for change in (store.replace(notes.graphs()), store.remove(["A.md"]), store.reset()):
            with pytest.raises(NotPermittedError):
                await change
    await curator.reset()
    assert await curator.digests() == {}
    for store in (reader, proposing, asking, curator):
        await store.close()
