"""What every note said, and when: from git where the vault is a repository, and as we saw it.

The file is no index: where no git has them, earlier texts are nowhere else. So no text that we saw
is ever taken out. What git has is replaced where its history was rewritten or other folders are
looked at; that a note was gone is taken back where it turns out to have moved.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tools.graph.versions import Version, VersionContent
from tools.vault.disk.folders import Folders
from tools.vault.git.log import GitDates
from tools.vault.git.repository import GitLog, within
from tools.vault.history.graph_ledger import GraphLedger
from tools.vault.history.history_rows import (
    LAST_TEXTS,
    MOVED_ASIDE,
    Sighting,
    add_note,
    add_targets,
    find_note,
    is_latest,
    is_there,
    merged,
    meta,
    moment_text,
    move_note,
    not_before,
    pack_content,
    paths_in,
    read_moment,
    read_version,
    rename_note,
    targets,
    unpacked,
)
from tools.vault.history.rewordings import Rewordings
from tools.vault.storage.database import Database, as_text
from tools.vault.storage.schemas import HISTORY


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A version in git whose text has not been read yet."""

    key: int
    path: str
    blob: str


class History:
    """The SQLite file. Safe to use from many threads and processes; writes are transactions."""

    def __init__(self, path: Path, *, folders: Sequence[str] = ()) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError.

        Where ``folders`` are given, only notes in them are recorded and told of; what is known of
        others is kept for when they are looked at again.
        """
        self._db = Database(path, HISTORY)
        self._folders = Folders(tuple(folders))
        self.ledger = GraphLedger(self._db, self._folders)
        self.rewordings = Rewordings(self._db)

    def close(self) -> None:
        self._db.close()

    def tidy(self) -> None:
        """Keep the file small after a run."""
        self._db.tidy()

    # --- what is seen on disk --------------------------------------------------------------

    def see(
        self, notes: Iterable[Sighting], *, at: datetime, moved_since: datetime | None = None
    ) -> None:
        """Record notes as they are on disk at ``at``; a text that is known adds nothing.

        A note whose text is that of one that went missing at the same moment, or since
        ``moved_since``, was moved.
        """
        since = min(at, moved_since or at)
        with self._db.transaction() as db, self._db.decoding():
            for note in notes:
                note_id = find_note(db, note.path) or move_note(db, note.path, note.digest, since)
                if note_id is None:
                    note_id = add_note(db, note.path)
                elif is_latest(db, note_id, note):
                    db.execute("UPDATE notes SET live = 1 WHERE id = ? AND NOT live", (note_id,))
                    continue
                moment = not_before(db, note_id, at)
                db.execute(
                    "INSERT INTO versions (note_id, origin, path, at, content_hash, saved_at, said,"
                    " content) VALUES (?, 'seen', ?, ?, ?, ?, ?, ?)",
                    (
                        *(note_id, note.path, moment_text(moment), note.digest),
                        *(moment_text(note.saved_at), note.said, note.content),
                    ),
                )
                add_targets(db, note_id, note.targets)
                db.execute("UPDATE notes SET live = 1, dirty = 1 WHERE id = ?", (note_id,))

    def record_missing(self, paths: Iterable[str], *, at: datetime) -> None:
        """Record that notes are on disk no more."""
        with self._db.transaction() as db, self._db.decoding():
            for path in (path for path in paths if path in self._folders):
                note_id = find_note(db, path)
                if note_id is not None and is_there(db, note_id):
                    moment = moment_text(not_before(db, note_id, at))
                    db.execute(
                        "INSERT INTO versions (note_id, origin, path, at) VALUES (?, 'seen', ?, ?)",
                        (note_id, path, moment),
                    )
                    db.execute("UPDATE notes SET live = 0, dirty = 1 WHERE id = ?", (note_id,))

    # --- what is in git --------------------------------------------------------------------

    def git_head(self) -> str | None:
        """The commit up to which git's history of these folders is recorded."""
        same = meta(self._db, "git_folders") == self._folders.mark
        return meta(self._db, "git_head") if same else None

    def record_git(self, log: GitLog, *, read_at: datetime) -> None:
        """Add what commits did, or begin anew where they do not follow what was recorded.

        A commit that a wrong clock dates after ``read_at`` counts as of then.
        """
        log = within(log, self._folders)
        with self._db.transaction() as db:
            if not log.continues:
                db.execute(
                    "UPDATE notes SET dirty = 1 WHERE id IN "
                    "(SELECT note_id FROM versions WHERE origin = 'git')"
                )
                db.execute("DELETE FROM versions WHERE origin = 'git'")
                db.execute("DELETE FROM notes WHERE id NOT IN (SELECT note_id FROM versions)")
            for change in log.changes:
                note_id = rename_note(db, change.former, change.path) if change.former else None
                note_id = note_id or find_note(db, change.path) or add_note(db, change.path)
                db.execute(
                    "INSERT INTO versions (note_id, origin, path, at, blob, undated) "
                    "VALUES (?, 'git', ?, ?, ?, ?)",
                    (
                        *(
                            note_id,
                            change.path,
                            moment_text(min(change.when, read_at)),
                            change.blob,
                        ),
                        change.grafted,
                    ),
                )
                db.execute(
                    "UPDATE notes SET live = ?, dirty = 1 WHERE id = ?",
                    (change.blob is not None, note_id),
                )
            db.executemany(
                "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                [("git_head", log.head), ("git_folders", self._folders.mark)],
            )
            if not log.continues or log.cut:
                db.execute("INSERT OR REPLACE INTO meta VALUES ('git_cut', ?)", (log.cut or "",))

    def cut(self) -> str | None:
        """Why older history is not known, if it is not."""
        return meta(self._db, "git_cut") or None

    def unread(self) -> list[Unread]:
        """Versions in git whose text has not been read yet, newest first."""
        rows = self._db.rows(
            "SELECT id, path, blob FROM versions WHERE blob IS NOT NULL AND said IS NULL "
            "ORDER BY id DESC"
        )
        with self._db.decoding():
            return [
                Unread(key=key, path=as_text(path), blob=as_text(blob)) for key, path, blob in rows
            ]

    def fill(self, read: Iterable[tuple[int, str, VersionContent | None]]) -> None:
        """Record what versions say: (key, hash of the text, what it says or None: no text).

        Their notes' part of the graph has to be made again.
        """
        with self._db.transaction() as db:
            for key, digest, said in read:
                stored = pack_content(said) if said else b""
                db.execute(
                    "UPDATE versions SET content_hash = ?, said = ? WHERE id = ?",
                    (digest, stored, key),
                )
                ((note_id,),) = db.execute("SELECT note_id FROM versions WHERE id = ?", (key,))
                db.execute("UPDATE notes SET dirty = 1 WHERE id = ? AND NOT dirty", (note_id,))
                if said:
                    add_targets(db, note_id, targets(said))

    # --- reading ---------------------------------------------------------------------------

    def version_count(self) -> int:
        """How many versions of notes are known, those that say a note was gone included."""
        ((count,),) = self._db.rows("SELECT count(*) FROM versions")
        return int(count)

    def paths(self) -> list[str]:
        """Every note there is or was."""
        return self._looked_at("SELECT path FROM notes")

    def live(self) -> set[str]:
        """Notes that are there, as far as is recorded."""
        return set(self._looked_at("SELECT path FROM notes WHERE live"))

    def latest_texts(self) -> dict[str, tuple[str | None, str | None]]:
        """For every note there is the hash of its last known text, and git's name for it."""
        rows = self._db.texts(LAST_TEXTS)
        return {path: (digest, blob) for path, digest, blob in rows if path in self._folders}

    def versions(self, paths: Iterable[str]) -> dict[str, list[Version]]:
        """The versions of each of these notes, oldest first; a note without any is absent."""
        columns = (
            "n.path, v.id, v.origin, v.path, v.at, v.content_hash, v.saved_at, v.undated, v.said, "
            "v.content"
        )
        rows = self._db.rows_for(
            f"SELECT {columns} FROM versions v JOIN notes n ON n.id = v.note_id "  # noqa: S608
            "WHERE (v.blob IS NULL OR length(v.said) > 0) AND n.path IN ",
            paths,
        )
        grouped: dict[str, list[Version]] = {}
        with self._db.decoding():
            for path, *version in rows:
                grouped.setdefault(path, []).append(read_version(version))
        return {path: found for path, versions in grouped.items() if (found := merged(versions))}

    def blobs(self, keys: Iterable[int]) -> dict[int, str]:
        """Those of the versions whose texts git keeps, with its names for them."""
        rows = self._db.rows_for(
            "SELECT id, blob FROM versions WHERE blob IS NOT NULL AND id IN", keys
        )
        with self._db.decoding():
            return {key: as_text(blob) for key, blob in rows}

    def text(self, key: int) -> str | None:
        """The text of a version that we saw."""
        rows = self._db.rows("SELECT content FROM versions WHERE id = ?", (key,))
        with self._db.decoding():
            return unpacked(rows[0][0]) if rows and rows[0][0] is not None else None

    def former_names(self) -> list[tuple[str, str]]:
        """(Path where a note once was, path where it is or was last) of every note that moved."""
        rows = self._db.texts(
            "SELECT DISTINCT v.path, n.path FROM versions v JOIN notes n ON n.id = v.note_id "
            "WHERE v.path != n.path AND instr(n.path, ?) = 0 ORDER BY v.id",
            (MOVED_ASIDE,),
        )
        return [(then, now) for then, now in rows if now in self._folders]

    def moves(self, paths: Iterable[str]) -> dict[str, list[tuple[str, datetime]]]:
        """For each of these notes that moved: where it was before, and when it left each place."""
        found: dict[str, list[tuple[str, datetime]]] = {}
        rows = self._db.rows_for(
            "SELECT n.path, v.path, (SELECT min(w.at) FROM versions w WHERE w.note_id = n.id "
            "AND w.path != v.path AND w.at >= max(v.at)) FROM notes n "
            "JOIN versions v ON v.note_id = n.id AND v.path != n.path WHERE n.path IN",
            paths,
            group_by="n.id, v.path",
        )
        with self._db.decoding():
            for now, then, left in rows:
                if left is not None:
                    found.setdefault(now, []).append((as_text(then), read_moment(left)))
        return found

    def first_known_at(self) -> datetime | None:
        """When the first version of any note was known; None before the first run."""
        ((first,),) = self._db.rows("SELECT min(at) FROM versions")
        with self._db.decoding():
            return read_moment(first) if first else None

    def deleted_paths(self) -> list[str]:
        """Notes that are there no more."""
        return self._looked_at(
            "SELECT path FROM notes WHERE NOT live AND instr(path, ?) = 0", MOVED_ASIDE
        )

    def git_dates(self) -> dict[str, GitDates]:
        """When git first and last changed each note; the cut of a history dates none."""
        rows = self._db.texts(
            "SELECT n.path, min(v.at), max(v.at) FROM versions v JOIN notes n ON n.id = v.note_id "
            "WHERE v.origin = 'git' AND v.blob IS NOT NULL AND NOT v.undated GROUP BY n.id"
        )
        with self._db.decoding():
            return {
                path: GitDates(first=read_moment(first), last=read_moment(last))
                for path, first, last in rows
            }

    def _looked_at(self, sql: str, *parameters: object) -> list[str]:
        """Those of the paths that a query gives that are in these folders."""
        return paths_in(self._folders, self._db, sql, *parameters)
