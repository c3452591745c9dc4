"""The graph on FalkorDB: the embedded server behind its socket, or one at an address."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from tools.base.errors import (
    LoginRefusedError,
    NotPermittedError,
    RefusedError,
    ServiceUnavailableError,
    SourceError,
    TransientError,
)
from tools.graph.access.secrets import Login
from tools.graph.connection import CONTACT_SECONDS, Contact
from tools.graph.cypher.dialects import FALKOR
from tools.graph.cypher.graphiti_models import falkor_driver
from tools.graph.cypher.port import (
    NO_SENSE,
    NOT_PERMITTED,
    QUERY_TIMEOUT_MS,
    Row,
    Statements,
    Work,
    storable,
    understood,
)

if TYPE_CHECKING:
    from graphiti_core.driver.falkordb_driver import FalkorDriver
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

_QUERY, _READ, _COMPACT = "GRAPH.QUERY", "GRAPH.RO_QUERY", "--compact"
_AS_THEY_ARE = frozenset({1, 2, 3})

type Ensure = Callable[[], Awaitable[None]]
type FindLogin = Callable[[], Login | None]
"""Reads what to log in with, None for no login; it blocks."""


class _Graph(Protocol):
    async def delete(self) -> None: ...


class GraphClient:
    """What FalkorDB's own client and Graphiti's driver expect of a client, and no more.

    FalkorDB's constructor asks the server a blocking question, which an event loop must not wait
    for; and text that UTF-8 or C strings cannot carry is mended here, for every writer.
    """

    def __init__(self, connection: "Redis") -> None:
        self.connection = connection

    async def execute_command(self, *arguments: object) -> object:
        sent = [storable(part) if isinstance(part, str) else part for part in arguments]
        run = cast("Callable[..., Awaitable[object]]", self.connection.execute_command)
        return await run(*sent)

    def select_graph(self, name: str) -> _Graph:
        from falkordb.asyncio.graph import AsyncGraph

        return cast("_Graph", AsyncGraph(self, name))

    async def aclose(self) -> None:
        await self.connection.aclose()


class FalkorBackend:
    """One graph on one server, for one event loop.

    ``where`` is the embedded server's socket, or the address of another (``falkor://…``), which has
    ``contact_seconds`` to let us in. A lost or refused connection is tried once more, after
    ``ensure`` has found or started the server. ``login`` is a fixed one, or asked for at each
    connection, since it may come to be needed. One that ``reads_only`` asks by the command that
    cannot write, which is the only one that the server lets some logins use.
    """

    def __init__(
        self,
        where: Path | str,
        *,
        graph: str,
        ensure: Ensure | None = None,
        user: str | None = None,
        password: str | None = None,
        login: FindLogin | None = None,
        reads_only: bool = False,
        contact_seconds: float = CONTACT_SECONDS,
    ) -> None:
        self.dialect = FALKOR
        self.graph_name = graph
        self._where = where
        self._login: dict[str, str | None] = (
            {"username": user, "password": password} if password else {}
        )
        self._find_login = login
        self._query = _READ if reads_only else _QUERY
        self._ensure = ensure
        # The embedded server is ours: it is started, not waited for.
        self._contact = None if isinstance(where, Path) else Contact(seconds=contact_seconds)
        self._client: GraphClient | None = None
        self._driver: FalkorDriver | None = None

    @property
    def client(self) -> GraphClient:
        if self._client is None:
            self._client = GraphClient(_connect(self._where, self._login, self._find_login))
        return self._client

    async def reach(self) -> None:
        await self.attempt(lambda: self.client.execute_command("PING"))

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        sent = (self._query, self.graph_name, _with_parameters(cypher, parameters), _COMPACT)
        reply = await self.attempt(lambda: self.client.execute_command(*sent))
        return [_typed(row) for row in _rows(reply)]

    async def flat(self, cypher: str, **parameters: object) -> list[Row]:
        # Without the type of each value a reply has a third of the parts.
        sent = (self._query, self.graph_name, _with_parameters(cypher, parameters))
        reply = await self.attempt(lambda: self.client.execute_command(*sent))
        return _rows(reply)

    async def change(self, work: Work) -> None:
        async def attempt() -> None:
            statements = Statements()
            driver = self._driver or await falkor_driver(self.client, self.graph_name)
            await work(driver, statements)
            await self._run_together(statements)

        await self.attempt(attempt)

    async def prepare(self) -> None:
        self._driver = await self.attempt(lambda: falkor_driver(self.client, self.graph_name))

    async def clear(self) -> None:
        from redis.exceptions import ResponseError

        self._driver = None  # its indices go with the graph
        graph = self.client.select_graph(self.graph_name)
        await self.query("RETURN 1")  # there must be a graph
        try:
            await self.attempt(graph.delete)
        except NotPermittedError:
            raise
        except SourceError as error:
            if not isinstance(error.__cause__, ResponseError):
                raise

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _run_together(self, statements: Statements) -> None:
        """Send everything as one Redis transaction: it lands whole, in the file as well."""
        pipeline = self.client.connection.pipeline(transaction=True)
        add = cast("Callable[..., object]", pipeline.execute_command)
        for query, parameters in statements.all:
            text = storable(_with_parameters(query, parameters))
            add(_QUERY, self.graph_name, text, _COMPACT)
        if statements.all:
            await pipeline.execute()

    async def attempt[T](self, action: Callable[[], Awaitable[T]]) -> T:
        """Run ``action``, which must bear being run twice, and translate what goes wrong."""
        from redis import exceptions

        try:
            try:
                await self._make_contact()
                return await action()
            except exceptions.ConnectionError:
                # After a restart every idle connection is a dead one.
                await self.client.connection.connection_pool.disconnect(inuse_connections=False)
                if self._ensure is not None:
                    await self._ensure()
                if self._contact is not None:
                    self._contact.lost()
                await self._make_contact()
                return await action()
        except exceptions.AuthenticationError as error:
            raise LoginRefusedError(self._not_let_in) from error
        except exceptions.BusyLoadingError as error:
            raise TransientError(
                "The graph database still reads its file; search still works. "
                "Ask again in a moment."
            ) from error
        except exceptions.ConnectionError as error:
            # On a Unix socket the client takes a refused login for one that was not made.
            if isinstance(error.__cause__, exceptions.AuthenticationError):
                raise LoginRefusedError(self._not_let_in) from error
            raise ServiceUnavailableError(self._unreached) from error
        except exceptions.RedisError as error:
            raise _translated(error) from error

    async def _make_contact(self) -> None:
        if self._contact is None:
            return
        client = self.client  # what it imports is not the server's to answer for
        try:
            with understood():
                await self._contact.make(lambda: client.execute_command("PING"))
        except TimeoutError as error:
            raise ServiceUnavailableError(self._unreached) from error

    @property
    def _not_let_in(self) -> str:
        what = "The graph server refused the login; search still works."
        if isinstance(self._where, Path):
            return f"{what} `brain access provision` makes the logins anew."
        return f"{what} Check BRAIN_GRAPH_USER and BRAIN_GRAPH_PASSWORD."

    @property
    def _unreached(self) -> str:
        what = "The graph server cannot be reached; search still works."
        if self._contact is None:
            return f"{what} Ask again to restart it."
        return f"{what} Start it, or check BRAIN_GRAPH_URI, then ask again."


def _connect(where: Path | str, login: Mapping[str, str | None], find: FindLogin | None) -> "Redis":
    from redis.asyncio import BlockingConnectionPool, Redis, UnixDomainSocketConnection
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff
    from redis.credentials import CredentialProvider

    class Found(CredentialProvider):
        """What is found at each connection; nothing where nobody has to log in."""

        def __init__(self, find: FindLogin) -> None:
            self._find = find

        def get_credentials(self) -> tuple[str, str]:
            login = self._find()
            nothing = cast("tuple[str, str]", ())  # what the client takes for no login
            return nothing if login is None else (login.user, login.secret)

        async def get_credentials_async(self) -> tuple[str, str]:
            return await asyncio.to_thread(self.get_credentials)

    limits: dict[str, Any] = {
        "max_connections": 8,
        "timeout": QUERY_TIMEOUT_MS / 1000,
        "socket_timeout": QUERY_TIMEOUT_MS / 1000 + 2,
        "decode_responses": True,
        "retry": Retry(NoBackoff(), 0),
    }
    if isinstance(where, Path):
        unix = UnixDomainSocketConnection
        provider: dict[str, Any] = {} if find is None else {"credential_provider": Found(find)}
        return Redis.from_pool(
            BlockingConnectionPool(
                connection_class=unix, path=str(where), **limits, **login, **provider
            )
        )
    from_url = cast("Callable[..., BlockingConnectionPool]", BlockingConnectionPool.from_url)
    # FalkorDB's own name for the address of a Redis server.
    address = re.sub(r"^falkor(s?)://", r"redis\1://", where)
    return Redis.from_pool(from_url(address, **limits, **login))


def _translated(error: "RedisError") -> SourceError:
    """Say what an error of a server that answered means; its own words may hold a query."""
    from redis import exceptions

    # The graph's own time limit has no kind of its own.
    if isinstance(error, exceptions.TimeoutError) or str(error).endswith("Query timed out"):
        return SourceError("The graph took too long; search still works. Ask for fewer hops.")
    # Another program than Redis, or Redis without FalkorDB.
    if isinstance(error, exceptions.InvalidResponse) or str(error).startswith("unknown command"):
        return SourceError(NO_SENSE)
    # Of what the user may not do, and of what the command that only reads is not for.
    if isinstance(error, exceptions.NoPermissionError) or str(error).endswith("read-only queries"):
        return NotPermittedError(NOT_PERMITTED)
    # The kinds derived from it are Redis' own: no memory, nothing may be written.
    refused = type(error) is exceptions.ResponseError
    return (RefusedError if refused else SourceError)(
        "The graph refused a query; search still works. `brain index --rebuild` renews it."
    )


def _with_parameters(cypher: str, parameters: Mapping[str, object]) -> str:
    """The query as FalkorDB reads it: its parameters are literals in front of it."""
    if not parameters:
        return cypher
    named = (f"{_name(key)}={_literal(value)}" for key, value in parameters.items())
    return f"CYPHER {' '.join(named)} {cypher}"


def _literal(value: object) -> str:
    """A parameter's text; dates are ISO text in UTC, which compares as they do."""
    if isinstance(value, str):
        if "\\" in value or '"' in value:
            value = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{value}"'
    if isinstance(value, dict):
        entries: list[str] = []
        for key, one in cast("dict[str, object]", value).items():
            # Most of what is written is plain text in maps: half the time of a load's wording.
            plain = type(one) is str and "\\" not in one and '"' not in one
            entries.append(f"`{_name(key)}`:" + (f'"{one}"' if plain else _literal(one)))
        return f"{{{','.join(entries)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join([_literal(one) for one in cast('list[object]', value)])}]"
    if isinstance(value, datetime):
        return _moment(value)
    return "null" if value is None else str(value)


