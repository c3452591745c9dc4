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

from graphs.core.graph_backends import embedded_graph, falkor_server, graph_backend, graph_for
from graphs.operations import access
from tests.contract.vault import Vault
from tests.support.processes.command_line import environment, run_here
from tests.support.servers.falkor_server import falkor_server as running_falkor
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
from tools.graph.access.tiers import user_name
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.cypher.graphiti_models import GRAPH
from tools.runtime.services import ensure, graph_service, process_of, stop
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

PASSWORD = "open sesame"  # noqa: S105 - of a server that lives as long as a test
MAIN, STAGING, OTHERS = GRAPH, f"{GRAPH}-staging", "another-vault"
READ, WRITE = "MATCH (n) RETURN count(n)", "CREATE (:Entity {uuid: 'x'})"

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


def settings_of(folder: Path, name: str = "vault", **given: object) -> Settings:
    vault = folder / name
    vault.mkdir(exist_ok=True)
    (vault / "A.md").write_text("A note.", "utf-8")
    return load_settings(
        vault=vault, data_dir=folder / f"{name}-data", services_owner=os.getpid(), **given
    )


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


async def sent(backend: FalkorBackend, *command: str) -> object:
    try:
        return await backend.attempt(lambda: backend.client.execute_command(*command))
    finally:
        await backend.close()


def connection(settings: Settings, login: Login, *, staging: bool = False) -> FalkorBackend:
    backend = graph_for(settings, login, staging=staging)
    assert isinstance(backend, FalkorBackend)
    return backend


async def answer(
    settings: Settings, login: Login, *, cypher: str, staging: bool = False
) -> list[list[object]]:
    """What a connection of its own is answered, or refused, with a login."""
    backend = graph_for(settings, login, staging=staging)
    try:
        return await backend.query(cypher)
    finally:
        await backend.close()


async def as_owner(settings: Settings, *commands: tuple[str, ...]) -> None:
    for command in commands:
        await sent(embedded_graph(settings, MAIN), *command)


@pytest.mark.parametrize("tier", TIERS)
async def test_the_database_refuses_what_a_tier_may_not(served: Settings, tier: Tier) -> None:
    graphs = [("GRAPH.QUERY", graph, WRITE) for graph in (MAIN, STAGING, OTHERS)]
    await as_owner(served, *graphs, ("SET", "plain", "secret"))
    login = access.login_of(served, tier)
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
    mine = access.login_of(served, tier)
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

    backend = connection(served, access.login_of(served, "reader"))
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
        login = access.login_of(served, tier)
        assert access.find_login(served, login.secret) == login
        for claim in (tier, login.user, f"{login.secret} ", login.secret[:-1], "", "\udcff", "*"):
            assert access.find_login(served, claim) is None


async def test_a_change_with_one_statement_too_many_lands_nowhere(served: Settings) -> None:
    backend = connection(served, access.login_of(served, "contributor"), staging=True)
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
        assert await answer(served, access.login_of(served, "reader"), cypher=table) == []
        _, writer = await asyncio.open_connection("127.0.0.1", port)  # comes after any other
        writer.write(b"")
        await asyncio.to_thread(until, lambda: called)
        writer.close()
    assert called == ["by the server"]


async def test_a_file_is_loaded_for_nobody(served: Settings) -> None:
    for place in ("file:///etc/hostname", "file://../../../../../etc/hostname"):
        table = f"LOAD CSV FROM '{place}' AS row RETURN row"
        with pytest.raises(SourceError):
            await answer(served, access.login_of(served, "curator"), cypher=table)


async def test_stores_work_within_their_tier(served: Settings) -> None:
    notes = Vault()
    notes.write("A", (None, "B"))
    own = GraphitiStore(graph_backend(served))
    await own.replace(notes.graphs())
    await own.close()

    reader = GraphitiStore(graph_for(served, access.login_of(served, "reader")))
    assert set(await reader.digests()) == {"A.md"}
    assert [fact.target_title for fact in await reader.facts(["A.md"])] == ["B"]
    contributor = access.login_of(served, "contributor")
    proposing = GraphitiStore(graph_for(served, contributor, staging=True))
    await proposing.replace(notes.graphs())
    assert set(await proposing.digests()) == {"A.md"}
    asking = GraphitiStore(graph_for(served, contributor))
    assert set(await asking.digests()) == {"A.md"}
    curator = GraphitiStore(graph_for(served, access.login_of(served, "curator"), staging=True))
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
    login, service = access.login_of(alone, "reader"), graph_service(alone)
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
    login = access.login_of(alone, "reader")
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
    backend = connection(alone, access.login_of(alone, "librarian"))
    await backend.query("RETURN 1")
    assert await access.provision(alone) == first
    assert read_secrets(alone.data_dir) == secrets
    assert await backend.query("RETURN 1") == [[1]]
    assert first.separates
    assert all(tier.exists for tier in first.tiers)
    await backend.close()


async def test_who_is_revoked_is_refused_at_once(alone: Settings) -> None:
    await access.provision(alone)
    login = access.login_of(alone, "librarian")
    backend = connection(alone, login)
    await backend.query("RETURN 1")

    assert await access.revoke(alone, "librarian")

    with pytest.raises(LoginRefusedError):
        await backend.query("RETURN 1")
    assert not await access.revoke(alone, "librarian")
    with pytest.raises(InputError, match="provision"):
        access.login_of(alone, "librarian")
    assert access.find_login(alone, login.secret) is None
    states = {tier.tier: tier.exists for tier in (await access.show(alone)).tiers}
    assert states == {tier: tier != "librarian" for tier in TIERS}
    await access.provision(alone)
    again = access.login_of(alone, "librarian")
    assert again.user == login.user
    assert again.secret != login.secret
    await answer(alone, again, cypher="RETURN 1")
    with pytest.raises(LoginRefusedError):
        await backend.query("RETURN 1")
    await backend.close()


