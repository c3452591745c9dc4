"""What each tier may do and may not, as a real FalkorDB enforces it; nothing is believed."""

import asyncio
import json
import os
import stat
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import psutil
import pytest

from graphs.core.credentials import Credential, find_credential, login_of
from graphs.core.graph_backends import embedded_graph, graph_backend, graph_for
from graphs.operations import access
from tests.contract.vault import Vault
from tests.support.processes.command_line import environment, run_here
from tests.support.servers.access import READ, WRITE, answer, connection, sent, settings_of
from tests.support.waiting import until
from tools.base.errors import (
    InputError,
    LoginRefusedError,
    NotPermittedError,
    ServiceUnavailableError,
    SourceError,
    StorageError,
)
from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.secrets import FILE, USERS, Login, read_secrets
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.cypher.graphiti_models import GRAPH
from tools.runtime.services import ensure, graph_service, process_of, stop
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

MAIN, STAGING, OTHERS = GRAPH, f"{GRAPH}-staging", "another-vault"

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


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A vault whose tiers exist, on an embedded server of its own."""
    settings = settings_of(tmp_path_factory.mktemp("access"))
    asyncio.run(access.provision(settings))
    yield settings
    asyncio.run(stop(graph_service(settings)))


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[Settings]:
    """A vault without tiers."""
    settings = settings_of(tmp_path)
    yield settings
    await stop(graph_service(settings))


async def as_owner(settings: Settings, *commands: tuple[str, ...]) -> None:
    for command in commands:
        await sent(embedded_graph(settings, MAIN), *command)


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


def test_a_tier_is_who_knows_its_secret(served: Settings) -> None:
    for tier in TIERS:
        login = login_of(served, tier)
        assert find_credential(served, login.secret) == Credential(tier=tier, login=login)
        for claim in (tier, login.user, f"{login.secret} ", login.secret[:-1], "", "\udcff", "*"):
            assert find_credential(served, claim) is None


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


async def test_the_programs_own_connection_goes_on(alone: Settings) -> None:
    before = GraphitiStore(graph_backend(alone))
    assert await before.digests() == {}
    await access.provision(alone)
    assert await before.digests() == {}
    assert await before.replace([]) == ()
    await before.close()


async def test_tiers_survive_the_servers_end_and_its_death(alone: Settings) -> None:
    await access.provision(alone)
    login, service = login_of(alone, "reader"), graph_service(alone)
    await as_owner(alone, ("GRAPH.QUERY", MAIN, WRITE))
    await stop(service)
    assert await answer(alone, login, cypher=READ) == [[1]]
    keeper = process_of(service)
    assert keeper is not None
    (server,) = keeper.children()
    server.kill()
    keeper.wait(20)
    assert await answer(alone, login, cypher=READ) == [[1]]
    with pytest.raises(NotPermittedError):
        await sent(connection(alone, login), "GRAPH.QUERY", MAIN, WRITE)


async def test_a_server_with_tiers_ends_when_nobody_asks(tmp_path: Path) -> None:
    """What its keeper asks is told from questions, though the keeper has to log in as well."""
    settings = settings_of(tmp_path, idle_minutes=0.01)
    await access.provision(settings)
    service = graph_service(settings)
    keeper = process_of(service)
    assert keeper is not None
    await asyncio.to_thread(keeper.wait, 20)
    assert "no question for 0.01 minutes" in service.log.read_text("utf-8").splitlines()[-1]


async def test_a_copy_that_is_only_read_has_the_same_users(alone: Settings, tmp_path: Path) -> None:
    await access.provision(alone)
    await as_owner(alone, ("GRAPH.QUERY", MAIN, WRITE))
    await stop(graph_service(alone))
    place = tmp_path / "copy"
    service = replace(
        graph_service(alone),
        socket=place / "graph.sock",
        arguments=(
            *("--data-dir", str(place / "data"), "--copy-of", str(alone.data_dir)),
            *("--run-dir", str(place), "--idle-minutes", "5", "--owner", str(os.getpid())),
        ),
    )
    await ensure(service)
    login = login_of(alone, "reader")
    backend = FalkorBackend(
        service.socket, graph=MAIN, user=login.user, password=login.secret, reads_only=True
    )
    assert await backend.query(READ) == [[1]]
    await backend.close()
    with pytest.raises(LoginRefusedError):
        await sent(FalkorBackend(service.socket, graph=MAIN), "PING")
    await stop(service)


async def test_twice_is_once(alone: Settings) -> None:
    first = await access.provision(alone)
    secrets = read_secrets(alone.data_dir)
    backend = connection(alone, login_of(alone, "librarian"))
    await backend.query("RETURN 1")
    assert await access.provision(alone) == first
    assert read_secrets(alone.data_dir) == secrets
    assert await backend.query("RETURN 1") == [[1]]
    assert first.separates
    assert all(tier.exists for tier in first.tiers)
    await backend.close()


async def test_who_is_revoked_is_refused_at_once(alone: Settings) -> None:
    await access.provision(alone)
    login = login_of(alone, "librarian")
    backend = connection(alone, login)
    await backend.query("RETURN 1")

    assert await access.revoke(alone, "librarian")

    with pytest.raises(LoginRefusedError):
        await backend.query("RETURN 1")
    assert not await access.revoke(alone, "librarian")
    with pytest.raises(InputError, match="provision"):
        login_of(alone, "librarian")
    assert find_credential(alone, login.secret) is None
    states = {tier.tier: tier.exists for tier in (await access.show(alone)).tiers}
    assert states == {tier: tier != "librarian" for tier in TIERS}
    await access.provision(alone)
    again = login_of(alone, "librarian")
    assert again.user == login.user
    assert again.secret != login.secret
    await answer(alone, again, cypher="RETURN 1")
    with pytest.raises(LoginRefusedError):
        await backend.query("RETURN 1")
    await backend.close()


async def test_lost_secrets_are_made_anew_and_nothing_else_is_lost(alone: Settings) -> None:
    await access.provision(alone)
    await as_owner(alone, ("GRAPH.QUERY", MAIN, WRITE))
    old = login_of(alone, "curator")
    (alone.data_dir / FILE).unlink()
    with pytest.raises(SourceError, match="provision"):
        await access.show(alone)
    await stop(graph_service(alone))
    with pytest.raises(ServiceUnavailableError, match="provision"):
        await ensure(graph_service(alone))

    await access.provision(alone)

    with pytest.raises(LoginRefusedError):
        await answer(alone, old, cypher="RETURN 1")
    new = login_of(alone, "curator")
    assert await answer(alone, new, cypher=READ) == [[1]]


async def test_a_damaged_file_is_named(alone: Settings) -> None:
    await access.provision(alone)
    (alone.data_dir / FILE).write_text("{", "utf-8")
    for attempt in (access.show, access.provision):
        with pytest.raises(StorageError, match=FILE):
            await attempt(alone)


@pytest.mark.parametrize("damage", ["{", "user x on #abc +@all\n", "\xff\x00"])
async def test_a_damaged_list_of_users_is_named_with_what_mends_it(
    alone: Settings, damage: str
) -> None:
    await access.provision(alone)
    await stop(graph_service(alone))
    (alone.data_dir / USERS).write_text(damage, "latin-1")
    with pytest.raises(ServiceUnavailableError, match=f"{USERS} is damaged") as refused:
        await access.show(alone)
    assert "--rebuild" not in str(refused.value)
    assert "`brain access provision`" in str(refused.value)
    found = await access.provision(alone)
    assert all(tier.exists for tier in found.tiers)


async def test_secrets_that_others_may_read_are_told_of(alone: Settings) -> None:
    found = await access.provision(alone)
    assert not any(FILE in remark for remark in found.remarks)
    (alone.data_dir / FILE).chmod(0o640)
    assert any(FILE in remark for remark in (await access.show(alone)).remarks)
    (alone.data_dir / FILE).unlink()
    found = await access.provision(alone)
    assert not any(FILE in remark for remark in found.remarks)


async def test_files_are_private_and_hold_no_more_than_needed(served: Settings) -> None:
    for name in (FILE, USERS):
        assert stat.S_IMODE((served.data_dir / name).stat().st_mode) == 0o600
    secrets = read_secrets(served.data_dir)
    given = [secrets.owner or "", *(login.secret for login in secrets.tiers.values())]
    assert len(set(given)) == 5
    assert min(map(len, given)) >= 40
    users = (served.data_dir / USERS).read_text("utf-8")
    keeper = process_of(graph_service(served))
    assert keeper is not None
    processes = [psutil.Process(), keeper, *keeper.children()]
    words = [" ".join((*process.cmdline(), *process.environ().values())) for process in processes]
    logs = [file.read_text("utf-8") for file in (served.data_dir / "logs").iterdir()]
    for secret in given:
        assert not any(secret in text for text in (users, *words, *logs))


def test_the_command_line_shows_no_secret(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    variables = environment(settings.vault, settings.data_dir)
    shown: list[str] = []
    for words in ("show", "provision", "show", "revoke reader", "show", "provision", "nonsense"):
        for options in ([], ["--json"]):
            done = run_here("access", *words.split(), *options, environment=variables)
            assert done.returncode == (2 if words == "nonsense" else 0), done.stderr
            if options and not done.returncode:
                json.loads(done.stdout)
            shown += [done.stdout, done.stderr]
    printed = run_here("access", "provision", "--print", environment=variables).stdout
    assert printed.count("ACL SETUSER") == len(TIERS) + 1  # and the owner
    secrets = read_secrets(settings.data_dir)
    for secret in (secrets.owner, *(login.secret for login in secrets.tiers.values())):
        assert secret
        assert not any(secret in text for text in (printed, *shown))
    assert run_here("access", "revoke", "owner", environment=variables).returncode == 2
    done = run_here("reset", "--everything", "--yes", environment=variables)
    assert done.returncode == 0, done.stderr
    assert not settings.data_dir.exists()
