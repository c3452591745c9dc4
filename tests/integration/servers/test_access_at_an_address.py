"""Tiers on a FalkorDB at an address, which others may use as well."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphs.core.credentials import find_credential, login_of
from graphs.core.graph_backends import falkor_server, graph_backend
from graphs.operations import access
from tests.support.servers.access import READ, WRITE, answer, connection, sent, settings_of
from tests.support.servers.falkor_server import falkor_server as running_falkor
from tools.base.errors import (
    InputError,
    LoginRefusedError,
    NotPermittedError,
)
from tools.graph.access.kinds import TIERS
from tools.graph.access.secrets import read_secrets
from tools.graph.access.tiers import user_name
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

PASSWORD = "open sesame"  # noqa: S105 - of a server that lives as long as a test


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
        curator = login_of(mine, "curator")
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
        assert find_credential(theirs, curator.secret) is None
    await access.revoke(one, "reader")
    await answer(two, login_of(two, "reader"), cypher=READ)
    assert [t.tier for t in (await access.show(one)).tiers if not t.exists] == ["reader"]
    assert all(tier.exists for tier in (await access.show(two)).tiers)


async def test_a_server_that_forgot_gets_the_same_users_again(server: str, tmp_path: Path) -> None:
    settings = at(server, tmp_path, "notes")
    await access.provision(settings)
    login = login_of(settings, "curator")
    await answer(settings, login, cypher=WRITE)
    await sent(falkor_server(settings), "ACL", "DELUSER", login.user)
    assert not all(tier.exists for tier in (await access.show(settings)).tiers)
    await access.provision(settings)
    assert login_of(settings, "curator") == login
    await answer(settings, login, cypher=READ)


async def test_who_is_no_administrator_is_told_what_is_lacking(server: str, tmp_path: Path) -> None:
    settings = at(server, tmp_path, "mine")
    await access.provision(settings)
    login = login_of(settings, "curator")
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
    await answer(lesser, login_of(lesser, "curator"), cypher=WRITE)


async def test_a_server_that_lets_everybody_in_is_said_to_separate_nothing(tmp_path: Path) -> None:
    with running_falkor(tmp_path / "open", password="") as address:
        settings = at(address, tmp_path, "notes", graph_password=None)
        found = await access.provision(settings)
        assert not found.separates
        assert any("no password" in remark for remark in found.remarks)


async def test_a_vault_that_moved_has_users_of_its_new_name(server: str, tmp_path: Path) -> None:
    before = at(server, tmp_path, "before")
    await access.provision(before)
    old = login_of(before, "curator")
    vault = tmp_path / "after"
    (tmp_path / "before").rename(vault)
    (before.data_dir / "vault").write_bytes(os.fsencode(vault) + b"\n")
    after = load_settings(
        vault=vault, data_dir=before.data_dir, graph_uri=server, graph_password=PASSWORD
    )
    with pytest.raises(InputError):
        login_of(after, "curator")
    await access.provision(after)
    assert login_of(after, "curator").user != old.user
    with pytest.raises(LoginRefusedError):
        await answer(before, replace(old), cypher="RETURN 1")
