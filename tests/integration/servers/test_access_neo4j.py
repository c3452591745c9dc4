"""The tiers on Neo4j: Community parses each statement of the script, and says what it cannot do."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphs.core.credentials import login_of
from graphs.core.graph_backends import graph_for, neo4j_server
from graphs.operations import access
from tools.base.errors import InputError, RefusedError
from tools.graph.access.kinds import TIERS
from tools.graph.access.neo4j_roles import revoke_statements, role_statements, tier_statements
from tools.graph.access.secrets import FILE, Login
from tools.graph.access.tiers import graphs_of
from tools.graph.backends.neo4j import Neo4jBackend
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

GRAPHS = graphs_of("neo4j")
NOT_HERE = "Neo.ClientError.Statement.UnsupportedAdministrationCommand"


@pytest.fixture
def settings(neo4j_uri: str, tmp_path: Path) -> Settings:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "A.md").write_text("A note.", "utf-8")
    return load_settings(
        vault=tmp_path / "vault",
        data_dir=tmp_path / "data",
        graph_uri=neo4j_uri,
        services_owner=os.getpid(),
    )


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Neo4jBackend]:
    server = neo4j_server(settings)
    yield server
    await server.close()


async def refusal(server: Neo4jBackend, statement: str, **given: object) -> str:
    """The code by which the server refuses a statement; empty where it would run it."""
    try:
        await server.administer(f"EXPLAIN {statement}", **given)
    except RefusedError as error:
        return str(getattr(error.__cause__, "code", ""))
    return ""


async def test_a_statement_that_is_none_is_told_from_one_of_enterprise(
    server: Neo4jBackend,
) -> None:
    right = tier_statements("v", "librarian", GRAPHS)[-1]
    assert await refusal(server, right) == NOT_HERE
    assert "SyntaxError" in await refusal(server, right.replace("DENY", "DENNY"))


async def test_every_statement_is_one_that_neo4j_can_read(server: Neo4jBackend) -> None:
    secrets = dict.fromkeys(TIERS, "a-long-secret")
    statements = [
        *role_statements("v", GRAPHS),
        *(line for tier in TIERS for line in revoke_statements("v", tier)),
    ]
    codes = {line: await refusal(server, line, **secrets) for line in statements}
    unread = {line: code for line, code in codes.items() if code not in ("", NOT_HERE)}
    assert not unread


async def test_community_separates_nothing_and_says_so(settings: Settings) -> None:
    found = await access.show(settings)
    assert not found.separates
    assert not any(tier.exists for tier in found.tiers)
    assert any("no roles" in remark for remark in found.remarks)
    with pytest.raises(InputError, match="no roles"):
        await access.provision(settings)
    with pytest.raises(InputError, match="no roles"):
        await access.revoke(settings, "reader")
    assert not (settings.data_dir / FILE).exists()
    assert "CREATE ROLE" in access.script(settings)
    kept = (settings.data_dir / FILE).read_text("utf-8")
    assert login_of(settings, "reader").secret in kept


async def test_a_callers_graph_is_asked_with_the_callers_login(settings: Settings) -> None:
    login = Login(user="somebody", secret="".join(TIERS))
    backend = graph_for(settings, login, staging=True)
    assert isinstance(backend, Neo4jBackend)
    with pytest.raises(Exception, match="BRAIN_GRAPH_DATABASE") as caught:  # Community has one
        await backend.query("RETURN 1")
    assert login.secret not in str(caught.value)
    await backend.close()
