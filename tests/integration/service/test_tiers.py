"""What each tier may call of a service process, by what it shows; what it claims is nothing."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from graphs.core.credentials import login_of
from graphs.core.graph_backends import embedded_graph
from graphs.mcp.server import HINTS
from graphs.operations import access
from graphs.toolkit.audit_log.log import AuditLog, calls_in
from graphs.toolkit.registry import TOOLS
from tests.support.processes.command_line import BRAIN, environment, run_here
from tests.support.processes.service_process import (
    REVISION,
    TEA_NOTES,
    ServiceProcess,
    headers,
    over_socket,
    running_service,
)
from tests.support.servers.access import sent
from tests.support.vaults.notes import write_notes
from tools.base.errors import InputError
from tools.graph.access.kinds import TIERS, Tier, reaches
from tools.graph.access.secrets import read_secrets, write_secrets
from tools.graph.access.tiers import user_name
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

NO_TIERS = ("owner", "", "Reader", "reader, curator")
_META = "io.modelcontextprotocol/"


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("tiers")
    write_notes(folder / "vault", TEA_NOTES)
    return environment(folder / "vault", folder / "data")


@pytest.fixture(scope="module")
def settings(variables: dict[str, str]) -> Settings:
    return load_settings(vault=variables["BRAIN_VAULT"], data_dir=variables["BRAIN_DATA_DIR"])


@pytest.fixture(scope="module")
def serving(variables: dict[str, str], settings: Settings) -> Iterator[ServiceProcess]:
    assert run_here("index", environment=variables).returncode == 0
    asyncio.run(access.provision(settings))
    with running_service(variables) as running:
        yield running
    run_here("stop", environment=variables)


def message(method: str, **params: Any) -> dict[str, Any]:
    capable: dict[str, object] = {}
    meta = {f"{_META}protocolVersion": REVISION, f"{_META}clientCapabilities": capable}
    given = {"_meta": {**meta, **params.pop("meta", {})}, **params}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}


def reply_to(serving: ServiceProcess, token: str, body: dict[str, Any], **more: str) -> Any:
    named = body["params"].get("name")
    sending = headers(token, **{"Mcp-Method": body["method"]}, **more)
    sending = {**sending, "Mcp-Name": named} if named else sending
    sending = sending if named else {k: v for k, v in sending.items() if k != "Mcp-Name"}
    with over_socket(serving.socket) as client:
        return client.post("/mcp", json=body, headers=sending)


def listed(serving: ServiceProcess, token: str, **more: str) -> set[str]:
    reply = reply_to(serving, token, message("tools/list"), **more)
    return {tool["name"] for tool in reply.json()["result"]["tools"]}


def of_tier(tier: Tier) -> set[str]:
    return {name for name, tool in TOOLS.items() if tool.is_open_to(tier)}


@pytest.mark.parametrize("tier", TIERS)
def test_a_tier_lists_what_it_may_call(
    serving: ServiceProcess, settings: Settings, tier: Tier
) -> None:
    token = login_of(settings, tier).secret
    assert listed(serving, token) == of_tier(tier)
    assert listed(serving, token, **{"Brain-Tier": "reader"}) == of_tier("reader")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("claim", TIERS)
def test_a_claim_raises_nobody(
    serving: ServiceProcess, settings: Settings, tier: Tier, claim: Tier
) -> None:
    token = login_of(settings, tier).secret
    lower = not reaches(claim, tier)
    allowed = of_tier(claim if lower else tier)
    name_of = f"{tier}-{claim}"
    claims = {"Brain-Tier": claim, "Brain-Client": claim, "Mcp-Session-Id": claim, "Role": claim}
    named = {f"{_META}clientInfo": {"name": name_of, "version": "1"}, "tier": claim, "role": claim}
    assert listed(serving, token, **claims) == allowed
    for name in TOOLS.keys() - allowed:
        body = message("tools/call", name=name, arguments={}, meta=named)
        result = reply_to(serving, token, body, **claims).json()["result"]
        assert result["structuredContent"]["error"] == "AccessError"
    body = message("tools/call", name="recent_notes", arguments={"tier": claim}, meta=named)
    result = reply_to(serving, token, body, **claims).json()["result"]
    assert result["structuredContent"]["error"] == "InputError"
    mine = [one for one in calls_in(AuditLog(settings.audit_dir).read()) if one.client == name_of]
    assert {one.tier for one in mine} == {claim if lower else tier}


@pytest.mark.parametrize("claim", NO_TIERS)
def test_a_wish_for_less_that_nobody_understands_is_refused(
    serving: ServiceProcess, settings: Settings, claim: str
) -> None:
    for token in (serving.token, login_of(settings, "curator").secret):
        reply = reply_to(serving, token, message("tools/list"), **{"Brain-Tier": claim})
        assert reply.status_code == 401
        assert "There is no tier" in reply.text


@pytest.mark.parametrize("tier", TIERS)
def test_the_graph_is_asked_with_the_tier_s_own_login(
    serving: ServiceProcess, settings: Settings, tier: Tier
) -> None:
    """A user that only the database forgets is let in by us, and by the database not."""
    login = login_of(settings, tier)
    body = message("tools/call", name="find_related", arguments={"node_id": "Tea"})

    def found(token: str) -> dict[str, Any]:
        return reply_to(serving, token, body).json()["result"]["structuredContent"]

    assert found(login.secret)["center"]["name"] == "Tea"
    owner = embedded_graph(settings, "vault")
    asyncio.run(sent(owner, "ACL", "DELUSER", user_name(settings.vault_mark, tier)))
    assert found(login.secret)["error"] == "LoginRefusedError"
    assert found(serving.token)["center"]["name"] == "Tea"
    asyncio.run(access.provision(settings))
    assert found(login.secret)["center"]["name"] == "Tea"


def test_a_token_that_was_taken_away_or_has_expired_is_none(
    serving: ServiceProcess, settings: Settings
) -> None:
    token = login_of(settings, "librarian").secret
    asyncio.run(access.revoke(settings, "librarian"))
    reply = reply_to(serving, token, message("tools/list"))
    assert (reply.status_code, reply.text) == (401, "Unauthorized")
    asyncio.run(access.provision(settings, days=1))
    again = login_of(settings, "librarian")
    assert again.secret != token
    assert listed(serving, again.secret) == of_tier("librarian")
    _expire(settings)
    reply = reply_to(serving, again.secret, message("tools/list"))
    assert reply.status_code == 401
    assert "has expired: `brain access provision` makes a new one" in reply.text
    asyncio.run(access.provision(settings, days=0))
    assert login_of(settings, "librarian").secret != again.secret
    assert listed(serving, login_of(settings, "librarian").secret) == of_tier("librarian")
    assert listed(serving, serving.token) == set(TOOLS)


def test_a_tier_keeps_how_long_its_tokens_hold(
    serving: ServiceProcess, settings: Settings, variables: dict[str, str]
) -> None:
    del serving

    def days_left() -> int | None:
        expires = login_of(settings, "librarian").expires
        left = None if expires is None else expires - datetime.now(UTC)
        return None if left is None else round(left / timedelta(days=1))

    shown = partial(run_here, "access", environment=variables)
    given = shown("provision", "--days", "7").stdout
    assert days_left() == 7
    assert "the next one for 7 days" in given
    first = login_of(settings, "librarian").secret
    assert (shown("provision").returncode, login_of(settings, "librarian").secret) == (0, first)
    _expire(settings)
    assert "its token expired on" in shown("show").stdout
    asyncio.run(access.provision(settings))
    assert days_left() == 7
    asyncio.run(access.revoke(settings, "librarian"))
    assert "does not exist; its next token holds for 7 days" in shown("show").stdout
    asyncio.run(access.provision(settings))
    assert days_left() == 7
    assert "its token holds for good" in shown("provision", "--days", "0").stdout
    assert days_left() is None


def test_who_has_expired_without_a_word_for_how_long_gets_no_token_for_good(
    serving: ServiceProcess, settings: Settings
) -> None:
    del serving
    _expire(settings, days={})
    with pytest.raises(InputError, match="--days"):
        asyncio.run(access.provision(settings))
    asyncio.run(access.provision(settings, days=0))
    assert login_of(settings, "librarian").expires is None


def _expire(settings: Settings, **changes: Any) -> None:
    """Have all tokens been given long ago."""
    known = read_secrets(settings.data_dir)
    past = datetime.now(UTC) - timedelta(seconds=1)
    tiers = {tier: replace(login, expires=past) for tier, login in known.tiers.items()}
    write_secrets(settings.data_dir, replace(known, tiers=tiers, **changes))


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("tier", ["reader", "librarian"])
async def test_a_client_over_standard_input_has_the_tier_of_its_command(
    serving: ServiceProcess, variables: dict[str, str], tier: Tier, *, beside: bool
) -> None:
    del serving
    elsewhere = {} if beside else {"BRAIN_SOURCE_TIMEOUT": "19"}
    server = StdioServerParameters(
        command=str(BRAIN), args=["mcp", "--tier", tier], env={**variables, **elsewhere}
    )
    async with Client(stdio_client(server)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == of_tier(tier)
        done = await client.call_tool("get_graph_stats", {})
        assert (done.structured_content or {})["total_nodes"] > 0


async def why_refused(client: Client) -> str:
    try:
        return str((await client.call_tool("get_graph_stats", {})).content)
    except MCPError as error:
        return str(error)


@pytest.mark.parametrize("beside", [True, False])
async def test_a_tier_that_is_taken_away_ends_for_the_client_that_has_it(
    serving: ServiceProcess, settings: Settings, variables: dict[str, str], *, beside: bool
) -> None:
    """The last of all tiers, too: without it the program's own connection would be what is left."""
    del serving
    elsewhere = {} if beside else {"BRAIN_SOURCE_TIMEOUT": "19"}
    server = StdioServerParameters(
        command=str(BRAIN),
        args=["mcp", "--tier", "contributor"],
        env={**variables, **elsewhere},
    )
    async with Client(stdio_client(server)) as client:
        assert not (await client.call_tool("get_graph_stats", {})).is_error
        for tier in TIERS:
            await access.revoke(settings, tier)
        assert "There is no contributor" in await why_refused(client)
        await access.provision(settings)
        assert not (await client.call_tool("get_graph_stats", {})).is_error


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_goes_before_a_call_is_hinted_until_it_was_done(
    serving: ServiceProcess, variables: dict[str, str], mode: Any
) -> None:
    """Each message is one by itself for the service process; the session is the command's."""
    del serving
    server = StdioServerParameters(
        command=str(BRAIN), args=["mcp", "--tier", "contributor"], env=variables
    )
    async with Client(stdio_client(server), mode=mode) as client:
        await hints_until_it_was_done(client)


async def test_a_client_of_before_is_hinted_over_http_too(serving: ServiceProcess) -> None:
    shown = {"Authorization": f"Bearer {serving.token}"}
    way = httpx2.AsyncHTTPTransport(uds=str(serving.socket))
    async with httpx2.AsyncClient(transport=way, headers=shown, timeout=60) as http:
        transport = streamable_http_client("http://localhost/mcp", http_client=http)
        async with Client(transport, mode="legacy") as client:
            await hints_until_it_was_done(client)


async def hints_until_it_was_done(client: Client) -> None:
    added = {"path": "inbox/Cups.md", "content": "Cups are warmed."}

    def suggested(done: Any) -> list[str]:
        meta: dict[str, Any] = done.meta
        return meta[HINTS]["suggested_before"]

    assert suggested(await client.call_tool("add_note_to_graph", added)) == ["search_notes"]
    await client.call_tool("search_notes", {"query": "cups"})
    again: Any = await client.call_tool("add_note_to_graph", added)
    assert suggested(again) == []
    assert not again.structured_content["is_new"]
    assert suggested(await client.call_tool("undo_add_note", {"note": added["path"]})) == []
