"""Links put into the notes of a vault, and taken out again: both sides or neither.

All of it blocks but ``indexed``. One process at a time does this to a vault.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, replace

from graphs.core.ingest_report import IngestReport
from graphs.core.whole_step import whole
from graphs.ingest.index_written import index_written
from graphs.ingest.new_notes import writing_vault
from graphs.links.writing.journal import changing
from graphs.links.writing.settle import change, settle
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError, InputError, StorageError
from tools.settings.settings import Settings
from tools.vault.disk.exclusive_files import new_draft
from tools.vault.disk.files import read_bytes
from tools.vault.disk.replace import changed, check_replaceable
from tools.vault.editing.edits import NoteEdit, planned_edit, relocated, sha256
from tools.vault.editing.insertions import inserted
from tools.vault.editing.places import NewLink, Place
from tools.vault.storage.link_journal import LinkJournal, LinkWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The writes that were done, and for each of the others why not, in a line."""

    writes: tuple[LinkWrite, ...]
    refused: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The notes that were written, each once."""
        return tuple(dict.fromkeys(path for one in self.writes for path in one.paths))


def planned(
    settings: Settings, path: str, link: NewLink, place: Place, *, seen: Collection[str] = ()
) -> NoteEdit:
    """The edit that puts a link into a note as it is now; nothing is written.

    ``seen`` are the SHA-256 of its bytes as they may be, where that matters. Raises ChangedError,
    InputError where the link cannot be there, and FileNotFoundError.
    """
    raw = read_bytes(settings.vault, path, max_bytes=settings.max_note_bytes)
    if seen and sha256(raw) not in seen:
        raise changed(path)
    return edit_of(settings, path, raw, link, place)


def edit_of(settings: Settings, path: str, raw: bytes, link: NewLink, place: Place) -> NoteEdit:
    """The edit that puts a link into a note of these bytes. Raises InputError."""
    edit = planned_edit(path, raw, link, place)
    if len(inserted(raw, edit.insertions)) > settings.max_note_bytes:
        raise InputError(
            f"{path!r} would be larger than {settings.max_note_bytes:,} bytes with the link, and "
            "no longer read: split it first."
        )
    return replace(edit, draft=new_draft())


def apply(settings: Settings, write: LinkWrite) -> LinkWrite:
    """Put a link into all of its notes, or into none; return it as the journal has it.

    One that is in already is not put in again.
    Raises ChangedError, InputError for a note that must not be written, BusyError, StorageError.
    """
    with changing(settings) as journal:
        return _applied(settings, journal, write)


def apply_all(settings: Settings, plans: Iterable[Callable[[], LinkWrite]]) -> Outcome:
    """Apply one after the other, each planned when its turn has come.

    So one may go into a note that an earlier one was put into. Raises BusyError, and StorageError
    where none is done.
    """
    with changing(settings) as journal:
        return _each(lambda plan: _applied(settings, journal, plan()), plans)


def undo(settings: Settings, number: int) -> LinkWrite:
    """Take a link out of all of its notes, or of none; what else changed in them stays.

    Raises InputError where it is none of the journal's, is out already, or no longer stands in a
    note as it was written; BusyError and StorageError.
    """
    with changing(settings) as journal:
        write = journal.find(number)
        if write is None:
            raise InputError(f"There is no link {number} in the journal: its history lists them.")
        return _undone(settings, journal, write)


def undo_last(settings: Settings, count: int) -> Outcome:
    """Take out the last links that are in, the newest first; see ``undo``."""
    with changing(settings) as journal:
        last = journal.applied(count)
        return _each(lambda write: _undone(settings, journal, write), last)


async def indexed[T: LinkWrite | Outcome](
    step: Callable[[], T],
    index: Callable[[], Awaitable[IngestReport]],
    *,
    written: list[str] | None = None,
) -> tuple[T, tuple[SourceWarning, ...]]:
    """Do a step to the vault and have all stores know of it; what of that they do not.

    To ``written`` the path of each note is added as soon as it has been written, also where the
    caller is cancelled meanwhile: the step is done to its end then, or was not begun. Raises as the
    step does, and InputError for a note that is gone.
    """

    async def noted() -> T:
        try:
            done = await asyncio.to_thread(step)
        except FileNotFoundError as error:  # gone between the look and the write
            raise InputError(str(error)) from None
        if written is not None:
            written.extend(done.paths)
        return done

    done = await whole(noted())
    return done, await index_written(index)


def _each[T](do: Callable[[T], LinkWrite], given: Iterable[T]) -> Outcome:
    done: list[LinkWrite] = []
    refused: list[str] = []
    for one in given:
        try:
            done.append(do(one))
        except (InputError, FileNotFoundError) as error:
            refused.append(str(error))
        except StorageError as error:  # the next would fare no better
            if not done:
                raise
            refused.append(str(error))
            break
    return Outcome(writes=tuple(done), refused=tuple(refused))


def _applied(settings: Settings, journal: LinkJournal, write: LinkWrite) -> LinkWrite:
    if len({edit.path for edit in write.edits}) != len(write.edits):
        raise InputError(f"{write.source!r} and the note it would be linked with are one.")
    if known := journal.same(write):  # whoever approved it was killed before they knew
        return known
    _require(settings, write.edits, has=False)
    return _done(settings, journal, journal.begin(replace(write, state="begun")))


def _undone(settings: Settings, journal: LinkJournal, write: LinkWrite) -> LinkWrite:
    if write.state == "undone":
        raise InputError(f"The link {write.id} was taken out of {write.notes} already.")
    if write.state != "applied":
        raise InputError(
            f"The link {write.id} is half done, and {write.notes} cannot be written just now: save "
            "and close them elsewhere, then try again."
        )
    edits = tuple(_standing(settings, edit) for edit in write.edits)
    _require(settings, edits, has=True)
    begun = replace(write, state="undoing", edits=edits)
    journal.keep(begun)
    return _done(settings, journal, begun)


def _done(settings: Settings, journal: LinkJournal, write: LinkWrite) -> LinkWrite:
    """Do a write that the journal has; where it fails, nothing of it is done."""
    is_in = write.state == "begun"
    try:
        with writing_vault():
            for edit in write.edits:
                change(settings, edit, to=is_in)
        ended = replace(write, state="applied" if is_in else "undone")
        journal.keep(ended)
    except BaseException as error:
        try:
            settle(settings, journal, write, may_finish=False)
        except (OSError, BrainError):  # the next that opens the journal does it
            if isinstance(error, Exception):
                raise StorageError(
                    f"{write.notes}: only one side could be written, and not be put back at once; "
                    "the next `brain link` makes it both or neither. Free some space, or make "
                    "both notes writable."
                ) from error
        raise
    return ended


def _require(settings: Settings, edits: tuple[NoteEdit, ...], *, has: bool) -> None:
    """Raise, before anything is written, for a note that could not be."""
    with writing_vault():
        for edit in edits:
            check_replaceable(settings.vault, edit.path, before=edit.after if has else edit.before)


def _standing(settings: Settings, edit: NoteEdit) -> NoteEdit:
    """The edit as it leads to the note of now. Raises InputError where that is not sure."""
    try:
        raw = read_bytes(settings.vault, edit.path, max_bytes=settings.max_note_bytes)
    except FileNotFoundError as error:
        raise InputError(f"{error} The link stays as it is in the other one.") from None
    if sha256(raw) == edit.after:
        return edit
    moved = relocated(edit, raw)
    if moved is None:
        raise InputError(
            f"{edit.path!r} was changed since, and the link no longer stands there as it was "
            "written, so it stays as it is on both sides: take it out by hand."
        )
    return moved
