"""What the service process answers: the tools as MCP over streamable HTTP with JSON replies."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from graphs.service.client import HEALTH, MCP_PATH
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from graphs.brain import Brain
    from graphs.toolkit.tool import Session

_HOSTS = ("127.0.0.1", "localhost", "[::1]")


def application(brain: "Brain", *, mark: str) -> "ASGIApp":
    """The MCP server over a vault; ``mark`` is what a client compares its own settings with."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    from graphs.mcp.server import mcp_server
    from graphs.toolkit.tool import Session, caller

    async def session() -> "Session":
        # As every start of the command line does: this process may outlive the vault's disk.
        await asyncio.to_thread(check_vault, brain.settings.vault)
        return Session(brain, caller("serve"))

    async def health(_: "Request") -> "Response":
        return JSONResponse({"mark": mark})

    return mcp_server(session).streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*_HOSTS, *(f"{host}:*" for host in _HOSTS)], allowed_origins=[]
        ),
        custom_starlette_routes=[Route(HEALTH, health)],
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