@lru_cache(maxsize=1024)
def _name(key: str) -> str:
    """A key as it is: names are never escaped, so nothing else may become one."""
    if not key.isidentifier():
        raise ValueError("a key of a Cypher map that is no name")
    return key


@lru_cache(maxsize=1024)
def _moment(value: datetime) -> str:
    # Cached: all that a version says has the version's dates.
    return f'"{value.astimezone(UTC).isoformat()}"'


def _rows(reply: object) -> list[Row]:
    """The rows of a reply as they were sent."""
    from redis.exceptions import ResponseError

    parts = cast("list[object]", reply) if isinstance(reply, list) else []
    if not parts:
        raise SourceError(NO_SENSE)
    if isinstance(failure := parts[-1], ResponseError):  # it failed after some rows
        raise failure
    if len(parts) == 1:  # statistics alone
        return []
    rows = parts[1]
    if not (isinstance(rows, list) and all(isinstance(row, list) for row in cast("Row", rows))):
        raise SourceError(NO_SENSE)
    return cast("list[Row]", rows)


def _typed(row: list[object]) -> Row:
    """A row of a compact reply: of text, numbers, booleans, and lists and maps of them."""
    values = cast("list[tuple[int, object]]", row)
    try:
        return [value if kind in _AS_THEY_ARE else _value(kind, value) for kind, value in values]
    except (TypeError, ValueError) as error:
        raise SourceError(NO_SENSE) from error


def _value(kind: int, value: object) -> object:
    """One value of a compact reply; its kind is a number of FalkorDB's protocol."""
    match kind:
        case 4:
            return value == "true"
        case 5:
            return float(cast("str", value))
        case 6:
            return [_value(*one) for one in cast("list[tuple[int, object]]", value)]
        case 10:
            flat = cast("list[str | tuple[int, object]]", value)
            entries = zip(flat[::2], flat[1::2], strict=True)
            return {name: _value(*cast("tuple[int, object]", one)) for name, one in entries}
        case _:  # null, text and whole numbers arrive as what they are
            return value
