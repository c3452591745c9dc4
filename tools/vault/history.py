"""What every note said, and when: from git where the vault is a repository, and as we saw it.

The file is no index: where no git has them, earlier texts are nowhere else. So it is only ever
added to, except where git's own history was rewritten.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.relations import SUPERSEDES
from tools.vault.database import Database
from tools.vault.git import GitLog
from tools.vault.git_log import GitDates
from tools.vault.schemas import HISTORY
from tools.versions import Said, Version, merge, said_from_json

_MOVED_ASIDE = "\n"
"""Stands in the path of a note that is gone and whose path another note was moved to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A note as it is on disk: its bytes, its text and what that says, and the file's time."""

    path: str
    raw: bytes
    text: str
    said: Said
    saved_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A version in git whose text has not been read yet."""

    key: int
    path: str
    blob: str


class History:
    """The SQLite file. Safe to use from many threads and processes; writes are transactions."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._db = Database(path, HISTORY)

    def close(self) -> None:
        self._db.close()

    # --- what is seen on disk --------------------------------------------------------------

    def see(self, notes: Iterable[Sighting], *, at: datetime) -> None:
        """Record notes as they are on disk at ``at``; a text that is known adds nothing.

        A note whose text is that of one that went missing at the same moment was moved.
        """
        with self._db.transaction() as db:
            for note in notes:
                digest = text_hash(note.text)
                note_id = _note(db, note.path) or _moved(db, note.path, digest, at) or None
                if note_id is None:
                    note_id = _add_note(db, note.path)
                elif _is_latest(db, note_id, note, digest):
                    db.execute("UPDATE notes SET live = 1 WHERE id = ? AND NOT live", (note_id,))
                    continue
                db.execute(
                    "INSERT INTO versions (note_id, origin, path, at, content_hash, saved_at, said,"
                    " content) VALUES (?, 'seen', ?, ?, ?, ?, ?, ?)",
                    (
                        *(note_id, note.path, _iso(at), digest, _iso(note.saved_at)),
                        *(_packed(note.said.to_json()), _packed(note.text)),
                    ),
                )
                _add_targets(db, note_id, note.said)
                db.execute("UPDATE notes SET live = 1, dirty = 1 WHERE id = ?", (note_id,))

    def miss(self, paths: Iterable[str], *, at: datetime) -> None:
        """Record that notes are on disk no more."""
        with self._db.transaction() as db:
            for path in paths:
                note_id = _note(db, path)
                if note_id is not None and _is_there(db, note_id):
                    db.execute(
                        "INSERT INTO versions (note_id, origin, path, at) VALUES (?, 'seen', ?, ?)",
                        (note_id, path, _iso(at)),
                    )
                    db.execute("UPDATE notes SET live = 0, dirty = 1 WHERE id = ?", (note_id,))

    # --- what is in git --------------------------------------------------------------------

    def git_head(self) -> str | None:
        """The commit up to which git's history is recorded."""
        return self._meta("git_head")

    def record_git(self, log: GitLog, *, read_at: datetime) -> None:
        """Add what commits did, or begin anew where they do not follow what was recorded.

        A commit that a wrong clock dates after ``read_at`` counts as of then.
        """
        with self._db.transaction() as db:
            if not log.continues:
                db.execute(
                    "UPDATE notes SET dirty = 1 WHERE id IN "
                    "(SELECT note_id FROM versions WHERE origin = 'git')"
                )
                db.execute("DELETE FROM versions WHERE origin = 'git'")
                db.execute("DELETE FROM notes WHERE id NOT IN (SELECT note_id FROM versions)")
            for change in log.changes:
                note_id = _renamed(db, change.former, change.path) if change.former else None
                note_id = note_id or _note(db, change.path) or _add_note(db, change.path)
                db.execute(
                    "INSERT INTO versions (note_id, origin, path, at, blob, undated) "
                    "VALUES (?, 'git', ?, ?, ?, ?)",
                    (
                        *(note_id, change.path, _iso(min(change.when, read_at)), change.blob),
                        change.grafted,
                    ),
                )
                db.execute(
                    "UPDATE notes SET live = ?, dirty = 1 WHERE id = ?",
                    (change.blob is not None, note_id),
                )
            db.execute("INSERT OR REPLACE INTO meta VALUES ('git_head', ?)", (log.head,))
            if not log.continues or log.cut:
                db.execute("INSERT OR REPLACE INTO meta VALUES ('git_cut', ?)", (log.cut or "",))

    def cut(self) -> str | None:
        """Why older history is not known, if it is not."""
        return self._meta("git_cut") or None

    def unread(self) -> list[Unread]:
        """Versions in git whose text has not been read yet, newest first."""
        rows = self._db.rows(
            "SELECT id, path, blob FROM versions WHERE blob IS NOT NULL AND said IS NULL "
            "ORDER BY id DESC"
        )
        return [Unread(key=key, path=path, blob=blob) for key, path, blob in rows]

    def fill(self, read: Iterable[tuple[int, str, Said | None]]) -> None:
        """Record what versions say: (key, hash of the text, what it says or None: no text)."""
        with self._db.transaction() as db:
            for key, digest, said in read:
                packed = _packed(said.to_json()) if said else b""
                db.execute(
                    "UPDATE versions SET content_hash = ?, said = ? WHERE id = ?",
                    (digest, packed, key),
                )
                ((note_id,),) = db.execute("SELECT note_id FROM versions WHERE id = ?", (key,))
                if said:
                    _add_targets(db, note_id, said)

    # --- reading ---------------------------------------------------------------------------

    def paths(self) -> list[str]:
        """Every note there is or was."""
        return [path for (path,) in self._db.rows("SELECT path FROM notes")]

    def live(self) -> set[str]:
        """Notes that are there, as far as is recorded."""
        return {path for (path,) in self._db.rows("SELECT path FROM notes WHERE live")}

    def versions(self, paths: Iterable[str]) -> dict[str, list[Version]]:
        """The versions of each of these notes, oldest first; a note without any is absent."""
        columns = (
            "n.path, v.id, v.origin, v.path, v.at, v.content_hash, v.saved_at, v.undated, v.said"
        )
        rows = self._db.rows_for(
            f"SELECT {columns} FROM versions v JOIN notes n ON n.id = v.note_id "  # noqa: S608
            "WHERE (v.blob IS NULL OR length(v.said) > 0) AND n.path IN ",
            paths,
        )
        grouped: dict[str, list[Version]] = {}
        for row in rows:
            grouped.setdefault(row[0], []).append(_version(row))
        found: dict[str, list[Version]] = {}
        for path, versions in grouped.items():
            versions.sort(key=lambda version: version.key)
            git = [version for version in versions if version.origin == "git"]
            seen = [version for version in versions if version.origin == "seen"]
            if merged := merge(git, sorted(seen, key=lambda version: version.at)):
                found[path] = merged
        return found

    def contents(self, keys: Iterable[int]) -> tuple[dict[int, str], dict[int, str]]:
        """The texts of versions we saw, and the blobs of those that git keeps, by key."""
        texts: dict[int, str] = {}
        blobs: dict[int, str] = {}
        for key, blob, content in self._db.rows_for(
            "SELECT id, blob, content FROM versions WHERE id IN", keys
        ):
            if content is not None:
                texts[key] = _unpacked(content)
            elif blob is not None:
                blobs[key] = blob
        return texts, blobs

    def former_names(self) -> list[tuple[str, str]]:
        """(Path where a note once was, path where it is or was last) of every note that moved."""
        return self._db.rows(
            "SELECT DISTINCT v.path, n.path FROM versions v JOIN notes n ON n.id = v.note_id "
            "WHERE v.path != n.path AND instr(n.path, ?) = 0 ORDER BY v.id",
            (_MOVED_ASIDE,),
        )

    def gone(self) -> list[str]:
        """Notes that are there no more."""
        rows = self._db.rows(
            "SELECT path FROM notes WHERE NOT live AND instr(path, ?) = 0", (_MOVED_ASIDE,)
        )
        return [path for (path,) in rows]

    def git_dates(self) -> dict[str, GitDates]:
        """When git first and last changed each note; the cut of a history dates none."""
        rows = self._db.rows(
            "SELECT n.path, min(v.at), max(v.at) FROM versions v JOIN notes n ON n.id = v.note_id "
            "WHERE v.origin = 'git' AND v.blob IS NOT NULL AND NOT v.undated GROUP BY n.id"
        )
        return {
            path: GitDates(first=datetime.fromisoformat(first), last=datetime.fromisoformat(last))
            for path, first, last in rows
        }

    # --- what the graph has ----------------------------------------------------------------

    def dirty(self) -> list[str]:
        """Notes whose part of the graph has to be made again."""
        return [path for (path,) in self._db.rows("SELECT path FROM notes WHERE dirty ORDER BY id")]

    def soil(self, paths: Iterable[str]) -> None:
        """Have the graph's part of these notes made again."""
        with self._db.transaction() as db:
            db.executemany("UPDATE notes SET dirty = 1 WHERE path = ?", [(path,) for path in paths])

    def acknowledge(self, digests: Mapping[str, str | None]) -> None:
        """Record that the graph holds these notes in these states; None: nothing of them."""
        with self._db.transaction() as db:
            db.executemany(
                "UPDATE notes SET dirty = 0, digest = ? WHERE path = ?",
                [(digest, path) for path, digest in digests.items()],
            )

    def digests(self) -> dict[str, str]:
        """The state of each note that the graph has acknowledged."""
        return dict(self._db.rows("SELECT path, digest FROM notes WHERE digest IS NOT NULL"))

    def targets(self) -> dict[str, list[str]]:
        """Every target that a version names, as written, with the notes that name it."""
        found: dict[str, list[str]] = {}
        for word, path in self._db.rows(
            "SELECT DISTINCT t.word, n.path FROM targets t JOIN notes n ON n.id = t.note_id"
        ):
            found.setdefault(word, []).append(path)
        return found

    def succeeding(self) -> list[tuple[str, str]]:
        """(Note, target as written) wherever a version says that its note supersedes another."""
        return self._db.rows(
            "SELECT n.path, t.word FROM targets t JOIN notes n ON n.id = t.note_id "
            "WHERE t.supersedes ORDER BY n.path, t.word"
        )

    def resolved(self) -> dict[str, str | None]:
        """What each target led to when the graph was last filled."""
        return dict(self._db.rows("SELECT word, path FROM resolved"))

    def set_resolved(self, resolved: Mapping[str, str | None]) -> None:
        with self._db.transaction() as db:
            db.executemany("INSERT OR REPLACE INTO resolved VALUES (?, ?)", resolved.items())

    def _meta(self, key: str) -> str | None:
        rows = self._db.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return rows[0][0] if rows else None


