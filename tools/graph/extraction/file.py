"""The SQLite file under the inferred facts: tables, rows, a connection a transaction."""

import os
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.base.errors import StorageError
from tools.base.read_only import is_read_only
from tools.graph.episodes import InferredFact
from tools.runtime.sqlite import (
    Schema,
    connect,
    connect_without_room,
    is_passing,
    reason,
    whole,
)

INFERRED = Schema(
    name="file of inferred facts",
    version=1,
    derived=False,
    statements="""
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    parts INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    finished_at TEXT,
    superseded INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX versions_current ON versions(path, content_hash, model) WHERE NOT superseded;
CREATE TABLE episodes (
    uuid TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions(id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    model TEXT NOT NULL,
    seconds REAL NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (version, part)
);
CREATE TABLE facts (
    uuid TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions(id) ON DELETE CASCADE,
    episode TEXT NOT NULL,
    line INTEGER NOT NULL,
    subject TEXT NOT NULL,
    subject_type TEXT,
    relation TEXT NOT NULL,
    object TEXT NOT NULL,
    object_type TEXT,
    fact TEXT NOT NULL,
    valid_at TEXT,
    invalid_at TEXT,
    created_at TEXT NOT NULL,
    expired_at TEXT,
    PRIMARY KEY (version, uuid)
);
CREATE INDEX facts_uuid ON facts(uuid);
CREATE TABLE closings (
    uuid TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions(id) ON DELETE CASCADE,
    invalid_at TEXT,
    expired_at TEXT,
    PRIMARY KEY (version, uuid)
);
CREATE TABLE changed (path TEXT PRIMARY KEY, stamp INTEGER NOT NULL);
CREATE TABLE job (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);
""",
)


class InferredFile:
    """The file at ``path``, opened anew for each transaction: it may be another's, or gone.

    Every method raises StorageError; StoreVersionError for a file of a newer program.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    @contextmanager
    def read(self) -> Generator[sqlite3.Connection | None]:
        """One transaction, or None where nothing was ever written."""
        if not self._path.exists():
            yield None
            return
        with self._transaction("BEGIN") as db:
            yield db

    @contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """One transaction that happens whole or not at all; makes the file."""
        with self._transaction("BEGIN IMMEDIATE") as db:
            yield db

    @contextmanager
    def _transaction(self, begin: str) -> Generator[sqlite3.Connection]:
        try:
            with self._lock:
                if not is_read_only(self._path):
                    os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
                with closing(self._opened(begin)) as db, whole(db, begin=begin):
                    db.row_factory = sqlite3.Row
                    yield db
        except (OSError, sqlite3.Error) as error:
            name = self._path.name
            cure = (
                "free some space or check permissions"
                if is_passing(error)
                else f"move {name} out of it and run `brain index --extract FOLDER` to have notes "
                "read anew"
            )
            raise StorageError(
                f"The {INFERRED.name} in the data directory cannot be used ({reason(error)}): "
                f"{cure}; the notes and the index are untouched."
            ) from error

    def _opened(self, begin: str) -> sqlite3.Connection:
        try:
            return connect(self._path, INFERRED)
        except sqlite3.OperationalError as error:
            if begin != "BEGIN":
                raise
            return connect_without_room(self._path, INFERRED, failed=error)


def fact_row(fact: InferredFact, version: int) -> tuple[object, ...]:
    """The fact as a row of ``facts``."""
    dates = (fact.valid_at, fact.invalid_at, fact.created_at, fact.expired_at)
    return (
        *(fact.uuid, version, fact.episode, fact.line, fact.subject, fact.subject_type),
        *(fact.relation, fact.object, fact.object_type, fact.fact, *map(moment_text, dates)),
    )


def read_fact(row: sqlite3.Row) -> InferredFact:
    """A fact from a row that also has its version's path and content hash.

    Raises sqlite3.DataError for values that make none.
    """
    try:
        return InferredFact(
            uuid=_text(row["uuid"]),
            note_path=_text(row["path"]),
            content_hash=_text(row["content_hash"]),
            episode=_text(row["episode"]),
            line=int(row["line"]),
            subject=_text(row["subject"]),
            relation=_text(row["relation"]),
            object=_text(row["object"]),
            fact=_text(row["fact"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            subject_type=_optional(_text, row["subject_type"]),
            object_type=_optional(_text, row["object_type"]),
            valid_at=_optional(datetime.fromisoformat, row["valid_at"]),
            invalid_at=_optional(datetime.fromisoformat, row["invalid_at"]),
            expired_at=_optional(datetime.fromisoformat, row["expired_at"]),
        )
    except (TypeError, ValueError) as error:
        raise sqlite3.DataError("a fact is damaged") from error


def moment_text(moment: datetime | None) -> str | None:
    """A moment in UTC, written so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _optional[T](read: Callable[[Any], T], value: Any) -> T | None:
    return None if value is None else read(value)
