"""What a model inferred from which version of which note, in a small SQLite file of its own.

A version's facts are served from the moment all its parts are read; those of the version before
stay until then. Every method is one transaction, so a run that is killed loses at most the part
under way. Safe to use from many threads and processes. Every method raises StorageError.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tools.graph.episodes import Extraction, InferredFact
from tools.graph.extraction.file import InferredFile, fact_row, moment_text, read_fact

ATTEMPTS = 3
"""How often a note is tried before it is left out, until it changes."""
_RECENT = 50
"""Parts over which the rate is measured: a machine or its load may change."""

_FACTS = """
SELECT f.uuid, v.path, v.content_hash, f.episode, f.line, f.subject, f.relation, f.object, f.fact,
       f.created_at, f.subject_type, f.object_type, f.valid_at, f.invalid_at, f.expired_at
FROM facts f JOIN versions v ON v.id = f.version
WHERE v.finished_at IS NOT NULL
"""

_ENDED_NOTES = """
SELECT DISTINCT v.path FROM closings c JOIN facts f ON f.uuid = c.uuid
JOIN versions v ON v.id = f.version WHERE c.version = :key
"""

_FINISH = """
-- What this version ends, in whichever note.
UPDATE facts SET invalid_at = c.invalid_at, expired_at = c.expired_at
FROM closings c WHERE c.uuid = facts.uuid AND c.version = :key;

-- What an earlier version says too goes on from where it began.
UPDATE facts SET created_at = earlier.created_at
FROM facts earlier JOIN versions v ON v.id = earlier.version
WHERE facts.version = :key AND earlier.uuid = facts.uuid AND v.path = :path AND v.id <> :key
      AND v.finished_at IS NOT NULL AND earlier.created_at < facts.created_at;
DELETE FROM facts WHERE uuid IN (SELECT uuid FROM facts WHERE version = :key)
      AND version IN (SELECT id FROM versions WHERE path = :path AND id <> :key);

-- What only an earlier version says is not known any more.
UPDATE facts SET expired_at = :at WHERE expired_at IS NULL
      AND version IN (SELECT id FROM versions WHERE path = :path AND id <> :key);