def text_hash(text: str) -> str:
    """What tells one text from another, whatever its line ends were in the file."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


# --- rows ----------------------------------------------------------------------------------


def _note(db: sqlite3.Connection, path: str) -> int | None:
    row = db.execute("SELECT id FROM notes WHERE path = ?", (path,)).fetchone()
    return row[0] if row else None


def _add_note(db: sqlite3.Connection, path: str) -> int:
    return db.execute("INSERT INTO notes (path) VALUES (?) RETURNING id", (path,)).fetchone()[0]


def _moved(db: sqlite3.Connection, path: str, digest: str, at: datetime) -> int | None:
    """The note with this text that went missing at this moment, now under ``path``."""
    row = db.execute(
        "SELECT g.note_id, g.id FROM versions g WHERE g.origin = 'seen' AND g.at = ? "
        "AND g.content_hash IS NULL AND ? = (SELECT content_hash FROM versions v "
        "WHERE v.note_id = g.note_id AND v.content_hash IS NOT NULL ORDER BY v.id DESC LIMIT 1)",
        (_iso(at), digest),
    ).fetchone()
    if row is None:
        return None
    db.execute("DELETE FROM versions WHERE id = ?", (row[1],))
    db.execute("UPDATE notes SET path = ?, digest = NULL WHERE id = ?", (path, row[0]))
    return row[0]


def _renamed(db: sqlite3.Connection, former: str, path: str) -> int | None:
    """The note that a commit moved from ``former`` to ``path``."""
    note_id, there = _note(db, former), _note(db, path)
    if note_id is None:
        return None
    if there is not None and there != note_id:
        in_git = db.execute(
            "SELECT 1 FROM versions WHERE note_id = ? AND origin = 'git'", (there,)
        ).fetchone()
        if in_git:  # another note, which is gone
            db.execute(
                "UPDATE notes SET path = path || ?, dirty = 1, digest = NULL WHERE id = ?",
                (f"{_MOVED_ASIDE}{there}", there),
            )
        else:  # the same note, which we saw there before it was committed
            db.execute("UPDATE versions SET note_id = ? WHERE note_id = ?", (note_id, there))
            db.execute(
                "UPDATE OR IGNORE targets SET note_id = ? WHERE note_id = ?", (note_id, there)
            )
            db.execute("DELETE FROM notes WHERE id = ?", (there,))
    db.execute(
        "DELETE FROM versions WHERE note_id = ? AND origin = 'seen' AND content_hash IS NULL",
        (note_id,),
    )
    db.execute("UPDATE notes SET path = ?, dirty = 1, digest = NULL WHERE id = ?", (path, note_id))
    return note_id


def _is_latest(db: sqlite3.Connection, note_id: int, note: Sighting, digest: str) -> bool:
    """Whether the note's last known text is this one, under this path."""
    path, content_hash, blob = _last(db, note_id)
    if path != note.path:
        return False
    return content_hash == digest or (blob is not None and blob in _blob_ids(note.raw))


