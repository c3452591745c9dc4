"""Notes that somebody else wrote: kept until they are looked at, or put into the vault, or undone.

All of it blocks. One at a time changes the list of added notes and the files that it tells of.
"""

import hashlib
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from graphs.ingest.added_list import changing, doing, reading
from tools.base.errors import InputError, StorageError
from tools.graph.provenance import Provenance
from tools.settings.settings import Settings
from tools.vault.disk.exclusive_files import new_draft
from tools.vault.disk.new_note_paths import new_note_path
from tools.vault.disk.new_notes import (
    NoteExistsError,
    existing_note,
    planned_note,
    remove_note,
    unchanged_note,
    write_new_note,
)
from tools.vault.notes.stamp import Stamp, stamped
from tools.vault.storage.added_notes import AddedNote, AddedNotes, Place, Unfinished

MOST_STAGED = 1_000
"""Notes that may wait at a time, so that no program can fill the disk with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A note that is to be added, before its provenance is in it."""

    path: str
    content: str
    provenance: Provenance

    @property
    def digest(self) -> str:
        """What tells it from any other, whoever proposes it."""
        parts = (self.content, self.provenance.source_type, self.provenance.confidence)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def proposed(
    proposal: Proposal, place: Place, *, by: str, at: datetime, max_bytes: int
) -> AddedNote:
    """The note with its provenance, as it is to be kept.

    Raises InputError for a path that no note can have, for frontmatter that nothing can be added
    to, and for a note that would be too large to be indexed.
    """
    path = new_note_path(proposal.path)
    stamp = Stamp(provenance=proposal.provenance, at=at)
    text = stamped(path, proposal.content, stamp)
    raw = text.encode()
    if len(raw) > max_bytes:
        raise InputError(
            f"The note has {len(raw):,} bytes and may have {max_bytes:,}: split it into several."
        )
    return AddedNote(
        path=path,
        place=place,
        digest=hashlib.sha256(raw).hexdigest(),
        request=proposal.digest,
        added_by=by,
        added_at=at,
        text=text,
    )


def stage(settings: Settings, note: AddedNote) -> tuple[AddedNote, bool]:
    """Keep a note until somebody looks at it; return it as it is kept, and whether it is new.

    Raises NoteExistsError where the vault has a note of this path or another one waits under it,
    BusyError and StorageError; InputError where too many wait.
    """
    with changing(settings) as added:
        with writing_vault():
            there = existing_note(settings.vault, note.path)
        if there is not None:
            raise NoteExistsError(
                f"The vault has {there!r} already, so nothing was staged under this path: read it "
                "with read_note, or give another path."
            )
        _require_room(added, note)
        known = added.stage(note)
        if known is not None and known.request != note.request:
            raise _staged_already(known)
        return known or note, known is None


def put_into_vault(settings: Settings, note: AddedNote) -> tuple[AddedNote, bool]:
    """Make a note's file in the vault; return it, with its text, and whether it is new.

    Raises NoteExistsError where there is a note of this path, staged ones included, BusyError,
    InputError and StorageError.
    """
    with changing(settings) as added:
        known = added.find(note.path)
        if known is not None and known.place == "staging":
            raise _staged_already(known)
        try:
            return replace(_written(settings, added, note), text=note.text), True
        except NoteExistsError:
            if known is None or known.request != note.request:
                raise
            text = _unchanged(settings, known)
            if text is None:
                raise
            return replace(known, text=text), False


def accept(settings: Settings, note: AddedNote, *, path: str) -> AddedNote:
    """Put a staged note into the vault, under ``path``, since a person who read it said so.

    Raises NoteExistsError where there is a note of this path, staged ones included, BusyError,
    InputError where it is not staged as it was read, and StorageError; it stays staged then.
    """
    place = new_note_path(path)
    with changing(settings) as added:
        waiting = added.find(note.path)
        if waiting is None or waiting.place != "staging" or waiting.digest != note.digest:
            raise InputError(
                f"{note.path!r} was taken back or decided on meanwhile: `brain staged` lists what "
                "waits now."
            )
        before = added.find(place)
        if before is not None and before.place == "staging" and before.path != waiting.path:
            raise _staged_already(before)
        kept = replace(waiting, path=place, place="vault")
        return _written(settings, added, kept, staged=waiting.path)


def forget_staged(settings: Settings, note: AddedNote) -> bool:
    """Let a staged note go; False where it is gone already. Raises BusyError and StorageError."""
    with changing(settings) as added:
        return added.forget(note)


def remove_from_vault(settings: Settings, note: AddedNote) -> bool:
    """Delete the file of a note that was added, unless it was changed since; False if it is gone.

    Raises BusyError, InputError and StorageError.
    """
    with changing(settings) as added:
        step = Unfinished(step="remove", note=note, draft=new_draft())
        with doing(settings, added, step):
            with writing_vault():
                removed = remove_note(settings.vault, note.written, draft=step.draft)
            added.end(step, is_done=True)
        return removed


def added_note(settings: Settings, path: str) -> AddedNote | None:
    """The note that was added under a path, staged or in the vault. Raises StorageError."""
    with reading(settings) as added:
        return None if added is None else added.find(path)


@contextmanager
def writing_vault() -> Generator[None]:
    """Raise StorageError, in one line, where the block cannot use the vault's folders."""
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"The vault cannot be written ({error.strerror}), so nothing was: free some space or "
            "make the folder writable. Reading and asking go on."
        ) from error


def _written(
    settings: Settings, added: AddedNotes, note: AddedNote, *, staged: str | None = None
) -> AddedNote:
    content = (note.text or "").encode()
    with writing_vault():
        planned = planned_note(settings.vault, note.path, content)
    kept = replace(note, folders=planned.folders, text=None)
    step = Unfinished(step="write", note=kept, draft=new_draft(), staged=staged)
    with doing(settings, added, step):
        with writing_vault():
            made = write_new_note(settings.vault, note.path, content, draft=step.draft)
        kept = replace(kept, folders=made.folders)
        try:
            added.end(replace(step, note=kept), is_done=True)
        except StorageError:  # who is told that it failed must not find it there
            remove_note(settings.vault, made)
            raise
    return kept


def _unchanged(settings: Settings, note: AddedNote) -> str | None:
    """The text of a note that the vault has as it was added."""
    with writing_vault():
        raw = unchanged_note(settings.vault, note.written, max_bytes=settings.max_note_bytes)
    return None if raw is None else raw.decode()


def _require_room(added: AddedNotes, note: AddedNote) -> None:
    waiting = len(added.staged_digests())
    known = added.find(note.path) if waiting >= MOST_STAGED else None
    if waiting >= MOST_STAGED and (known is None or known.place != "staging"):
        raise InputError(
            f"{waiting:,} notes wait to be looked at, and no more may: the person accepts or "
            "discards some with `brain staged`, or undo_add_note takes some back."
        )


def _staged_already(known: AddedNote) -> NoteExistsError:
    return NoteExistsError(
        f"Another note waits under {known.path!r} to be looked at: take that one back first "
        "(undo_add_note, `brain staged discard`), or give another path."
    )
