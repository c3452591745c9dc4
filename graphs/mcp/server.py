"""The tools over MCP: what a client lists and calls, whatever the transport."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from graphs.toolkit.registry import TOOLS, ToolOutcome, call
from tools.base.errors import BrainError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from graphs.toolkit.tool import Session

NAME = "brain"
INSTRUCTIONS = (
    "A person's vault of markdown notes. `ask` answers a question in plain words, each line with "
    "its note, heading and line; `search_notes` and `semantic_search` find notes, `read_note` "
    "reads one. `search_graph` finds what a question is about in the graph of notes and goes "
    "outwards; `traverse_path` tells how two notes are connected. Quote what you use with its "
    "note and line."
)


def mcp_server(session: Callable[[], Awaitable["Session"]]) -> Server[Any]:
    """The server over the vault that ``session`` opens; it is asked for by each call."""

    async def tools(
        _: "ServerRequestContext[Any]", __: "PaginatedRequestParams | None"
    ) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(name) for name in TOOLS])

    async def run(
        _: "ServerRequestContext[Any]", params: "CallToolRequestParams"
    ) -> CallToolResult:
        try:
            return _given(await call(await session(), params.name, params.arguments or {}))
        except BrainError as error:
            return _failed(error)

    return Server(NAME, instructions=INSTRUCTIONS, on_list_tools=tools, on_call_tool=run)


def _listed(name: str) -> Tool:
    one = TOOLS[name]
    reads = one.tier == "reader"
    return Tool(
        name=name,
        title=one.title,
        description=one.description,
        input_schema=one.input_schema,
        output_schema=one.output_schema,
        annotations=ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=False,
            idempotent_hint=reads,
            open_world_hint=False,
        ),
    )


def _given(called: ToolOutcome) -> CallToolResult:
    """The result as structure, and as text for clients that know no structure."""
    text = called.result.get("answer") or json.dumps(called.result, ensure_ascii=False)
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=called.result
    )


def _failed(error: BrainError) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=str(error))],
        structured_content={"error": type(error).__name__, "message": str(error)},
        is_error=True,
    )
