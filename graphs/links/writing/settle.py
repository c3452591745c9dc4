"""A write of which some is done, brought to an end: in all of its notes, or in none."""

from contextlib import suppress
from dataclasses import dataclass, replace

from tools.base.errors import InputError
from tools.settings.settings import Settings
from tools.vault.disk.files import read_bytes
from tools.vault.disk.replace import changed, end_replacing, replace_note
from tools.vault.editing.edits import NoteEdit, relocated, sha256
from tools.vault.editing.insertions import inserted, taken_out
from tools.vault.storage.link_journal import LinkJournal, LinkWrite


@dataclass(frozen=True, slots=True)
class _Side:
    """An edit as it leads to its note of now; ``has`` is None where nobody can say of it."""

    edit: NoteEdit
    has: bool | None


def settle(
    settings: Settings, journal: LinkJournal, write: LinkWrite, *, may_finish: bool
) -> LinkWrite | None:
    """End a write that is begun or being undone, and keep so; None where it is forgotten.

    It is finished if all of its notes have it, or some and the others are as they were; otherwise
    those that have it are as they were again. Raises OSError, InputError and StorageError where
    that cannot be; then it stays as unfinished as it is.
    """
    wanted = write.state == "begun"
    sides = [_side(settings, edit) for edit in write.edits]
    moved = [side.has is wanted for side in sides]
    if may_finish and any(moved) and not all(moved) and all(one.has is not None for one in sides):
        with suppress(OSError, InputError):
            _bring(settings, sides, to=wanted)
        sides = [_side(settings, side.edit) for side in sides]
    is_done = all(side.has is wanted for side in sides)
    if not is_done:
        _bring(settings, [side for side in sides if side.has is wanted], to=not wanted)
    edits = tuple(side.edit for side in sides)
    has = wanted is is_done
    if not has and wanted:
        journal.forget(write)
        return None
    ended = replace(write, edits=edits, state="applied" if has else "undone")
    journal.keep(ended)
    return ended


def change(settings: Settings, edit: NoteEdit, *, to: bool) -> None:
    """Put a link into its note, or take it out, if the note is as the edit says.

    Raises ChangedError, InputError and OSError.
    """
    raw = read_bytes(settings.vault, edit.path, max_bytes=settings.max_note_bytes)
    there = edit.before if to else edit.after
    if sha256(raw) != there:
        raise changed(edit.path)
    content = inserted(raw, edit.insertions) if to else taken_out(raw, edit.insertions)
    if content is None or sha256(content) != (edit.after if to else edit.before):
        raise changed(edit.path)
    replace_note(settings.vault, edit.path, content, before=there, draft=edit.draft)


def _bring(settings: Settings, sides: list[_Side], *, to: bool) -> None:
    for side in sides:
        if side.has is not to:
            change(settings, side.edit, to=to)


def _side(settings: Settings, edit: NoteEdit) -> _Side:
    digests = edit.before, edit.after
    now = end_replacing(settings.vault, edit.path, digests=digests, draft=edit.draft)
    if now in digests:
        return _Side(edit, now == edit.after)
    with suppress(InputError, FileNotFoundError):  # no note that can be read has no link of ours
        raw = read_bytes(settings.vault, edit.path, max_bytes=settings.max_note_bytes)
        moved = relocated(edit, raw)
        if moved is not None:
            return _Side(moved, True)
    return _Side(edit, None)