DELETE FROM versions WHERE path = :path AND id <> :key AND finished_at IS NULL;
UPDATE versions SET superseded = 1 WHERE path = :path AND id <> :key;
UPDATE versions SET finished_at = :at, reason = NULL WHERE id = :key;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteVersion:
    """One content of one note, and in how many parts it is read."""

    path: str
    content_hash: str
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How long a part took a model lately, and how many questions it was asked."""

    seconds: float
    calls: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """A note version that failed too often, with the last reason."""

    path: str
    content_hash: str
    reason: str


class InferredStore:
    """The file at ``path``, made when it is first written; ``model`` is who reads.

    What another model read is served as well, until this one has read the note again.
    """

    def __init__(self, path: Path, *, model: str) -> None:
        self._file = InferredFile(path)
        self._model = model

    # --- what is to do ---------------------------------------------------------------------

    def pending(self, wanted: Iterable[NoteVersion]) -> dict[NoteVersion, frozenset[int]]:
        """The versions that are neither read nor given up, with the parts that are read already.

        Those that failed least often come first.
        """
        with self._file.read() as db:
            if db is None:
                return {version: frozenset() for version in wanted}
            found: list[tuple[int, NoteVersion, frozenset[int]]] = []
            for version in wanted:
                row = self._row(db, version)
                if row is None:
                    found.append((0, version, frozenset()))
                elif row["finished_at"] is None and row["attempts"] < ATTEMPTS:
                    parts = _parts(db, row["id"]) if row["parts"] == version.parts else ()
                    found.append((row["attempts"], version, frozenset(parts)))
        found.sort(key=lambda one: one[0])
        return {version: parts for _, version, parts in found}

    def given_up(self) -> list[GivenUp]:
        """Versions that failed too often, by path."""
        with self._file.read() as db:
            if db is None:
                return []
            rows = db.execute(
                "SELECT path, content_hash, reason FROM versions WHERE finished_at IS NULL "
                "AND attempts >= ? AND model = ? ORDER BY path",
                (ATTEMPTS, self._model),
            )
            return [
                GivenUp(
                    path=row["path"], content_hash=row["content_hash"], reason=row["reason"] or ""
                )
                for row in rows
            ]

    def rate(self) -> Rate | None:
        """How fast this model was with the last parts; None before the first."""
        with self._file.read() as db:
            if db is None:
                return None
            rows = db.execute(
                "SELECT seconds, calls FROM episodes WHERE model = ? ORDER BY rowid DESC LIMIT ?",
                (self._model, _RECENT),
            ).fetchall()
        if not rows:
            return None
        return Rate(
            seconds=sum(row["seconds"] for row in rows) / len(rows),
            calls=sum(row["calls"] for row in rows) / len(rows),
        )

    # --- what was done ---------------------------------------------------------------------

    def record(
        self, version: NoteVersion, *, part: int, extraction: Extraction, seconds: float
    ) -> None:
        """Keep what one part gave, and how many seconds it took."""
        with self._file.write() as db:
            key = self._begin(db, version)
            db.execute("DELETE FROM episodes WHERE version = ? AND part = ?", (key, part))
            db.execute(
                "INSERT INTO episodes VALUES (?, ?, ?, ?, ?, ?)",
                (extraction.episode, key, part, self._model, seconds, extraction.calls),
            )
            # A fact that two parts say stays at the line where it is said first.
            db.executemany(
                "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET invalid_at = excluded.invalid_at, "
                "expired_at = excluded.expired_at",
                [fact_row(fact, key) for fact in extraction.facts],
            )
            db.executemany(
                "INSERT OR REPLACE INTO closings VALUES (?, ?, ?, ?)",
                [
                    (one.uuid, key, moment_text(one.invalid_at), moment_text(one.expired_at))
                    for one in extraction.closed
                ],
            )

    def finish(self, version: NoteVersion, *, at: datetime) -> None:
        """Serve what this version says from here on, and end what it ends.

        Facts of the version before that are not said again expire ``at`` this moment; those said
        again go on from where they began.
        """
        with self._file.write() as db:
            key = self._begin(db, version)
            told = {"key": key, "path": version.path, "at": moment_text(at)}
            ended = [row["path"] for row in db.execute(_ENDED_NOTES, told)]
            for statement in filter(str.strip, _FINISH.split(";\n")):
                db.execute(statement, told)
            _mark(db, [version.path, *ended])

    def fail(self, version: NoteVersion, reason: str) -> bool:
        """Count a failed attempt, and return whether it was the last."""
        with self._file.write() as db:
            key = self._begin(db, version)
            db.execute(
                "UPDATE versions SET attempts = attempts + 1, reason = ? WHERE id = ?",
                (reason, key),
            )
            (attempts,) = db.execute(
                "SELECT attempts FROM versions WHERE id = ?", (key,)
            ).fetchone()
        return int(attempts) >= ATTEMPTS

    def forget_except(self, paths: Iterable[str]) -> list[str]:
        """Drop all that was read of notes other than these; return the episodes dropped."""
        kept = frozenset(paths)
        with self._file.read() as db:
            if db is None:
                return []
            known = {row["path"] for row in db.execute("SELECT path FROM versions")}
        gone = sorted(known - kept)
        if not gone:
            return []
        dropped: list[str] = []
        with self._file.write() as db:
            for path in gone:
                rows = db.execute(
                    "SELECT e.uuid FROM episodes e JOIN versions v ON v.id = e.version "
                    "WHERE v.path = ?",
                    (path,),
                )
                dropped += [row["uuid"] for row in rows]
                db.execute("DELETE FROM versions WHERE path = ?", (path,))
            _mark(db, gone)
        return dropped

    # --- for whoever shows the facts -------------------------------------------------------

    def facts(self, paths: Iterable[str] | None = None) -> list[InferredFact]:
        """Every served fact, closed and expired ones too, or those of some notes; by note."""
        with self._file.read() as db:
            if db is None:
                return []
            order = " ORDER BY v.path, f.line, f.uuid"
            if paths is None:
                return [read_fact(row) for row in db.execute(_FACTS + order)]
            return [
                read_fact(row)
                for path in sorted(set(paths))
                for row in db.execute(f"{_FACTS} AND v.path = ?{order}", (path,))
            ]

    def changed(self) -> dict[str, int]:
        """Notes whose facts changed since they were acknowledged, each with a stamp."""
        with self._file.read() as db:
            if db is None:
                return {}
            return {row["path"]: row["stamp"] for row in db.execute("SELECT * FROM changed")}

    def acknowledge(self, changed: Mapping[str, int]) -> None:
        """Say that these changes were taken over; what changed again meanwhile stays."""
        with self._file.write() as db:
            db.executemany("DELETE FROM changed WHERE path = ? AND stamp = ?", changed.items())

    # --- the file --------------------------------------------------------------------------

    def _row(self, db: sqlite3.Connection, version: NoteVersion) -> sqlite3.Row | None:
        found: sqlite3.Row | None = db.execute(
            "SELECT * FROM versions WHERE path = ? AND content_hash = ? AND model = ? "
            "AND NOT superseded",
            (version.path, version.content_hash, self._model),
        ).fetchone()
        return found

    def _begin(self, db: sqlite3.Connection, version: NoteVersion) -> int:
        """The version's key; one that is now cut into other parts begins anew."""
        row = self._row(db, version)
        if row is not None and row["parts"] == version.parts:
            return int(row["id"])
        if row is not None:
            db.execute("DELETE FROM versions WHERE id = ?", (row["id"],))
        made = db.execute(
            "INSERT INTO versions (path, content_hash, model, parts) VALUES (?, ?, ?, ?)",
            (version.path, version.content_hash, self._model, version.parts),
        )
        return int(made.lastrowid or 0)


def _parts(db: sqlite3.Connection, version: int) -> tuple[int, ...]:
    rows = db.execute("SELECT part FROM episodes WHERE version = ?", (version,))
    return tuple(row["part"] for row in rows)


def _mark(db: sqlite3.Connection, paths: Iterable[str]) -> None:
    db.executemany(
        "INSERT INTO changed VALUES (?, 1) ON CONFLICT DO UPDATE SET stamp = stamp + 1",
        [(path,) for path in dict.fromkeys(paths)],
    )
