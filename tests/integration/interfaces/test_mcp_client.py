"""What a client over MCP lists, calls, completes and is asked, over the example vault."""

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, PromptReference, ResourceTemplateReference

from graphs.mcp.server import HINTS
from graphs.toolkit.registry import TOOLS
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration


async def test_an_mcp_client_lists_and_calls_over_standard_input(indexed: Indexed) -> None:
    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name("brain")),
        args=["mcp"],
        env=indexed.environment,
    )
    async with Client(stdio_client(server)) as client:
        tools = (await client.list_tools()).tools
        assert [one.name for one in tools] == [n for n, t in TOOLS.items() if t.tier == "reader"]
        reading = {one.name for one in tools if one.annotations and one.annotations.read_only_hint}
        assert TOOLS.keys() - reading == {
            "add_note_to_graph", "undo_add_note", "create_link", "undo_link",
        }  # fmt: skip
        node = await client.call_tool("get_node", {"node_id": "Zettelkasten"})
        assert node.structured_content
        assert node.structured_content["node"]["name"] == "Zettelkasten"
        assert node.meta
        assert "read_note" in node.meta[HINTS]["next_steps"]
        failed = await client.call_tool("read_note", {"note": "../x.md"})
        assert failed.is_error
        unknown = await client.call_tool("no_such_tool", {})
        assert unknown.is_error


async def test_paths_and_titles_are_completed_and_nothing_else(indexed: Indexed) -> None:
    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name("brain")), args=["mcp"], env=indexed.environment
    )
    template = ResourceTemplateReference(uri="note:///{+path}")
    prompt = PromptReference(name="compare")
    async with Client(stdio_client(server)) as client:
        paths = await client.complete(template, {"name": "path", "value": "zettel"})
        assert "notes/Zettelkasten.md" in paths.completion.values
        titles = await client.complete(prompt, {"name": "about", "value": "zettel"})
        assert titles.completion.values[0] == "Zettelkasten"
        for ref, argument in (
            (ResourceTemplateReference(uri="file:///{+path}"), "path"),
            (template, "name"),
            (PromptReference(name="nope"), "about"),
            (prompt, "nope"),
        ):
            with pytest.raises(MCPError):
                await client.complete(ref, {"name": argument, "value": "zettel"})


async def test_a_client_hears_how_far_an_answer_is(indexed: Indexed) -> None:
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name("brain")), args=["mcp"], env=indexed.environment
    )
    async with Client(stdio_client(server)) as client:
        asked = {"question": "What is a Zettelkasten?"}
        await client.call_tool("ask", asked, progress_callback=hear)
    assert [step for step in heard if step in ("interpret", "merge", "answer")] == [
        "interpret", "merge", "answer",
    ]  # fmt: skip


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(("action", "status"), [("accept", "answered"), ("decline", None)])
async def test_the_client_itself_asks_what_was_meant(
    indexed: Indexed, mode: Any, action: Any, status: str | None
) -> None:
    asked: list[Any] = []

    async def choose(context: Any, params: Any) -> ElicitResult:
        asked.append(params)
        number = params.requested_schema["properties"]["choice"]["enum"][1]
        return ElicitResult(action=action, content={"choice": number} if status else None)

    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name("brain")), args=["mcp"], env=indexed.environment
    )
    async with Client(stdio_client(server), mode=mode, elicitation_callback=choose) as client:
        done = await client.call_tool("ask", {"question": "Tell me about Zettelkasten"})
    assert "Zettelkasten" in asked[0].requested_schema["properties"]["choice"]["enumNames"][1]
    assert len(asked) == 1
    assert done.structured_content
    if status:
        assert done.structured_content["status"] == status
        assert done.structured_content["plan"]["decided_by"] == "user"
    else:  # the options as a result, or what can be said without them
        assert done.structured_content["status"] in ("needs_clarification", "answered")


async def test_one_that_can_ask_nobody_gets_the_options_in_words(indexed: Indexed) -> None:
    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name("brain")), args=["mcp"], env=indexed.environment
    )
    async with Client(stdio_client(server)) as client:
        back = await client.call_tool("ask", {"question": "Tell me about Zettelkasten"})
        assert back.structured_content
        thread = back.structured_content["thread_id"]
        (said,) = [one.text for one in back.content if one.type == "text"]
        question, first, second, *_, go_on = said.splitlines()
        assert question.endswith("?")
        assert (first[:3], second[:3]) == ("1. ", "2. ")
        assert f"`thread` '{thread}'" in go_on
        assert "`choose`" in go_on
        done = await client.call_tool("ask", {"thread": thread, "choose": "2"})
        plan = await client.call_tool("ask", {"question": "What is a slip-box?", "confirm": True})
    assert done.structured_content
    assert done.structured_content["status"] == "answered"
    (said,) = [one.text for one in plan.content if one.type == "text"]
    assert "\n1. " in said
