"""Tiers that are made, lost, damaged and revoked on a real FalkorDB; where secrets show."""

import asyncio
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphs.core.credentials import Credential, find_credential, login_of
from graphs.core.graph_backends import graph_backend
from graphs.operations import access
from tests.support.processes.command_line import environment, run_here
from tests.support.servers.access import (
    MAIN,
    READ,
    WRITE,
    answer,
    as_owner,
    connection,
    sent,
    settings_of,
)
from tools.base.errors import (
    InputError,
    LoginRefusedError,
    NotPermittedError,
    ServiceUnavailableError,
    SourceError,
    StorageError,
)
from tools.graph.access.kinds import TIERS
from tools.graph.access.secrets import FILE, USERS, read_secrets
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.runtime.services import ensure, graph_service, process_of, stop
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration


def test_a_tier_is_who_knows_its_secret(served: Settings) -> None:
    for tier in TIERS:
        login = login_of(served, tier)
        assert find_credential(served, login.secret) == Credential(tier=tier, login=login)
        for claim in (tier, login.user, f"{login.secret} ", login.secret[:-1], "", "\udcff", "*"):
            assert find_credential(served, claim) is None


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
