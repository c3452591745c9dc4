"""The connection to the embedded graph server: one graph behind one socket."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from tools.errors import ServiceUnavailableError, SourceError

if TYPE_CHECKING:
    from redis.asyncio import Redis

QUERY_TIMEOUT_MS = 8000
"""A query that runs longer is ended by the server."""

type Row = list[object]
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


def storable(text: str) -> str:
    """``text`` without NUL, and with U+FFFD for each lone surrogate."""
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class Connection:
    """One graph behind one socket, for one event loop.

    A lost or refused connection is tried once more, after ``ensure`` has found or started the
    server.
    Raises ServiceUnavailableError when nobody answers, SourceError for a query that fails.
    """

    def __init__(self, path: Path, *, graph: str, ensure: Ensure | None = None) -> None:
        self.graph_name = graph
        self._path = path
        self._ensure = ensure
        self._client: GraphClient | None = None

    @property
    def client(self) -> GraphClient:
        if self._client is None:
            from redis.asyncio import BlockingConnectionPool, Redis, UnixDomainSocketConnection
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff

            pool = BlockingConnectionPool(
                connection_class=UnixDomainSocketConnection,
                path=str(self._path),
                max_connections=8,
                timeout=QUERY_TIMEOUT_MS / 1000,
                socket_timeout=QUERY_TIMEOUT_MS / 1000 + 2,
                decode_responses=True,
                retry=Retry(NoBackoff(), 0),
            )
            self._client = GraphClient(Redis.from_pool(pool))
        return self._client

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        """The rows of one query; ``cypher`` is one of ours, whatever varies is a parameter."""
        graph = self.client.select_graph(self.graph_name)
        return (await self.attempt(lambda: graph.query(cypher, parameters))).result_set

    async def delete_graph(self) -> None:
        graph = self.client.select_graph(self.graph_name)
        await self.attempt(graph.delete)

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

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None
