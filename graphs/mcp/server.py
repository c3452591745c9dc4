"""The tools over MCP: what a client lists and calls, whatever the transport."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolResult,
    ListToolsResult,
    TextContent,
)

from graphs.mcp.listing import FILE
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
    listing = ListToolsResult.model_validate_json(FILE.read_bytes())

    async def tools(
        _: "ServerRequestContext[Any]", __: "PaginatedRequestParams | None"
    ) -> ListToolsResult:
        return listing

    async def run(
        _: "ServerRequestContext[Any]", params: "CallToolRequestParams"
    ) -> CallToolResult:
        try:
            opened = await session()
            from graphs.toolkit.registry import call  # by now it is loaded

            return _given((await call(opened, params.name, params.arguments or {})).result)
        except BrainError as error:
            return _failed(error)

    return Server(NAME, instructions=INSTRUCTIONS, on_list_tools=tools, on_call_tool=run)


def _given(result: dict[str, Any]) -> CallToolResult:
    """The result as structure, and as text for clients that know no structure."""
    text = result.get("answer") or json.dumps(result, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=result)


def _failed(error: BrainError) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=str(error))],
        structured_content={"error": type(error).__name__, "message": str(error)},
        is_error=True,
    )
