"""The graph on FalkorDB: the embedded server behind its socket, or one at an address."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from tools.errors import ServiceUnavailableError, SourceError
from tools.graph.backend import QUERY_TIMEOUT_MS, Row, Statements, Work, storable
from tools.graph.dialects import FALKOR
from tools.graph.graphiti_models import falkor_driver

if TYPE_CHECKING:
    from redis.asyncio import Redis

type Ensure = Callable[[], Awaitable[None]]


class _ResultSet(Protocol):
    result_set: list[Row]


class _Graph(Protocol):
    async def query(self, q: str, params: Mapping[str, object]) -> _ResultSet: ...
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

    ``where`` is the embedded server's socket, or the address of another (``falkor://…``). A lost or
    refused connection is tried once more, after ``ensure`` has found or started the server.
    """

    def __init__(
        self,
        where: Path | str,
        *,
        graph: str,
        ensure: Ensure | None = None,
        user: str | None = None,
        password: str | None = None,
    ) -> None:
        self.dialect = FALKOR
        self.graph_name = graph
        self._where = where
        self._login = {"username": user, "password": password} if password else {}
        self._ensure = ensure
        self._client: GraphClient | None = None

    @property
    def client(self) -> GraphClient:
        if self._client is None:
            self._client = GraphClient(_connect(self._where, self._login))
        return self._client

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        graph = self.client.select_graph(self.graph_name)
        sent = {name: _plain(value) for name, value in parameters.items()}
        return (await self.attempt(lambda: graph.query(cypher, sent))).result_set

    async def change(self, work: Work) -> None:
        async def attempt() -> None:
            statements = Statements()
            await work(await falkor_driver(self.client, self.graph_name), statements)
            await self._run_together(statements)

        await self.attempt(attempt)

    async def prepare(self) -> None:
        await self.attempt(lambda: falkor_driver(self.client, self.graph_name))

    async def clear(self) -> None:
        from redis.exceptions import ResponseError

        graph = self.client.select_graph(self.graph_name)
        await self.query("RETURN 1")  # there must be a graph
        try:
            await self.attempt(graph.delete)
        except SourceError as error:
            if not isinstance(error.__cause__, ResponseError):
                raise

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _run_together(self, statements: Statements) -> None:
        """Send everything as one Redis transaction: it lands whole, in the file as well."""
        from falkordb import helpers

        written = cast("Callable[[object], str]", helpers.stringify_param_value)
        pipeline = self.client.connection.pipeline(transaction=True)
        add = cast("Callable[..., object]", pipeline.execute_command)
        for query, parameters in statements.all:
            named = (f"{name}={written(_plain(value))}" for name, value in parameters.items())
            text = storable(f"CYPHER {' '.join(named)} {query}" if parameters else query)
            add("GRAPH.QUERY", self.graph_name, text, "--compact")
        if statements.all:
            await pipeline.execute()

    async def attempt[T](self, action: Callable[[], Awaitable[T]]) -> T:
        """Run ``action``, which must bear being run twice, and translate what goes wrong."""
        from redis import exceptions

        try:
            try:
                return await action()
            except exceptions.ConnectionError:
                # After a restart every idle connection is a dead one.
                await self.client.connection.connection_pool.disconnect(inuse_connections=False)
                if self._ensure is not None:
                    await self._ensure()
                return await action()
        except exceptions.ConnectionError as error:
            raise ServiceUnavailableError(
                "The graph server cannot be reached; search still works. Ask again to restart it."
            ) from error
        except exceptions.TimeoutError as error:
            raise SourceError(
                "The graph took too long; search still works. Ask for fewer hops."
            ) from error
        except exceptions.RedisError as error:
            raise SourceError(
                "The graph refused a query; search still works. `brain index --rebuild` renews it."
            ) from error


def _connect(where: Path | str, login: Mapping[str, str | None]) -> "Redis":
    from redis.asyncio import BlockingConnectionPool, Redis, UnixDomainSocketConnection
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    limits: dict[str, Any] = {
        "max_connections": 8,
        "timeout": QUERY_TIMEOUT_MS / 1000,
        "socket_timeout": QUERY_TIMEOUT_MS / 1000 + 2,
        "decode_responses": True,
        "retry": Retry(NoBackoff(), 0),
    }
    if isinstance(where, Path):
        unix = UnixDomainSocketConnection
        return Redis.from_pool(
            BlockingConnectionPool(connection_class=unix, path=str(where), **limits)
        )
    from_url = cast("Callable[..., BlockingConnectionPool]", BlockingConnectionPool.from_url)
    # FalkorDB's own name for the address of a Redis server.
    address = re.sub(r"^falkor(s?)://", r"redis\1://", where)
    return Redis.from_pool(from_url(address, **limits, **login))


def _plain(value: object) -> object:
    """A parameter as FalkorDB keeps it: dates as ISO text in UTC, which compares as they do."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case dict():
            items = cast("dict[str, object]", value).items()
            return {name: _plain(item) for name, item in items}
        case list() | tuple():
            return [_plain(item) for item in cast("list[object]", value)]
        case _:
            return value
