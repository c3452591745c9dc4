"""Who may stage a note, as a real FalkorDB enforces it, whatever tier a caller claims."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.credentials import login_of
from graphs.operations import access
from graphs.operations.staged import list_staged
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.registry import call
from graphs.toolkit.tool import Session
from tests.support.servers.access import answer, settings_of
from tools.base.errors import LoginRefusedError, NotPermittedError
from tools.graph.access.kinds import Tier
from tools.graph.access.secrets import Login
from tools.runtime.services import graph_service, semantic_service, stop

pytestmark = pytest.mark.integration

NOTE = {"path": "inbox/Herons.md", "content": "Herons eat newts, says [[A]]."}
COUNT = "MATCH (n:Note) WHERE n.digest IS NOT NULL RETURN count(n)"


@pytest.fixture
async def brain(tmp_path: Path) -> AsyncIterator[Brain]:
    settings = settings_of(tmp_path)
    await access.provision(settings)
    async with open_brain(
        settings.vault, data_dir=settings.data_dir, mode="local", services_owner=os.getpid()
    ) as opened:
        yield opened
    for service in (graph_service(settings), semantic_service(settings)):
        await stop(service)


def session(brain: Brain, claimed: Tier, login: Login) -> Session:
    return Session(brain, caller("forger", tier=claimed), login=login)


async def test_a_contributor_stages_and_takes_back(brain: Brain) -> None:
    login = login_of(brain.settings, "contributor")
    one = session(brain, "contributor", login)
    added = (await call(one, "add_note_to_graph", NOTE)).result
    assert (added["is_new"], added["stats"]["edges_created"]) == (True, 1)
    assert await answer(brain.settings, login, cypher=COUNT, staging=True) == [[1]]
    undone = (await call(one, "undo_add_note", {"note": "inbox/Herons.md"})).result
    assert undone["removed"]
    assert await answer(brain.settings, login, cypher=COUNT, staging=True) == [[0]]


@pytest.mark.parametrize("claimed", ["contributor", "librarian", "curator"])
async def test_a_reader_stages_nothing_whatever_it_claims(brain: Brain, claimed: Tier) -> None:
    reader = session(brain, claimed, login_of(brain.settings, "reader"))
    with pytest.raises(NotPermittedError):
        await call(reader, "add_note_to_graph", NOTE)
    assert await asyncio.to_thread(list_staged, brain.settings) == []

    owner = Session(brain, caller("owner", tier="contributor"))
    await call(owner, "add_note_to_graph", NOTE)
    for change in (
        ("add_note_to_graph", NOTE),
        ("add_note_to_graph", {**NOTE, "path": "inbox/Other.md"}),
        ("undo_add_note", {"note": "inbox/Herons.md"}),
    ):
        with pytest.raises(NotPermittedError):
            await call(reader, *change)
    assert [one.path for one in await asyncio.to_thread(list_staged, brain.settings)] == [
        "inbox/Herons.md"
    ]


async def test_a_login_that_was_revoked_stages_nothing(brain: Brain) -> None:
    one = session(brain, "contributor", login_of(brain.settings, "contributor"))
    await call(one, "add_note_to_graph", NOTE)
    await access.revoke(brain.settings, "contributor")
    with pytest.raises(LoginRefusedError):
        await call(one, "add_note_to_graph", {**NOTE, "path": "inbox/Other.md"})
    assert len(await asyncio.to_thread(list_staged, brain.settings)) == 1
