"""LangGraph's Postgres saver: a schema for each vault, few connections, plain errors.

Neither the driver's messages nor its log are shown: they name hosts and users.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from graphs.checkpoints.guarded_saver import GuardedSaver
from tools.base.errors import InputError, StorageError, StoreVersionError

SCHEMA_VERSION = 1
"""Of what our checkpoints hold; the tables have the saver's own."""

CONTACT_SECONDS = 4.0
"""How long the server may take to be connected to and to answer, and to give a connection."""
_CANCEL_SECONDS = 1.0
_WORK_SECONDS = 10.0
_SETUP_SECONDS = 60.0
_CONNECTIONS = 4
_IDLE_SECONDS = 60.0
_POLL_SECONDS = 0.1

type _Connection = AsyncConnection[DictRow]


class UnreachedError(Exception):
    """No use can be made of the server; the message says why, for the user."""


class PostgresQuestions(GuardedSaver, AsyncPostgresSaver):
    """Keeps open questions. Raises StorageError where the server does not do its part."""

    async def _guarded[T](self, work: Callable[[], Awaitable[T]]) -> T:
        try:
            async with _limited(_WORK_SECONDS):
                return await work()
        except (psycopg.Error, TimeoutError, OSError) as error:
            raise StorageError(
                "Open questions cannot be kept: Postgres does not answer or refuses. Start it, "
                "check BRAIN_CHECKPOINT_URI, or unset it, then ask again."
            ) from error


@asynccontextmanager
async def open_postgres(
    uri: str, *, vault: str, serde: SerializerProtocol
) -> AsyncGenerator[PostgresQuestions]:
    """Open the schema of ``vault``, whatever tells it from others; it is made where there is none.

    Raises UnreachedError, InputError for an address that Postgres does not understand, and
    StoreVersionError for a schema of a newer program.
    """
    schema = _schema(vault)
    await _prepare(uri, schema)

    async def configure(connection: _Connection) -> None:
        await _enter(connection, schema)

    async with AsyncConnectionPool[_Connection](
        uri,
        kwargs=_HOW | {"connect_timeout": int(CONTACT_SECONDS)},
        min_size=0,
        max_size=_CONNECTIONS,
        timeout=CONTACT_SECONDS,
        max_idle=_IDLE_SECONDS,
        reconnect_timeout=CONTACT_SECONDS,
        configure=configure,
        check=AsyncConnectionPool[_Connection].check_connection,
        open=False,
    ) as pool:
        yield PostgresQuestions(pool, serde=serde)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaContents:
    """What is in a schema: its threads of questions, and those of them that cannot be read.

    ``state`` is ``absent`` before the first question.
    """

    state: Literal["ready", "outdated", "absent"]
    threads: int = 0
    unreadable: tuple[str, ...] = ()


async def inspect_schema(uri: str, *, vault: str, serde: SerializerProtocol) -> SchemaContents:
    """Read what the schema of ``vault`` holds, and change nothing. Raises as ``open_postgres``."""
    async with _at_work(uri) as connection:
        if not await _exists(connection, _schema(vault)):
            return SchemaContents(state="absent")
        await _enter(connection, _schema(vault))
        if (state := await _state(connection)) != "ready":
            return SchemaContents(state=state)
        cursor = await connection.execute("SELECT DISTINCT thread_id FROM checkpoints ORDER BY 1")
        threads = [str(row["thread_id"]) for row in await cursor.fetchall()]
        saver = PostgresQuestions(connection, serde=serde)
        unreadable = [thread for thread in threads if not await _is_readable(saver, thread)]
        return SchemaContents(state=state, threads=len(threads), unreadable=tuple(unreadable))


async def forget_threads(uri: str, threads: Iterable[str], *, vault: str) -> None:
    """Delete these threads of ``vault``. Raises as ``open_postgres``."""
    async with _at_work(uri) as connection:
        await _enter(connection, _schema(vault))
        saver = PostgresQuestions(connection)
        for thread in threads:
            await saver.adelete_thread(thread)


async def drop_schema(uri: str, *, vault: str) -> None:
    """Delete all that was kept for ``vault``, if anything was. Raises as ``open_postgres``."""
    async with _at_work(uri) as connection:
        schema = sql.Identifier(_schema(vault))
        await connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(schema))


async def rename_schema(uri: str, *, vault: str, to: str) -> None:
    """Give what was kept for ``vault`` to another, which keeps what it has where it has anything.

    Raises as ``open_postgres``.
    """
    async with _at_work(uri) as connection:
        if await _exists(connection, _schema(vault)) and not await _exists(connection, _schema(to)):
            names = map(sql.Identifier, (_schema(vault), _schema(to)))
            await connection.execute(sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(*names))


async def _is_readable(saver: PostgresQuestions, thread: str) -> bool:
    try:
        await saver.aget_tuple({"configurable": {"thread_id": thread, "checkpoint_ns": ""}})
    except StorageError:
        return False
    return True


