"""A SQLite file of ours: its schema, how it is opened, whole transactions."""

import sqlite3
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.base.errors import StorageError, StoreVersionError
from tools.base.read_only import is_read_only

PATIENCE = 10.0
"""Seconds that another process may hold the file."""
POLL_SECONDS = 0.01
_CACHE_KIB = 400
"""What a connection keeps of the file.

Every thread has its connection, and the system keeps the file for all of them: with SQLite's
2,000 KiB questions were no faster.
"""

# SQLite cannot open what it writes beside the file either where there is no room for that.
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
_UNWRITABLE = _NO_ROOM | {sqlite3.SQLITE_READONLY}
_PASSING = _UNWRITABLE | {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM}

_TABLES = (
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') "
    "AND name NOT LIKE 'sqlite%'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What a file holds (in the words of an error message), and how it is made.

    ``derived`` says that all of it can be made again, so that an older format is simply dropped;
    then ``remade`` is carried out as well. ``page_bytes`` is the page of a new file: large rows
    waste less of a large one.
    """

    name: str
    version: int
    statements: str
    derived: bool
    remade: str = ""
    page_bytes: int = 4096


def connect(path: Path, schema: Schema) -> sqlite3.Connection:
    """A connection for any thread to the file, which is made where there is none.

    Readers never wait for the writer (write-ahead log). A file that may only be read is opened for
    that. Raises sqlite3.Error, StoreVersionError for a file of a newer program, and StorageError
    for one of an older program that may only be read; it is closed then.
    """
    if is_read_only(path):
        return _connect_to_read(path, schema)
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    with ExitStack() as unless_usable:
        unless_usable.callback(connection.close)
        connection.execute(f"PRAGMA page_size = {schema.page_bytes}")
        _write_ahead(connection)
        # What cannot be made again has to be on the disk before anything is told of it.
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if schema.derived else 'FULL'}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        _bring_up(connection, schema)
        unless_usable.pop_all()
    return connection


@contextmanager
def whole(connection: sqlite3.Connection, *, begin: str = "BEGIN IMMEDIATE") -> Generator[None]:
    """Commit what the block did, or nothing of it. Raises sqlite3.Error."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # Still open only if it was not committed; a full disk has rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def is_busy(error: BaseException | None) -> bool:
    """Whether another process holds the file."""
    return _code(error) == sqlite3.SQLITE_BUSY


def is_damage(error: BaseException | None) -> bool:
    """Whether SQLite says that the file itself is broken, or no database."""
    return _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damage(path: Path) -> str | None:
    """What is wrong with a file, in SQLite's words; None where it is whole, or not there.

    Reads all of it and changes nothing. Raises sqlite3.Error where it cannot be opened.
    """
    if not path.exists():
        return None
    try:
        with closing(_opened_to_check(path)) as db:
            ((found,), *_) = db.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return str(error)
    return None if found == "ok" else str(found).splitlines()[-1]


def set_file_aside(path: Path) -> Path:
    """Rename a file and what SQLite keeps beside it; one set aside before makes room.

    Return its new place. Raises OSError, FileNotFoundError where there is none.
    """
    aside = path.with_suffix(".damaged")
    path.replace(aside)
    for ending in ("-wal", "-shm"):
        Path(f"{aside}{ending}").unlink(missing_ok=True)
        beside = Path(f"{path}{ending}")
        if beside.exists():
            beside.replace(f"{aside}{ending}")
    return aside


def reason(error: Exception) -> str:
    """The system's word for what went wrong, without a path."""
    return (error.strerror or "unknown error") if isinstance(error, OSError) else str(error)


def is_unwritable(error: BaseException | None) -> bool:
    """Whether nothing may be written, or there is no room for it."""
    return _code(error) in _UNWRITABLE


def is_passing(error: Exception) -> bool:
    """Whether the file itself may be whole: a full disk, a missing right, another's lock."""
    return isinstance(error, OSError) or _code(error) in _PASSING


def connect_without_room(
    path: Path, schema: Schema, *, failed: sqlite3.OperationalError
) -> sqlite3.Connection:
    """A connection for one query, where ``connect`` failed since it found no room to write.

    It hears of no other process, and so must not be kept. Raises what ``connect`` does; ``failed``
    where that has another cause.
    """
    if _code(failed) not in _NO_ROOM:
        raise failed
    return _connect_to_read(path, schema)


def peek(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a query gives of a file of whatever version, in which it changes nothing.

    Nothing where the file cannot be read.
    """
    try:
        with closing(_opened_to_read(path)) as db:
            return db.execute(sql).fetchall()
    except (sqlite3.Error, OSError):
        return []


def _code(error: BaseException | None) -> int | None:
    """SQLite's primary result code, which an extended one has in its low byte."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _connect_to_read(path: Path, schema: Schema) -> sqlite3.Connection:
    connection = _opened_to_read(path)
    with ExitStack() as unless_usable:
        unless_usable.callback(connection.close)
        if _version(connection) < schema.version:
            raise StorageError(
                f"The {schema.name} is of an older version of brain and its data directory is "
                "read-only: make it writable and run `brain index`."
            )
        _refuse_newer(connection, schema)
        unless_usable.pop_all()
    return connection


def _opened_to_read(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    # Without the file beside it by which processes share a log, which cannot be made here, SQLite
    # opens only what it is told that nobody changes.
    log = Path(f"{path}-wal")
    unshared = [] if log.exists() and log.stat().st_size else [f"{address}&immutable=1"]
    *tries, last = [address, *unshared]
    for each in tries:
        with suppress(sqlite3.OperationalError):
            return _opened(each)
    return _opened(last)


def _opened_to_check(path: Path) -> sqlite3.Connection:
    try:
        if not is_read_only(path):
            return _opened(f"{path.absolute().as_uri()}?mode=rw")
    except sqlite3.OperationalError as error:
        if _code(error) not in _NO_ROOM:
            raise
    return _opened_to_read(path)


def _opened(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _bring_up(connection: sqlite3.Connection, schema: Schema) -> None:
    """Make what the schema says, unless it is there."""
    if _version(connection) < schema.version:
        with whole(connection):
            before = _version(connection)
            if before < schema.version:  # no other process was faster
                for (table,) in connection.execute(_TABLES).fetchall() if schema.derived else ():
                    connection.execute(f"DROP TABLE IF EXISTS {table}")
                for statement in filter(str.strip, schema.statements.split(";\n")):
                    connection.execute(statement)
                if before and schema.derived:
                    connection.execute(schema.remade)
                connection.execute(f"PRAGMA user_version = {schema.version}")
    _refuse_newer(connection, schema)


def _refuse_newer(connection: sqlite3.Connection, schema: Schema) -> None:
    if _version(connection) > schema.version:
        raise StoreVersionError(
            f"This {schema.name} was written by a newer version of brain: update brain, "
            "or choose another data directory with --data-dir."
        )


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log, which SQLite does not wait for while another opens the file."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return