def _is_there(db: sqlite3.Connection, note_id: int) -> bool:
    """Whether the note's last known version is a text."""
    _, content_hash, blob = _last(db, note_id)
    return content_hash is not None or blob is not None


def _last(db: sqlite3.Connection, note_id: int) -> tuple[str | None, str | None, str | None]:
    """(Path, hash, blob) of the version that ``merge`` puts last.

    What was seen after the last commit, else the last commit, whatever its clock said.
    """
    row = db.execute(
        "SELECT path, content_hash, blob FROM versions v WHERE note_id = ? ORDER BY "
        "CASE WHEN origin = 'git' THEN 1 WHEN at > coalesce((SELECT max(at) FROM versions g "
        "WHERE g.note_id = v.note_id AND g.origin = 'git'), '') THEN 2 ELSE 0 END DESC, "
        "CASE WHEN origin = 'seen' THEN at END DESC, id DESC LIMIT 1",
        (note_id,),
    ).fetchone()
    return row or (None, None, None)


def _blob_ids(raw: bytes) -> tuple[str, ...]:
    """What git calls this content, in either object format, also where it turns line ends."""
    names: list[str] = []
    for content in (raw, raw.replace(b"\r\n", b"\n")):
        whole = b"blob %d\0" % len(content) + content
        names += [
            hashlib.sha1(whole, usedforsecurity=False).hexdigest(),
            hashlib.sha256(whole).hexdigest(),
        ]
    return tuple(names)


def _add_targets(db: sqlite3.Connection, note_id: int, said: Said) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO targets VALUES (?, ?, ?)",
        [
            (note_id, statement.target, statement.relation == SUPERSEDES)
            for statement in said.statements
            if statement.kind != "tag"
        ],
    )


def _version(row: Sequence[Any]) -> Version:
    return Version(
        key=row[1],
        origin=row[2],
        path=row[3],
        at=datetime.fromisoformat(row[4]),
        content_hash=row[5],
        saved_at=datetime.fromisoformat(row[6]) if row[6] else None,
        undated=bool(row[7]),
        said=said_from_json(_unpacked(row[8])) if row[8] else None,
    )


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(errors="surrogatepass"))


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode(errors="surrogatepass")
