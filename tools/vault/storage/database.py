"""A SQLite file that stays open: a connection a thread, and what the user is told of failures."""

import sqlite3
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import batched
from pathlib import Path
from typing import Any

from tools.base.errors import StorageError
from tools.base.read_only import is_read_only
from tools.runtime.sqlite import (
    Schema,
    connect,
    connect_without_room,
    is_passing,
    reason,
    whole,
)

_LIST_SIZES = (1, 4, 16, 64, 256)
"""How many values one statement may be given.

Each number makes a statement of its own, which each connection keeps prepared.
"""
_FREE_BYTES, _FREE_SHARE = 4_000_000, 0.2
"""How much of a file must be free before it is written anew without."""


class _Kept:
    """A thread's connection.

    SQLite's memory of a statement is gone when its connection is closed, whoever is at it: whoever
    uses the connection, or closes it, holds ``in_use``.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.in_use = threading.RLock()


class Database:
    """One connection a thread; readers never wait for the writer."""

    def __init__(self, path: Path, schema: Schema) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._path = path
        self._schema = schema
        self._local = threading.local()
        self._opened: list[_Kept] = []
        self._lock = threading.Lock()
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StorageError(
                f"The {schema.name} in the data directory cannot be opened ({reason(error)}): "
                "check free space and permissions, or choose another with --data-dir."
            ) from error
        self.rows("SELECT 1")

    def close(self) -> None:
        """Close every connection, each when its thread is done with it; none is opened again."""
        self._closed = True
        with self._lock:
            for kept in self._opened:
                with kept.in_use:
                    kept.connection.close()
            self._opened.clear()

    def _kept(self) -> _Kept:
        kept: _Kept | None = getattr(self._local, "kept", None)
        if kept is None:
            self._refuse_if_closed()
            kept = _Kept(connect(self._path, self._schema))
            with self._lock:
                self._opened.append(kept)
            self._local.kept = kept
        return kept

    @contextmanager
    def _using(self, kept: _Kept) -> Generator[sqlite3.Connection]:
        with kept.in_use:
            if self._closed:
                kept.connection.close()
            self._refuse_if_closed()
            yield kept.connection

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageError(f"The {self._schema.name} was closed meanwhile: ask again.")

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        try:
            kept = self._kept()
        except sqlite3.OperationalError as error:
            unkept = connect_without_room(self._path, self._schema, failed=error)
            with closing(unkept) as to_read:
                yield to_read
        else:
            with self._using(kept) as db:
                yield db

    @property
    def read_only(self) -> bool:
        """Whether this process may not change the file."""
        return is_read_only(self._path)

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Commit what the block did, or nothing of it. Raises StorageError."""
        try:
            with self._using(self._kept()) as db, whole(db):
                yield db
        except sqlite3.Error as error:
            raise StorageError(
                f"The {self._schema.name} in the data directory cannot be written "
                f"({reason(error)}): "
                "free some space or check permissions; what was indexed before is kept."
            ) from error

    def tidy(self) -> None:
        """Give the disk back what the file does not need, unless another process is at it.

        Raises StorageError once it is closed.
        """
        with suppress(sqlite3.Error), self._using(self._kept()) as db:
            ((pages,),) = db.execute("PRAGMA page_count")
            ((free,),) = db.execute("PRAGMA freelist_count")
            ((page_bytes,),) = db.execute("PRAGMA page_size")
            if free * page_bytes > _FREE_BYTES and free > pages * _FREE_SHARE:
                db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return what a query gives. Raises StorageError."""
        try:
            with self._reading() as db:
                return db.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise self._unreadable(reason(error), passing=is_passing(error)) from error

    def texts(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return what a query of texts, some of them NULL, gives. Raises StorageError."""
        return list(self._texts(self.rows(sql, parameters)))

    def texts_for(self, sql: str, values: Iterable[object]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of ``sql (?, ?, …)`` for any number of values, as ``texts`` does."""
        return self._texts(self.rows_for(sql, values))

    @contextmanager
    def decoding(self) -> Generator[None]:
        """Have a value that the block cannot read (ValueError) told as damage: StorageError."""
        try:
            yield
        except ValueError as error:
            raise self._unreadable("a value in it is damaged", passing=False) from error

    def rows_for(
        self,
        sql: str,
        values: Iterable[object],
        *,
        given: Sequence[object] = (),
        group_by: str = "",
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of ``sql (?, ?, …)`` for any number of values.

        ``given`` are the values of what ``sql`` leaves open itself.
        """
        grouped = f" GROUP BY {group_by}" if group_by else ""
        for part in batched(dict.fromkeys(values), _LIST_SIZES[-1]):
            marks = next(number for number in _LIST_SIZES if number >= len(part))
            repeated = part[-1:] * (marks - len(part))
            listed = ", ".join("?" * marks)
            yield from self.rows(f"{sql} ({listed}){grouped}", (*given, *part, *repeated))

    def _texts(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        with self.decoding():
            for row in rows:
                for value in row:
                    if value is not None:
                        as_text(value)
                yield row

    def _unreadable(self, why: str, *, passing: bool) -> StorageError:
        cure = (
            "free some space or check permissions, then ask again"
            if passing
            else f"move {self._path.name} out of the data directory and run `brain index`"
        )
        return StorageError(
            f"The {self._schema.name} in the data directory cannot be read ({why}): "
            f"your notes are untouched; {cure}."
        )


def as_text(value: Any) -> str:
    """The value of a column of texts. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"no text: {type(value).__name__}")  # noqa: TRY004 - a value, no caller
    return value
