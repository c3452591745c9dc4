"""Which notes other programs added, who did and when: a SQLite file of ours.

Of staged notes it has the text too, until they are accepted or discarded.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from tools.vault.disk.new_note_paths import same_name_key
from tools.vault.disk.new_notes import WrittenNote
from tools.vault.storage.database import Database, as_text
from tools.vault.storage.schemas import ADDED_NOTES

type Place = Literal["staging", "vault"]
type Step = Literal["write", "remove"]

_COLUMNS = "path, place, digest, request, added_by, added_at, folders, content"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedNote:
    """A note that was added; ``text`` is there while it is staged.

    ``digest`` is the SHA-256 of its bytes, ``request`` that of what was asked for, by which it is
    known when it comes again. ``folders`` were made for it in the vault.
    """

    path: str
    place: Place
    digest: str
    request: str
    added_by: str
    added_at: datetime
    folders: tuple[str, ...] = ()
    text: str | None = None

    @property
    def written(self) -> WrittenNote:
        """The note as it was put into the vault."""
        return WrittenNote(path=self.path, digest=self.digest, folders=self.folders)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """What is being done to a note of the vault; whoever is killed over it leaves this.

    ``draft`` is the hidden name that the note has meanwhile, beside its own. ``staged`` is the path
    under which it waited, if it did.
    """

    step: Step
    note: AddedNote
    draft: str
    staged: str | None = None


class AddedNotes:
    """The file. Safe to use from many threads and processes; every method raises StorageError.

    A path counts as the same in whatever case and Unicode form it is written.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._db = Database(path, ADDED_NOTES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def find(self, path: str) -> AddedNote | None:
        """The note that was added under this path."""
        found = self._read("WHERE key = ?", same_name_key(path))
        return found[0] if found else None

    def staged(self) -> list[AddedNote]:
        """The notes that wait to be looked at, by path."""
        return self._read("WHERE place = 'staging' ORDER BY path")

    def staged_digests(self) -> dict[str, str]:
        """Their paths and digests alone, since their texts may be large."""
        rows = self._db.rows("SELECT path, digest FROM notes WHERE place = 'staging' ORDER BY path")
        with self._db.decoding():
            return {as_text(path): as_text(digest) for path, digest in rows}

    def stage(self, note: AddedNote) -> AddedNote | None:
        """Keep a note to be looked at; the one that is staged under its path already, if any."""
        with self._db.transaction() as db, self._db.decoding():
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM notes WHERE key = ? AND place = 'staging'",  # noqa: S608
                (same_name_key(note.path),),
            ).fetchall()
            if rows:
                return _note_of(rows[0])
            db.execute(_REPLACE, _row_of(note))
        return None

    def begin(self, unfinished: Unfinished) -> None:
        """Keep what is about to be done to the vault, before it is."""
        first = unfinished.draft, unfinished.step, unfinished.staged
        with self._db.transaction() as db:
            db.execute(
                f"INSERT INTO unfinished (draft, step, staged, key, {_COLUMNS}) "  # noqa: S608
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*first, *_row_of(unfinished.note)),
            )

    def unfinished(self) -> list[Unfinished]:
        """What was begun and not ended."""
        rows = self._db.rows(f"SELECT draft, step, staged, {_COLUMNS} FROM unfinished")  # noqa: S608
        with self._db.decoding():
            return [
                Unfinished(
                    step="remove" if as_text(step) == "remove" else "write",
                    note=_note_of(row),
                    draft=as_text(draft),
                    staged=None if staged is None else as_text(staged),
                )
                for draft, step, staged, *row in rows
            ]

    def end(self, unfinished: Unfinished, *, is_done: bool) -> None:
        """Keep what became of it: the note is listed, or is no more; nothing if it is not done."""
        note = unfinished.note
        with self._db.transaction() as db:
            db.execute("DELETE FROM unfinished WHERE draft = ?", (unfinished.draft,))
            if is_done and unfinished.staged is not None:
                _forget(db, unfinished.staged, "staging", note.digest)
            if is_done and unfinished.step == "write":
                db.execute(_REPLACE, _row_of(note))
            elif is_done:
                _forget(db, note.path, note.place, note.digest)

    def forget(self, note: AddedNote) -> bool:
        """Take a note off the list; False where it is another by now, or none."""
        with self._db.transaction() as db:
            return _forget(db, note.path, note.place, note.digest)

    def _read(self, condition: str, *values: object) -> list[AddedNote]:
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM notes {condition}", values)  # noqa: S608
        with self._db.decoding():
            return [_note_of(row) for row in rows]


_REPLACE = f"INSERT OR REPLACE INTO notes (key, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


def _forget(db: sqlite3.Connection, path: str, place: Place, digest: str) -> bool:
    gone = db.execute(
        "DELETE FROM notes WHERE key = ? AND place = ? AND digest = ?",
        (same_name_key(path), place, digest),
    )
    return gone.rowcount > 0


def _row_of(note: AddedNote) -> tuple[object, ...]:
    return (
        *(same_name_key(note.path), note.path, note.place, note.digest, note.request),
        *(note.added_by, note.added_at.isoformat(), json.dumps(note.folders), note.text),
    )


def _note_of(row: Sequence[Any]) -> AddedNote:
    path, place, digest, request, added_by, added_at, folders, text = row
    return AddedNote(
        path=as_text(path),
        place="vault" if as_text(place) == "vault" else "staging",
        digest=as_text(digest),
        request=as_text(request),
        added_by=as_text(added_by),
        added_at=datetime.fromisoformat(as_text(added_at)),
        folders=tuple(map(as_text, json.loads(as_text(folders)))),
        text=None if text is None else as_text(text),
    )
