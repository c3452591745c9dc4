"""The graph in a database of a Neo4j server: real transactions, plain errors, one owner."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, LiteralString, cast

from tools.base.errors import (
    LoginRefusedError,
    NoDatabaseError,
    NotPermittedError,
    RefusedError,
    ServiceUnavailableError,
    SourceError,
    TransientError,
)
from tools.graph.connection import CONTACT_SECONDS, Contact
from tools.graph.cypher.dialects import NEO4J, NEO4J_CLAIM, NEO4J_CLEAR, NEO4J_OWNER
from tools.graph.cypher.graphiti_loading import load_graphiti
from tools.graph.cypher.port import (
    NOT_PERMITTED,
    QUERY_TIMEOUT_MS,
    Row,
    Work,
    storable,
    understood,
)

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncSession, AsyncTransaction
    from neo4j.exceptions import GqlError
    from neo4j.time import DateTime

    from tools.graph.backends.graphiti_neo4j import GraphitiNeo4j

_QUERY_SECONDS = QUERY_TIMEOUT_MS / 1000
_PAUSES = (0.0, 0.05, 0.2)
_CHANGE_SECONDS = 120.0
"""A change is many statements, and the first ones after a server's start are slow."""

_CONNECTIONS = 8
_SYSTEM = "system"
"""Neo4j's own database, for what is about all others."""

_UNREACHED = (
    "Neo4j cannot be reached; search still works. "
    "Start it, or check BRAIN_GRAPH_URI, then ask again."
)

type _Parameters = Mapping[str, object]


class Neo4jBackend:
    """A GraphBackend on one Neo4j database, which belongs to one vault from its first use on.

    ``vault`` is whatever tells this vault from others. A database of another vault, or one that
    holds other data, is refused with a SourceError and left as it is.
    """

    def __init__(
        self,
        address: str,
        *,
        vault: str,
        user: str | None = None,
        password: str | None = None,
        database: str | None = None,
        contact_seconds: float = CONTACT_SECONDS,
    ) -> None:
        """``database`` is by default the user's home database; no password is no login.

        The server has ``contact_seconds`` to let us in.
        """
        self.dialect = NEO4J
        self._address = address
        self._vault = vault
        self._login = None if password is None else (user or "neo4j", password)
        self._database = database
        self._contact_seconds = contact_seconds
        self._contact = Contact(seconds=contact_seconds)
        self._client: AsyncDriver | None = None
        self._graphiti: GraphitiNeo4j | None = None
        self._owned = False

    async def reach(self) -> None:
        await self._attempt(self._make_contact)
        await self._is_ours()

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        from neo4j.time import DateTime

        rows = await self.flat(cypher, **parameters)
        return [[_received(value, DateTime) for value in row] for row in rows]

    async def flat(self, cypher: str, **parameters: object) -> list[Row]:
        await self._own()
        return await self._ask(cypher, parameters)

    async def change(self, work: Work) -> None:
        driver = await self._graphiti_driver()
        await self._attempt(lambda: self._transact(work, driver))

    async def prepare(self) -> None:
        await self._own()
        for statement in NEO4J.indices:
            await self._ask(statement, {})

    async def clear(self) -> None:
        await self._own()
        await self._ask(NEO4J_CLEAR, {}, seconds=_CHANGE_SECONDS)

    async def administer(self, cypher: str, **parameters: object) -> list[Row]:
        """Run a statement about the server's databases, users and roles."""
        return await self._ask(cypher, parameters, seconds=_CHANGE_SECONDS, database=_SYSTEM)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
        self._client, self._graphiti = None, None

    async def _own(self) -> None:
        """Make sure that the database is this vault's, once."""
        if self._owned:
            return
        if not await self._is_ours():
            for statement in NEO4J_CLAIM:
                await self._ask(statement, {"vault": self._vault})
            await self._is_ours()  # another vault may have been first
        self._owned = True

    async def _is_ours(self) -> bool:
        """Whether the database is this vault's; if not, it is nobody's. Raises SourceError."""
        ((owner, taken),) = await self._ask(NEO4J_OWNER, {})
        if taken:
            raise SourceError(
                "The Neo4j database holds other data, which stays as it is; search still works. "
                "Give the vault an empty database of its own with BRAIN_GRAPH_DATABASE."
            )
        if owner not in (None, self._vault):
            raise SourceError(
                "The Neo4j database belongs to another vault; search still works. "
                "Give each vault a database of its own with BRAIN_GRAPH_DATABASE."
            )
        return owner is not None

    async def _graphiti_driver(self) -> "GraphitiNeo4j":
        if self._graphiti is None:
            await load_graphiti(
                "tools.graph.backends.graphiti_neo4j", "graphiti_core.utils.bulk_utils"
            )
            from tools.graph.backends.graphiti_neo4j import GraphitiNeo4j

            driver = GraphitiNeo4j(self._open(), database=self._database, prepare=self.prepare)
            self._graphiti = await driver.ready()
        return self._graphiti

    async def _ask(
        self,
        cypher: str,
        parameters: _Parameters,
        *,
        seconds: float = _QUERY_SECONDS,
        database: str | None = None,
    ) -> list[Row]:
        from neo4j import Query

        query = Query(cast("LiteralString", cypher), timeout=seconds)
        sent = _sent(parameters)

        async def run() -> list[Row]:
            async with self._session(database) as session:
                result = await session.run(query, sent)
                return [record.values() async for record in result]

        return await self._attempt(run)

    async def _transact(self, work: Work, driver: "GraphitiNeo4j") -> None:
        # Leaving the transaction's block commits it, or undoes it after an error.
        async with (
            self._session() as session,
            await session.begin_transaction(timeout=_CHANGE_SECONDS) as transaction,
        ):
            await work(driver, _Change(transaction))

    def _session(self, database: str | None = None) -> "AsyncSession":
        client = self._open()
        return client.session(  # pyright: ignore[reportUnknownMemberType]
            database=database or self._database
        )

    def _open(self) -> "AsyncDriver":
        if self._client is None:
            from neo4j import AsyncGraphDatabase, NotificationMinimumSeverity

            # The driver's own log would reach the terminal where nobody set up logging.
            logging.getLogger("neo4j").addHandler(logging.NullHandler())
            self._client = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
                self._address,
                auth=self._login,
                # Ours comes first: where both end at once, the driver may leave a socket open.
                connection_timeout=self._contact_seconds + 1,
                connection_acquisition_timeout=_QUERY_SECONDS,
                max_connection_pool_size=_CONNECTIONS,
                # An empty database would be told that none of our labels exists.
                notifications_min_severity=NotificationMinimumSeverity.OFF,
                telemetry_disabled=True,
            )
        return self._client

    async def _attempt[T](self, action: Callable[[], Awaitable[T]]) -> T:
        """Run ``action``, again where that may help, and translate what goes wrong."""
        from neo4j.exceptions import DriverError, Neo4jError, TransientError

        try:
            # Of two that wait for each other the server undoes one, to be tried again.
            for pause in _PAUSES:
                try:
                    return await self._connected(action)
                except TransientError:
                    await asyncio.sleep(pause)
            return await self._connected(action)
        except TimeoutError as error:
            raise ServiceUnavailableError(_UNREACHED) from error
        except (DriverError, Neo4jError) as error:
            raise _translated(error) from error

    async def _connected[T](self, action: Callable[[], Awaitable[T]]) -> T:
        """Run ``action``, once more where the connection was lost."""
        from neo4j.exceptions import DriverError, Neo4jError, ServiceUnavailable, TransientError

        try:
            await self._make_contact()
            return await action()
        except (DriverError, Neo4jError) as error:
            # After a restart every idle connection is a dead one, and all have been given up
            # by now. Whether a commit arrived does not matter: twice is once.
            lost = error.is_retryable() and not isinstance(error, TransientError)
            if not (lost or isinstance(error, ServiceUnavailable)):
                raise
            self._contact.lost()
            await self._make_contact()
            return await action()

    async def _make_contact(self) -> None:
        client = self._open()  # what it imports is not the server's to answer for

        async def greet() -> None:
            await client.verify_connectivity()  # pyright: ignore[reportUnknownMemberType]

        with understood():
            await self._contact.make(greet)


