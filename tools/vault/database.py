"""A SQLite file of ours: its schema, connections, transactions."""

import sqlite3
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

from tools.errors import StorageError, StoreVersionError

_VARIABLES = 500
"""Bound variables a single statement gets; SQLite allows at least 999."""

_PATIENCE = 10.0
"""Seconds that another process may hold the file."""
_POLL_SECONDS = 0.01

# Primary result codes; the extended ones have them in their low byte.
_PASSING = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
})  # fmt: skip

_TABLES = (
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') "
    "AND name NOT LIKE 'sqlite%'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What a file holds (in the words of an error message), and how it is made.

    ``derived`` says that all of it can be made again, so that an older format is simply dropped.
    """

    name: str
    version: int
    statements: str
    derived: bool


class Database:
    """One connection a thread; readers never wait for the writer (write-ahead log)."""

    def __init__(self, path: Path, schema: Schema) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._path = path
        self._schema = schema
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._create()
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"The {schema.name} in the data directory cannot be opened ({_reason(error)}): "
                "check free space and permissions, or choose another with --data-dir."
            ) from error

    def close(self) -> None:
        """Close every connection this object opened."""
        with self._lock:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
            self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
            with self._lock:
                self._opened.append(connection)
        return connection

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Commit what the block did, or nothing of it. Raises StorageError."""
        db = self._connection()
        try:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                # Still open only if it was not committed; a full disk has rolled back already.
                if db.in_transaction:
                    db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise StorageError(
                f"The {self._schema.name} in the data directory cannot be written "
                f"({_reason(error)}): "
                "free some space or check permissions; what was indexed before is kept."
            ) from error

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return what a query gives. Raises StorageError."""
        try:
            return self._connection().execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            cure = (
                "free some space or check permissions, then ask again"
                if _is_passing(error)
                else f"move {self._path.name} out of the data directory and run `brain index`"
            )
            raise StorageError(
                f"The {self._schema.name} in the data directory cannot be read ({_reason(error)}): "
                f"your notes are untouched; {cure}."
            ) from error

    def rows_for(
        self, sql: str, values: Iterable[object], *, group_by: str = ""
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of ``sql (?, ?, …)`` for any number of values."""
        grouped = f" GROUP BY {group_by}" if group_by else ""
        for part in batched(dict.fromkeys(values), _VARIABLES):
            yield from self.rows(f"{sql} ({', '.join('?' * len(part))}){grouped}", part)

    def _create(self) -> None:
        wanted = self._schema.version
        if self._version() < wanted:
            with self.transaction() as db:
                if self._version() < wanted:  # no other process was faster
                    for (table,) in self.rows(_TABLES) if self._schema.derived else ():
                        db.execute(f"DROP TABLE IF EXISTS {table}")
                    for statement in filter(str.strip, self._schema.statements.split(";\n")):
                        db.execute(statement)
                    db.execute(f"PRAGMA user_version = {wanted}")
        if self._version() > wanted:
            raise StoreVersionError(
                f"This {self._schema.name} was written by a newer version of brain: update brain, "
                "or choose another data directory with --data-dir."
            )

    def _version(self) -> int:
        return int(self.rows("PRAGMA user_version")[0][0])


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log, which SQLite does not wait for while another opens the file."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


def _is_passing(error: sqlite3.Error) -> bool:
    """Whether the file itself may be whole: a full disk, a missing right, another's lock."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _PASSING


def _reason(error: Exception) -> str:
    """The system's word for what went wrong, without a path."""
    return (error.strerror or "unknown error") if isinstance(error, OSError) else str(error)
