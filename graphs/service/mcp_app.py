"""What the service process answers: the tools as MCP over streamable HTTP.

Whoever calls shows a secret: the token of whoever runs the process, or that of a tier. What a
request says besides, of its tier, session and program, can lower its rights and name it, no more.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from starlette.datastructures import Headers, MutableHeaders

from graphs.mcp.messages import members
from graphs.service.client import (
    CLIENT_HEADER,
    HEALTH,
    MARK_HEADER,
    MCP_PATH,
    REVISION_HEADER,
    SESSION_HEADER,
    TIER_HEADER,
)
from tools.base.errors import BrainError, InputError
from tools.settings.loading import check_vault

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from graphs.brain import Brain
    from graphs.core.credentials import Credential
    from graphs.toolkit.tool import Session
    from tools.graph.access.kinds import Tier

_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_CREDENTIAL, _SESSION, _BEGUN = "brain.credential", "brain.session", "brain.begun"
"""What a request has shown: a secret, its session, or a session that may begin with it."""
_NO_BEGINNING = (SESSION_HEADER, REVISION_HEADER)
"""A client of an older revision says them once its session has begun; one of today the latter."""
_MOST_SESSIONS, _IDLE_SECONDS = 256, 86_400
"""Sessions that are known by their name and what they called before; others begin anew."""


def application(brain: "Brain", *, mark: str) -> "ASGIApp":
    """The MCP server over a vault; ``mark`` is what a client compares its own settings with."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    from graphs.mcp.server import mcp_server

    async def health(_: "Request") -> "Response":
        return JSONResponse({"mark": mark})

    callers = _Callers(brain)
    server = mcp_server(callers)
    server.middleware.append(callers.keep_name)
    return server.streamable_http_app(
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*_HOSTS, *(f"{host}:*" for host in _HOSTS)], allowed_origins=[]
        ),
        custom_starlette_routes=[Route(HEALTH, health)],
    )


@dataclass(slots=True)
class _Visit:
    """A client that calls more than once: its name, and its session once it has called a tool."""

    client: str
    used: float = 0.0
    session: "Session | None" = None


class _Callers:
    """The clients of the process, each by the request that it sends."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._visits: dict[tuple[Credential, str], _Visit] = {}

    def tier(self, context: "ServerRequestContext[Any]") -> "Tier":
        return _request(context).scope[_CREDENTIAL].tier

    async def session(self, context: "ServerRequestContext[Any]") -> "Session":
        from graphs.toolkit.tool import open_session

        # As every start of the command line does: this process may outlive the vault's disk.
        await asyncio.to_thread(check_vault, self._brain.settings.vault)
        request = _request(context)
        visit = self._visit(request, request.scope[_SESSION])
        if visit.session is None:
            credential = request.scope[_CREDENTIAL]
            visit.session = await open_session(self._brain, visit.client, credential)
        return visit.session

    async def keep_name(
        self, ctx: "ServerRequestContext[Any]", call_next: "CallNext"
    ) -> "HandlerResult":
        """Remember what a client of an older revision calls itself: it says so only at first."""
        result = await call_next(ctx)
        if ctx.method == "initialize":
            about, request = members(members(ctx.params).get("clientInfo")), _request(ctx)
            visit = self._visit(request, request.scope[_SESSION] or request.scope.get(_BEGUN))
            visit.client = str(about.get("name"))
        return result

    def _visit(self, request: "Request", session: str | None) -> _Visit:
        client = unquote(request.headers.get(CLIENT_HEADER, "serve"))
        if session is None:
            return _Visit(client)
        now, key = time.monotonic(), (request.scope[_CREDENTIAL], session)
        visit = self._visits.pop(key, None) or _Visit(client)
        visit.used = now
        self._visits[key] = visit  # those that were used last stand last
        while (first := next(iter(self._visits))) != key and (
            len(self._visits) > _MOST_SESSIONS or self._visits[first].used < now - _IDLE_SECONDS
        ):
            del self._visits[first]
        return visit


def _request(context: "ServerRequestContext[Any]") -> "Request":
    return cast("Request", context.request)


def guarded(
    app: "ASGIApp", *, mark: str, identify: "Callable[[str, str | None], Credential | None]"
) -> "ASGIApp":
    """The application for whoever shows a secret and is no page in a browser.

    ``identify`` is given the secret, and the lower tier that is asked for. A browser names the page
    that calls as ``Origin``; our clients send none. Who says with which ``mark`` it found the
    process is not answered by one that has another.
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
                # Each message is served by itself: a stream beside them would stay silent.
                return await _refuse(HTTPStatus.METHOD_NOT_ALLOWED, send)
            if headers.get(MARK_HEADER, mark) != mark:
                return await _refuse(HTTPStatus.PRECONDITION_FAILED, send)
            scope[_CREDENTIAL], scope[_SESSION] = known, headers.get(SESSION_HEADER)
            if scope["path"] == MCP_PATH and not any(name in headers for name in _NO_BEGINNING):
                send = _with_session(scope, send)
        await app(scope, receive, send)
        return None

    return guard


def _with_session(scope: "Scope", send: "Send") -> "Send":
    """Name the session that may begin: the client then says that name with each message."""
    scope[_BEGUN] = begun = secrets.token_hex(16)

    async def sending(message: "Message") -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)[SESSION_HEADER] = begun
        await send(message)

    return sending


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