class _Change:
    """The Writer over a transaction: a statement that fails does so at once."""

    def __init__(self, transaction: "AsyncTransaction") -> None:
        self._transaction = transaction

    async def run(
        self, query: str | list[tuple[str, dict[str, object]]], **parameters: object
    ) -> None:
        statements = [(query, parameters)] if isinstance(query, str) else query
        for statement, values in statements:
            text = cast("LiteralString", statement)
            result = await self._transaction.run(text, _sent(values))
            await result.consume()


def _sent(parameters: _Parameters) -> dict[str, object]:
    return {name: _storable(value) for name, value in parameters.items()}


def _storable(value: object) -> object:
    """Mend text and move datetimes to UTC, however deep they lie."""
    match value:
        case str():
            return storable(value)
        case datetime():
            return value.astimezone(UTC)
        case list() | tuple():
            return [_storable(one) for one in cast("list[object]", value)]
        case dict():
            return _sent(cast("dict[str, object]", value))
        case _:
            return value


def _received(value: object, moment: "type[DateTime]") -> object:
    """Turn the driver's own datetimes into Python's, in UTC, however deep they lie."""
    if isinstance(value, moment):
        return value.to_native().astimezone(UTC)
    match value:
        case list():
            return [_received(one, moment) for one in cast("list[object]", value)]
        case dict():
            known = cast("dict[str, object]", value)
            return {name: _received(one, moment) for name, one in known.items()}
        case _:
            return value


def _translated(error: "GqlError") -> SourceError:
    """Say what an error of the driver means; its own words may hold an address or a query."""
    from neo4j import exceptions

    match error:
        case (
            exceptions.ServiceUnavailable()
            | exceptions.SessionExpired()
            | exceptions.ConnectionPoolError()
        ):
            return ServiceUnavailableError(_UNREACHED)
        case exceptions.ConfigurationError():
            return SourceError(
                "Neo4j cannot be used as BRAIN_GRAPH_URI says; search still works. "
                "Check its scheme, host and port."
            )
        case exceptions.AuthError():
            return LoginRefusedError(
                "Neo4j refused the login; search still works. "
                "Check BRAIN_GRAPH_USER and BRAIN_GRAPH_PASSWORD."
            )
        case exceptions.Neo4jError(code="Neo.ClientError.Database.DatabaseNotFound"):
            return NoDatabaseError(
                "Neo4j has no database of this name; search still works. "
                "Check BRAIN_GRAPH_DATABASE."
            )
        case exceptions.Neo4jError() if "TransactionTimedOut" in (error.code or ""):
            return SourceError("The graph took too long; search still works. Ask for fewer hops.")
        case exceptions.Forbidden():
            return NotPermittedError(NOT_PERMITTED)
        case exceptions.TransientError():
            return TransientError("Neo4j is busy; search still works. Ask again in a moment.")
        case _:
            # What the driver says by itself holds whatever the query says.
            refused = isinstance(error, exceptions.Neo4jError)
            return (RefusedError if refused else SourceError)(
                "Neo4j refused a query; search still works. `brain index --rebuild` renews it."
            )
