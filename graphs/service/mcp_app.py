"""What the service process answers: one MCP tool, ``ask``, over streamable HTTP with JSON replies.

The tool takes what ``brain ask`` takes and gives the object that ``brain ask --json`` prints.
"""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from graphs.core.crash_report import record
from graphs.service.client import HEALTH, MCP_PATH, TOOL
from graphs.toolkit.handler import answer_to, check
from graphs.toolkit.request import QueryRequest
from tools.base.domain import Answer
from tools.base.errors import BrainError, InputError
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        CallToolRequestParams,
        CallToolResult,
        ListToolsResult,
        PaginatedRequestParams,
    )
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from graphs.brain import Brain

_ASKED = TypeAdapter(QueryRequest)
_ANSWER = TypeAdapter(Answer)
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_ABOUT = (
    "Ask a person's vault of markdown notes a question in plain words, in English or Turkish. "
    "Every line of the answer names its note, heading and line. Where `status` begins with "
    "`needs_`, call again with the `thread_id` as `thread` and an option's number as `choose`."
)


def application(brain: "Brain", *, mark: str) -> "ASGIApp":
    """The MCP server over a vault; ``mark`` is what a client compares its own settings with."""
    from mcp.server.lowlevel import Server
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp_types import ListToolsResult, Tool
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    tool = Tool(
        name=TOOL, title="Ask the notes", description=_ABOUT, input_schema=_ASKED.json_schema()
    )

    async def tools(
        _: "ServerRequestContext[Any]", __: "PaginatedRequestParams | None"
    ) -> "ListToolsResult":
        return ListToolsResult(tools=[tool])

    async def call(
        _: "ServerRequestContext[Any]", params: "CallToolRequestParams"
    ) -> "CallToolResult":
        if params.name != TOOL:
            return _failed(InputError(f"There is no tool {params.name!r}, only {TOOL!r}."))
        return await _asked(brain, params.arguments or {})

    async def health(_: "Request") -> "Response":
        return JSONResponse({"mark": mark})

    server: Server[Any] = Server(
        "brain",
        instructions=_ABOUT,
        on_list_tools=tools,
        on_call_tool=call,
        get_tool_input_schema=lambda name: tool.input_schema if name == TOOL else None,
    )
    return server.streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*_HOSTS, *(f"{host}:*" for host in _HOSTS)], allowed_origins=[]
        ),
        custom_starlette_routes=[Route(HEALTH, health)],
    )


async def _asked(brain: "Brain", arguments: dict[str, Any]) -> "CallToolResult":
    """Answer; what goes wrong is a result, too, with the words that a person is shown."""
    from mcp_types import CallToolResult, TextContent

    try:
        asked = _ASKED.validate_python(arguments)
        check(asked)
        # As every start of the command line does: this process may outlive the vault's disk.
        await asyncio.to_thread(check_vault, brain.settings.vault)
        answer = await answer_to(brain, asked)
    except ValidationError as error:
        names = ", ".join(sorted({str(part) for one in error.errors() for part in one["loc"][:1]}))
        return _failed(InputError(f"The tool {TOOL!r} cannot use what was given: {names}."))
    except BrainError as error:
        return _failed(error)
    except Exception as error:  # noqa: BLE001 - a defect must cost one answer, not all others
        return _failed(BrainError(record(error)))
    back = answer.clarification
    said = answer.answer or (f"{back.question}\n" if back else "")
    said += "".join(f"{one.number}) {one.label}\n" for one in (back.options if back else ()))
    return CallToolResult(
        content=[TextContent(type="text", text=said)],
        structured_content=_ANSWER.dump_python(answer, mode="json"),
    )


def _failed(error: BrainError) -> "CallToolResult":
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(
        content=[TextContent(type="text", text=str(error))],
        structured_content={"error": type(error).__name__, "message": str(error)},
        is_error=True,
    )


def guarded(app: "ASGIApp", *, token: Callable[[], str | None]) -> "ASGIApp":
    """The application for whoever has the present token and is no page in a browser.

    A browser names the page that calls as ``Origin``; our clients send none.
    """

    async def guard(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http":
            headers = dict[bytes, bytes](scope["headers"])
            if b"origin" in headers:
                return await _refuse(HTTPStatus.FORBIDDEN, send)
            expected = token()
            given = headers.get(b"authorization", b"")
            if not (expected and hmac.compare_digest(given, f"Bearer {expected}".encode())):
                return await _refuse(HTTPStatus.UNAUTHORIZED, send)
            if scope["path"] == MCP_PATH and scope["method"] != "POST":
                # Without sessions there is no stream to read from the server: it would stay silent.
                return await _refuse(HTTPStatus.METHOD_NOT_ALLOWED, send)
        await app(scope, receive, send)
        return None

    return guard


async def _refuse(status: HTTPStatus, send: Callable[[Any], Awaitable[None]]) -> None:
    body = status.phrase.encode()
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # else a stranger would hold it, and as many as there can be
    ]
    if status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
