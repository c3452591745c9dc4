"""What the service process answers: the tools as MCP over streamable HTTP.

Whoever calls shows a secret: the token of whoever runs the process, or that of a tier. What a
request says besides, of its tier, session and program, can lower its rights and name it, no more.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from starlette.datastructures import Headers

from graphs.service.client import CLIENT_HEADER, HEALTH, MCP_PATH, SESSION_HEADER, TIER_HEADER
from tools.base.errors import BrainError, InputError
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from graphs.brain import Brain
    from graphs.core.credentials import Credential
    from graphs.toolkit.tool import Session
    from tools.graph.access.kinds import Tier

_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_CREDENTIAL = "brain.credential"
_MOST_SESSIONS = 256
"""Sessions that are known by what they called before; an older one begins anew."""


def application(brain: "Brain", *, mark: str) -> "ASGIApp":
    """The MCP server over a vault; ``mark`` is what a client compares its own settings with."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    from graphs.mcp.server import mcp_server

    async def health(_: "Request") -> "Response":
        return JSONResponse({"mark": mark})

    return mcp_server(_Callers(brain)).streamable_http_app(
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*_HOSTS, *(f"{host}:*" for host in _HOSTS)], allowed_origins=[]
        ),
        custom_starlette_routes=[Route(HEALTH, health)],
    )


class _Callers:
    """The clients of the process, each by the request that it sends."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._sessions: OrderedDict[tuple[Credential, str], Session] = OrderedDict()

    def tier(self, context: "ServerRequestContext[Any]") -> "Tier":
        return _request(context).scope[_CREDENTIAL].tier

    async def session(self, context: "ServerRequestContext[Any]") -> "Session":
        from graphs.toolkit.tool import open_session

        # As every start of the command line does: this process may outlive the vault's disk.
        await asyncio.to_thread(check_vault, self._brain.settings.vault)
        request = _request(context)
        credential: Credential = request.scope[_CREDENTIAL]
        client = unquote(request.headers.get(CLIENT_HEADER, "serve"))
        if (named := request.headers.get(SESSION_HEADER)) is None:
            return await open_session(self._brain, client, credential)
        key = credential, named
        if key not in self._sessions:
            self._sessions[key] = await open_session(self._brain, client, credential)
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
        self._sessions.move_to_end(key)
        return self._sessions[key]


def _request(context: "ServerRequestContext[Any]") -> "Request":
    return cast("Request", context.request)


def guarded(
    app: "ASGIApp", *, identify: "Callable[[str, str | None], Credential | None]"
) -> "ASGIApp":
    """The application for whoever shows a secret and is no page in a browser.

    ``identify`` is given the secret, and the lower tier that is asked for. A browser names the page
    that calls as ``Origin``; our clients send none.
    """

    async def guard(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if "origin" in headers:
                return await _refuse(HTTPStatus.FORBIDDEN, send)
            kind, _, secret = headers.get("authorization", "").partition(" ")
            if kind.casefold() != "bearer":
                return await _refuse(HTTPStatus.UNAUTHORIZED, send)
            try:
                known = await asyncio.to_thread(identify, secret, headers.get(TIER_HEADER))
            except InputError as error:
                return await _refuse(HTTPStatus.UNAUTHORIZED, send, why=str(error))
            except BrainError as error:
                return await _refuse(HTTPStatus.SERVICE_UNAVAILABLE, send, why=str(error))
            if known is None:
                return await _refuse(HTTPStatus.UNAUTHORIZED, send)
            if scope["path"] == MCP_PATH and scope["method"] != "POST":
                # Without sessions there is no stream to read from the server: it would stay silent.
                return await _refuse(HTTPStatus.METHOD_NOT_ALLOWED, send)
            scope[_CREDENTIAL] = known
        await app(scope, receive, send)
        return None

    return guard


async def _refuse(
    status: HTTPStatus, send: Callable[[Any], Awaitable[None]], *, why: str | None = None
) -> None:
    body = (why or status.phrase).encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # else a stranger would hold it, and as many as there can be
    ]
    if status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
