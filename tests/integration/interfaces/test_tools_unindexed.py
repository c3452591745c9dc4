"""What the tools say of a vault that is not indexed, or not all of it, and of changed notes."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from graphs.toolkit.registry import TOOLS, call
from graphs.toolkit.tool import Session
from tests.support.processes.command_line import run_here
from tests.support.vaults.added_notes import as_tier
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.notes import write_notes
from tools.base.errors import InputError
from tools.vault.indexing.indexing import CAUGHT_UP

pytestmark = pytest.mark.integration

ARGUMENTS: dict[str, dict[str, Any]] = {
    "get_node": {"node_id": "Note 1"},
    "find_related": {"node_id": "Note 1"},
    "traverse_path": {"from_id": "Note 1", "to_id": "Note 2"},
    "semantic_search": {"query": "herons"},
    "search_graph": {"query": "herons"},
    "get_graph_stats": {},
    "list_nodes": {"type": "Note"},
    "recent_notes": {},
    "contradictions": {},
    "read_note": {"note": "Note 1"},
    "suggest_links": {"note": "Note 1"},
    "create_link": {"source": "Note 1", "target": "Note 2", "relation": "supports"},
}
ANSWER_ALL_THE_SAME = {"ask", "search_notes", "facts", "timeline"}
"""Their results have warnings, as `brain ask` gives them."""


def notes(count: int) -> dict[str, str]:
    return {
        f"Note {number}.md": f"# Note {number}\n\nHeron {number} eats fish. See [[Note 0]].\n"
        for number in range(count)
    }


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[int], Indexed]]:
    """A vault of so many notes that nobody has indexed."""
    made = Indexed(vault=tmp_path / "vault", data_dir=tmp_path / "data")

    def of(count: int) -> Indexed:
        write_notes(made.vault, notes(count))
        return made

    yield of
    made.stop_servers()


async def test_a_vault_that_was_never_indexed_is_told_so_by_every_tool(
    make: Callable[[int], Indexed],
) -> None:
    assert ARGUMENTS.keys() | ANSWER_ALL_THE_SAME <= TOOLS.keys()
    async with make(20 * CAUGHT_UP).open() as brain:
        session = as_tier(brain, "librarian")
        for name, arguments in ARGUMENTS.items():
            with pytest.raises(InputError, match="not indexed yet: run `brain index`") as refused:
                await call(session, name, arguments)
            assert "\n" not in str(refused.value)
        by_path = await call(session, "read_note", {"note": "Note 1.md"})
        assert "Heron 1" in by_path.result["text"]
        for name, arguments in {
            "facts": {"subject": "Note 1"},
            "ask": {"question": "What does heron 3 eat?"},
        }.items():
            answered = await call(session, name, arguments)
            assert "run `brain index`" in json.dumps(answered.result["warnings"])


async def test_a_few_notes_need_no_run_but_for_their_meaning(
    make: Callable[[int], Indexed],
) -> None:
    async with make(5).open() as brain:
        session = Session(brain)
        listed = await call(session, "list_nodes", {"type": "Note"})
        assert listed.result["count"] == 5
        assert listed.hints.warnings == ()
        found = await call(session, "semantic_search", {"query": "fish"})
        assert found.result["results"] == []
        assert "`brain index`" in found.result["warnings"][0]["impact"]


async def test_a_tool_sees_what_has_changed_since(make: Callable[[int], Indexed]) -> None:
    vault = make(5)
    async with vault.open() as brain:
        await brain.index()
        session = Session(brain)
        write_notes(vault.vault, {"New.md": "# New\n\nSee [[Note 1]].\n"})
        (vault.vault / "Note 2.md").unlink()
        listed = await call(session, "list_nodes", {"type": "Note"})
        names = {one["name"] for one in listed.result["nodes"]}
        assert names == {"Note 0", "Note 1", "Note 3", "Note 4", "New"}
        node = await call(session, "get_node", {"node_id": "New"})
        assert [edge["object"] for edge in node.result["outgoing"]] == ["Note 1"]


async def test_a_tag_is_one_in_whatever_case(make: Callable[[int], Indexed]) -> None:
    vault = make(2)
    write_notes(vault.vault, {"A.md": "# A\n\n#Şehir #work\n", "B.md": "# B\n\n#şehir #Work\n"})
    async with vault.open() as brain:
        await brain.index()
        session = Session(brain)
        listed = await call(session, "list_nodes", {"type": "Tag"})
        assert [one["name"] for one in listed.result["nodes"]] == ["#Şehir", "#work"]
        census = await call(session, "get_graph_stats", {"detailed": True})
        assert census.result["by_node_type"]["Tag"] == 2


async def test_a_filter_sees_a_property_that_has_changed(make: Callable[[int], Indexed]) -> None:
    vault = make(2)
    wanted = {"type": "Note", "filters": {"status": "active"}}
    async with vault.open() as brain:
        session = Session(brain)
        for status, count in (("active", 1), ("active", 1), ("done", 0), ("active", 1)):
            write_notes(vault.vault, {"Note 1.md": f"---\nstatus: {status}\n---\n# Note 1\n"})
            listed = await call(session, "list_nodes", wanted)
            assert listed.result["count"] == count


async def test_what_is_not_indexed_yet_is_told_beside_the_result(
    make: Callable[[int], Indexed],
) -> None:
    vault = make(5)
    async with vault.open() as brain:
        await brain.index()
        write_notes(vault.vault, notes(3 * CAUGHT_UP))
        listed = await call(Session(brain), "list_nodes", {"type": "Note"})
    assert listed.result["count"] == 5 + CAUGHT_UP
    assert "run `brain index`" in listed.hints.warnings[0].impact


def test_the_terminal_is_told_beside_the_result_too(make: Callable[[int], Indexed]) -> None:
    vault = make(5)
    vault.index()
    write_notes(vault.vault, notes(3 * CAUGHT_UP))
    done = run_here(
        "tool", "list_nodes", "--json", '{"type": "Note"}', environment=vault.environment
    )
    assert json.loads(done.stdout)["count"] == 5 + CAUGHT_UP
    assert "not indexed yet" in done.stderr


async def test_a_read_that_the_audit_log_could_not_take_is_told(
    make: Callable[[int], Indexed],
) -> None:
    vault = make(2)
    async with vault.open() as brain:
        (vault.data_dir / "audit").write_text("no folder", "utf-8")
        found = await call(Session(brain), "get_graph_stats", {})
    assert found.result["total_nodes"] == 2
    assert [one.source for one in found.hints.warnings] == ["audit"]


async def test_a_client_is_told_that_the_vault_is_not_there_until_it_is(
    make: Callable[[int], Indexed],
) -> None:
    vault = make(2)
    away = vault.vault.rename(vault.vault.with_name("away"))
    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name("brain")), args=["mcp"], env=vault.environment
    )
    async with Client(stdio_client(server)) as client:
        assert (await client.list_tools()).tools
        for _ in range(2):
            refused = await client.call_tool("list_nodes", {"type": "Note"})
            assert refused.is_error
            content: dict[str, Any] = refused.structured_content or {}
            told = str(content["message"])
            assert told.startswith("The vault 'vault' does not exist")
            assert "\n" not in told
        away.rename(vault.vault)
        listed = await client.call_tool("list_nodes", {"type": "Note"})
    assert listed.structured_content
    assert listed.structured_content["count"] == 2
