"""Which links were put into the vault, by whom and when, byte for byte: a SQLite file of ours."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from tools.vault.editing.edits import NoteEdit
from tools.vault.editing.insertions import Insertion
from tools.vault.storage.database import Database, as_text
from tools.vault.storage.schemas import LINK_JOURNAL

type State = Literal["begun", "applied", "undoing", "undone"]

_COLUMNS = "id, state, at, written_by, source, target, relation, context, edits"
_STATES: dict[str, State] = {
    "begun": "begun", "applied": "applied", "undoing": "undoing", "undone": "undone",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWrite:
    """A link between two notes, with what it is in each note that has it.

    ``source`` and ``target`` are paths of notes, ``context`` says why there is one. ``id`` counts
    from 1 and is 0 until the journal has it.
    """

    at: datetime
    by: str
    source: str
    target: str
    relation: str
    edits: tuple[NoteEdit, ...]
    context: str = ""
    state: State = "begun"
    id: int = 0

    @property
    def paths(self) -> tuple[str, ...]:
        """The notes that it is written into."""
        return tuple(edit.path for edit in self.edits)

    @property
    def digests(self) -> tuple[tuple[str, str, str], ...]:
        """Of each note its path, and the SHA-256 of it without the link and with it."""
        return tuple((edit.path, edit.before, edit.after) for edit in self.edits)

    @property
    def notes(self) -> str:
        """The same, to be named in a line."""
        return " and ".join(self.paths)


class LinkJournal:
    """The file. Safe to use from many threads and processes; every method raises StorageError."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._db = Database(path, LINK_JOURNAL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def begin(self, write: LinkWrite) -> LinkWrite:
        """Keep a write before anything of it is in the vault; return it with its number."""
        with self._db.transaction() as db:
            added = db.execute(
                "INSERT INTO writes (state, at, written_by, source, target, relation, context, "
                "edits) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(write.state, write.at.isoformat(), write.by, write.source, write.target),
                    *(write.relation, write.context, _packed(write.edits)),
                ),
            )
        return replace(write, id=added.lastrowid or 0)

    def keep(self, write: LinkWrite) -> None:
        """Keep how far a write is, and its edits as they lead to the notes of now."""
        with self._db.transaction() as db:
            db.execute(
                "UPDATE writes SET state = ?, edits = ? WHERE id = ?",
                (write.state, _packed(write.edits), write.id),
            )

    def forget(self, write: LinkWrite) -> None:
        """Let go of a write of which nothing is in the vault."""
        with self._db.transaction() as db:
            db.execute("DELETE FROM writes WHERE id = ?", (write.id,))

    def find(self, number: int) -> LinkWrite | None:
        """The write of this number."""
        found = self._read("WHERE id = ?", number)
        return found[0] if found else None

    def same(self, write: LinkWrite) -> LinkWrite | None:
        """The write that was planned with this one, if it is in the notes."""
        condition = "WHERE state = 'applied' AND at = ? AND source = ? AND target = ?"
        found = self._read(condition, write.at.isoformat(), write.source, write.target)
        return next((one for one in found if one.digests == write.digests), None)

    def unfinished(self) -> list[LinkWrite]:
        """What was begun and not ended."""
        return self._read("WHERE state IN ('begun', 'undoing') ORDER BY id")

    def applied(self, most: int) -> list[LinkWrite]:
        """The last writes that were not undone, the newest first."""
        return self._read("WHERE state = 'applied' ORDER BY id DESC LIMIT ?", most)

    def history(self, most: int = -1) -> list[LinkWrite]:
        """The last writes, undone ones too, the newest first; all without a number."""
        return self._read("ORDER BY id DESC LIMIT ?", most)

    def _read(self, condition: str, *values: object) -> list[LinkWrite]:
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM writes {condition}", values)  # noqa: S608
        with self._db.decoding():
            return [_write_of(row) for row in rows]


def _write_of(row: Sequence[Any]) -> LinkWrite:
    number, state, at, by, source, target, relation, context, edits = row
    if state not in _STATES:
        raise ValueError("no state of a write")
    return LinkWrite(
        id=int(number),
        state=_STATES[state],
        at=datetime.fromisoformat(as_text(at)),
        by=as_text(by),
        source=as_text(source),
        target=as_text(target),
        relation=as_text(relation),
        context=as_text(context),
        edits=_edits_of(as_text(edits)),
    )


def _packed(edits: Sequence[NoteEdit]) -> str:
    return json.dumps(
        [
            {
                "path": edit.path,
                "name": edit.name,
                "relation": edit.relation,
                "before": edit.before,
                "after": edit.after,
                "insertions": [[one.at, one.content.hex()] for one in edit.insertions],
                "surroundings": edit.surroundings.hex(),
                "draft": edit.draft,
            }
            for edit in edits
        ]
    )


def _edits_of(text: str) -> tuple[NoteEdit, ...]:
    """Raises ValueError for what is no list of edits."""
    try:
        return tuple(
            NoteEdit(
                path=as_text(one["path"]),
                name=as_text(one["name"]),
                relation=None if one["relation"] is None else as_text(one["relation"]),
                before=as_text(one["before"]),
                after=as_text(one["after"]),
                insertions=tuple(
                    Insertion(int(at), bytes.fromhex(content)) for at, content in one["insertions"]
                ),
                surroundings=bytes.fromhex(one["surroundings"]),
                draft=as_text(one["draft"]),
            )
            for one in json.loads(text)
        )
    except (KeyError, TypeError) as error:
        raise ValueError("no list of edits") from error