async def _exists(connection: _Connection, schema: str) -> bool:
    cursor = await connection.execute("SELECT to_regnamespace(%s) IS NOT NULL AS there", (schema,))
    found = await cursor.fetchone()
    return bool(found and found["there"])


# A pooler between us and the server may give each statement another connection to it.
_HOW: dict[str, Any] = {"autocommit": True, "prepare_threshold": None, "row_factory": dict_row}


async def _prepare(uri: str, schema: str) -> None:
    """Make contact, and have the tables as this program needs them."""
    async with _at_work(uri) as connection:
        await _enter(connection, schema)
        if await _state(connection) != "ready":
            await _set_up(connection, schema)


@asynccontextmanager
async def _at_work(uri: str) -> AsyncGenerator[_Connection]:
    """A connection for what takes long; whatever fails is told as ``open_postgres`` does."""
    connection = await _connected(uri)
    try:
        async with _limited(_SETUP_SECONDS):
            yield connection
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction) as error:
        raise UnreachedError(
            "Postgres does not let this user make or delete tables (BRAIN_CHECKPOINT_URI)"
        ) from error
    except (psycopg.Error, TimeoutError, OSError) as error:
        raise UnreachedError("Postgres fails (BRAIN_CHECKPOINT_URI)") from error
    finally:
        await connection.close()


@asynccontextmanager
async def _limited(seconds: float) -> AsyncGenerator[None]:
    """Raise TimeoutError after ``seconds``, also where the server takes no notice.

    A cancelled statement waits until the server has cancelled it; cancelled again, it gives up.
    """
    async with asyncio.timeout(seconds + _CANCEL_SECONDS), asyncio.timeout(seconds):
        yield


async def _connected(uri: str) -> _Connection:
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    try:
        async with AsyncExitStack() as stack, _limited(CONTACT_SECONDS):
            connection = await AsyncConnection[DictRow].connect(uri, **_HOW)
            stack.push_async_callback(connection.close)
            await connection.execute("SELECT 1")  # one that hangs lets in and says no more
            stack.pop_all()
            return connection
    except (psycopg.ProgrammingError, UnicodeError):
        raise InputError(
            "Setting checkpoint_uri is not usable: Postgres does not understand it."
        ) from None
    except (psycopg.Error, TimeoutError, OSError) as error:
        raise UnreachedError(
            "Postgres cannot be reached or refuses the login (BRAIN_CHECKPOINT_URI)"
        ) from error


async def _enter(connection: _Connection, schema: str) -> None:
    await connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(schema)))


async def _state(connection: _Connection) -> Literal["ready", "outdated"]:
    """Whether anything is to be done to the tables. Raises StoreVersionError."""
    cursor = await connection.execute("SELECT to_regclass('brain_version') IS NOT NULL AS there")
    found = await cursor.fetchone()
    if not found or not found["there"]:
        return "outdated"
    cursor = await connection.execute(
        "SELECT (SELECT max(version) FROM brain_version) AS ours, "
        "(SELECT max(v) FROM checkpoint_migrations) AS tables"
    )
    versions = await cursor.fetchone() or {}
    ours, tables = versions["ours"] or 0, versions["tables"] or 0
    newest = len(AsyncPostgresSaver.MIGRATIONS) - 1
    if ours > SCHEMA_VERSION or tables > newest:
        raise StoreVersionError(
            "The open questions in Postgres were written by a newer version of brain: update "
            "brain, or name another database in BRAIN_CHECKPOINT_URI."
        )
    return "ready" if (ours, tables) == (SCHEMA_VERSION, newest) else "outdated"


async def _set_up(connection: _Connection, schema: str) -> None:
    """Bring the tables up; of several processes at once only one does."""
    key = int.from_bytes(hashlib.sha256(schema.encode()).digest()[:8], signed=True)
    # Whoever waits inside the server would keep an index from being made, and so wait for ever.
    while not await _holds(connection, key):  # noqa: ASYNC110 - other processes tell nobody
        await asyncio.sleep(_POLL_SECONDS)
    await connection.execute(
        sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema))
    )
    if await _state(connection) == "ready":
        return
    await AsyncPostgresSaver(connection).setup()
    async with connection.transaction():
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS brain_version (version INTEGER PRIMARY KEY)"
        )
        await connection.execute(
            "INSERT INTO brain_version VALUES (%s) ON CONFLICT DO NOTHING", (SCHEMA_VERSION,)
        )


async def _holds(connection: _Connection, key: int) -> bool:
    """Take the lock, which ends with the connection."""
    cursor = await connection.execute("SELECT pg_try_advisory_lock(%s) AS held", (key,))
    found = await cursor.fetchone()
    return bool(found and found["held"])


def _schema(vault: str) -> str:
    return "brain_" + re.sub(r"[^a-z0-9]+", "_", vault.lower())[-50:].strip("_")