async def test_lost_secrets_are_made_anew_and_nothing_else_is_lost(alone: Settings) -> None:
    await access.provision(alone)
    await as_owner(alone, ("GRAPH.QUERY", MAIN, WRITE))
    old = access.login_of(alone, "curator")
    (alone.data_dir / FILE).unlink()
    with pytest.raises(SourceError, match="provision"):
        await access.show(alone)
    await stop(graph_service(alone))
    with pytest.raises(ServiceUnavailableError, match="provision"):
        await ensure(graph_service(alone))

    await access.provision(alone)

    with pytest.raises(LoginRefusedError):
        await answer(alone, old, cypher="RETURN 1")
    new = access.login_of(alone, "curator")
    assert await answer(alone, new, cypher=READ) == [[1]]


async def test_a_damaged_file_is_named(alone: Settings) -> None:
    await access.provision(alone)
    (alone.data_dir / FILE).write_text("{", "utf-8")
    for attempt in (access.show, access.provision):
        with pytest.raises(StorageError, match=FILE):
            await attempt(alone)


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


# --- a server at an address ------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_falkor(tmp_path_factory.mktemp("falkor") / "server", password=PASSWORD) as address:
        yield address


def at(address: str, folder: Path, name: str, **given: object) -> Settings:
    login = {"graph_uri": address, "graph_password": PASSWORD, **given}
    return settings_of(folder, name, **login)


async def test_two_vaults_on_one_server_know_nothing_of_each_other(
    server: str, tmp_path: Path
) -> None:
    one, two = (at(server, tmp_path, name) for name in ("my notes (old)", "recipes*"))
    for settings in (one, two):
        found = await access.provision(settings)
        assert found.separates
        assert any("aclfile" in remark for remark in found.remarks)
        own = graph_backend(settings)
        await own.query(WRITE)
        await own.close()
    users = {user_name(settings.vault_mark, tier) for settings in (one, two) for tier in TIERS}
    assert len(users) == 2 * len(TIERS)
    for mine, theirs in ((one, two), (two, one)):
        curator = access.login_of(mine, "curator")
        for settings, staging in ((mine, False), (mine, True)):
            await answer(settings, curator, staging=staging, cypher=WRITE)
        for staging in (False, True):
            for attempt in (READ, WRITE):
                with pytest.raises(NotPermittedError):
                    await answer(theirs, curator, staging=staging, cypher=attempt)
        deleting = connection(theirs, curator)
        with pytest.raises(NotPermittedError):
            await deleting.clear()
        await deleting.close()
        assert access.find_login(theirs, curator.secret) is None
    await access.revoke(one, "reader")
    await answer(two, access.login_of(two, "reader"), cypher=READ)
    assert [t.tier for t in (await access.show(one)).tiers if not t.exists] == ["reader"]
    assert all(tier.exists for tier in (await access.show(two)).tiers)


async def test_a_server_that_forgot_gets_the_same_users_again(server: str, tmp_path: Path) -> None:
    settings = at(server, tmp_path, "notes")
    await access.provision(settings)
    login = access.login_of(settings, "curator")
    await answer(settings, login, cypher=WRITE)
    await sent(falkor_server(settings), "ACL", "DELUSER", login.user)
    assert not all(tier.exists for tier in (await access.show(settings)).tiers)
    await access.provision(settings)
    assert access.login_of(settings, "curator") == login
    await answer(settings, login, cypher=READ)


async def test_who_is_no_administrator_is_told_what_is_lacking(server: str, tmp_path: Path) -> None:
    settings = at(server, tmp_path, "mine")
    await access.provision(settings)
    login = access.login_of(settings, "curator")
    lesser = at(server, tmp_path, "theirs", graph_user=login.user, graph_password=login.secret)
    for attempt in (access.provision, access.show):
        with pytest.raises(NotPermittedError, match=r"ACL LIST.*BRAIN_GRAPH_USER") as caught:
            await attempt(lesser)
        assert login.secret not in str(caught.value)
    assert read_secrets(lesser.data_dir).tiers == {}
    printed = access.script(lesser)
    for words in (line.replace('"', "").split(" ", 3) for line in printed.splitlines()[:-1]):
        rules = words[3].replace(" (", "\n(").split("\n")
        flat = [part for rule in rules for part in ([rule] if rule[0] == "(" else rule.split())]
        await sent(falkor_server(settings), "ACL", "SETUSER", words[2], *flat)
    await answer(lesser, access.login_of(lesser, "curator"), cypher=WRITE)


async def test_a_server_that_lets_everybody_in_is_said_to_separate_nothing(tmp_path: Path) -> None:
    with running_falkor(tmp_path / "open", password="") as address:
        settings = at(address, tmp_path, "notes", graph_password=None)
        found = await access.provision(settings)
        assert not found.separates
        assert any("no password" in remark for remark in found.remarks)


async def test_a_vault_that_moved_has_users_of_its_new_name(server: str, tmp_path: Path) -> None:
    before = at(server, tmp_path, "before")
    await access.provision(before)
    old = access.login_of(before, "curator")
    vault = tmp_path / "after"
    (tmp_path / "before").rename(vault)
    (before.data_dir / "vault").write_bytes(os.fsencode(vault) + b"\n")
    after = load_settings(
        vault=vault, data_dir=before.data_dir, graph_uri=server, graph_password=PASSWORD
    )
    with pytest.raises(InputError):
        access.login_of(after, "curator")
    await access.provision(after)
    assert access.login_of(after, "curator").user != old.user
    with pytest.raises(LoginRefusedError):
        await answer(before, replace(old), cypher="RETURN 1")
