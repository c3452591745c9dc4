"""Tiers, tools and databases: who may call what, and who refuses the rest."""

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.credentials import own_credential
from graphs.operations import access
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.registry import TOOLS, call
from graphs.toolkit.tool import Session, open_session
from tests.support.servers.falkor_server import falkor_server as running_falkor
from tests.support.vaults.added_notes import given_by
from tests.support.vaults.notes import write_notes
from tools.base.errors import AccessError, InputError, NotPermittedError, SourceError
from tools.graph.access.kinds import TIERS, Tier, reaches
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

PASSWORD = "open sesame"  # noqa: S105 - of a server that lives as long as the module
NOTES = {
    "A.md": "# A\n\nTea causes [[B]].\n",
    "B.md": "# B\n\nHeat, as [[A]] says.\n",
    "D.md": "# D\n\nCups are warmed.\n",
}
LINK = {"source": "A", "target": "D", "relation": "supports"}
FILES_ALONE = {"create_link", "undo_link"}
"""Tools that write files and nothing else: no database knows of these, so we alone refuse."""
CALLS: Mapping[str, Mapping[str, Any]] = {
    "ask": {"question": "What is A?"},
    "search_notes": {"query": "tea"},
    "read_note": {"note": "A"},
    "recent_notes": {},
    "semantic_search": {"query": "tea"},
    "search_graph": {"query": "What is A?"},
    "get_node": {"node_id": "A"},
    "list_nodes": {"type": "Note"},
    "find_related": {"node_id": "A"},
    "traverse_path": {"from_id": "A", "to_id": "B"},
    "timeline": {"concept": "tea"},
    "facts": {"subject": "A"},
    "contradictions": {},
    "get_graph_stats": {},
    "suggest_links": {"note": "A"},
    "create_link": LINK,
    "add_note_to_graph": {"path": "inbox/C.md", "content": "C, says [[A]]."},
    "undo_add_note": {"note": "inbox/C.md"},
}


@pytest.fixture(params=["embedded", "falkordb", "neo4j"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The settings of a graph that is empty."""
    match request.param:
        case "falkordb":
            with running_falkor(tmp_path / "server", password=PASSWORD) as address:
                yield {"graph_uri": address, "graph_password": PASSWORD}
        case "neo4j":
            yield {"graph_uri": request.getfixturevalue("neo4j_uri")}
        case _:
            yield {}


@pytest.fixture
async def brain(database: dict[str, Any], tmp_path: Path) -> AsyncIterator[Brain]:
    """An indexed vault, with tiers where its database has any."""
    write_notes(tmp_path / "vault", NOTES)
    settings = load_settings(
        vault=tmp_path / "vault",
        data_dir=tmp_path / "data",
        services_owner=os.getpid(),
        mode="local",
        source_timeout=20.0,
        **database,
    )
    if settings.graph_engine != "neo4j":  # Community has none
        await access.provision(settings)
    async with open_brain(
        settings.vault,
        data_dir=settings.data_dir,
        services_owner=os.getpid(),
        mode="local",
        source_timeout=20.0,
        **database,
    ) as opened:
        await opened.index()
        yield opened
    services = [semantic_service(settings)]
    if settings.graph_engine == "embedded":
        services.append(graph_service(settings))
    for service in services:
        await stop(service)


async def written_link(brain: Brain) -> int:
    """The number of a link that a librarian has written."""
    session = Session(brain, caller("honest", tier="librarian"))
    shown = await given_by(session, "create_link", **LINK)
    done = await given_by(session, "create_link", **LINK, write=True, plan=shown["plan"])
    return done["number"]


async def outcomes(session: Session, owner: Brain) -> dict[str, str]:
    """What becomes of a call of each tool, in turn; all but undo_link find no link written."""
    found: dict[str, str] = {}
    for name in TOOLS:
        arguments = CALLS.get(name, {})
        if name == "undo_link":
            arguments = {"number": await written_link(owner)}
        try:
            await call(session, name, arguments)
        except AccessError:
            found[name] = "refused by the program"
        except NotPermittedError:
            found[name] = "refused by the database"
        except (InputError, SourceError) as error:
            found[name] = str(error)
        else:
            found[name] = "done"
    if found["undo_link"] != "done":
        await owner.links.undo_last()
    return found


async def test_who_may_call_what(brain: Brain) -> None:
    for tier in TIERS:
        session = await open_session(brain, "honest", own_credential(brain.settings, tier))
        found = await outcomes(session, brain)
        if brain.settings.graph_engine == "neo4j" and tier != "reader":
            assert "Community can have none" in found.pop("add_note_to_graph")
            assert "No note was added" in found.pop("undo_add_note")
        assert found == {
            name: "done" if TOOLS[name].is_open_to(tier) else "refused by the program"
            for name in found
        }, tier


@pytest.mark.parametrize("database", ["embedded", "falkordb"], indirect=True)
@pytest.mark.parametrize("claimed", [tier for tier in TIERS if tier != "reader"])
async def test_what_a_forger_would_come_to(brain: Brain, claimed: Tier) -> None:
    """One that got past our own check of its tier, with no more than a reader's secret.

    Neo4j Community has no logins of tiers, and no second database to stage in.
    """
    staged = await open_session(brain, "honest", own_credential(brain.settings, "contributor"))
    await call(staged, "add_note_to_graph", CALLS["add_note_to_graph"])
    known = own_credential(brain.settings, "reader")
    assert known.login is not None
    own = await brain.with_login(known.login)
    session = Session(own, caller("forger", tier=claimed), login=known.login)
    wrote_files = dict.fromkeys(
        FILES_ALONE, "done" if reaches(claimed, "librarian") else "refused by the program"
    )
    assert await outcomes(session, brain) == {
        name: wrote_files.get(name, "done" if one.tier == "reader" else "refused by the database")
        for name, one in TOOLS.items()
    }
