"""The list of added notes, to read or to change.

What is done to the vault is kept in it first, so what a killed process left is ended by the next
that opens it: the note is listed, or nothing of it is left. All of it blocks.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphs.stores.exclusive import exclusive
from graphs.stores.ownership import require_writable
from tools.base.errors import BrainError, InputError
from tools.runtime.server_process import locked
from tools.settings.settings import Settings
from tools.vault.disk.files import is_there
from tools.vault.disk.new_notes import end_removal, end_writing
from tools.vault.storage.added_notes import AddedNotes, Unfinished

_PATIENCE_SECONDS = 5.0


@contextmanager
def changing(settings: Settings) -> Generator[AddedNotes]:
    """The list, while nobody else changes it or the files that it tells of.

    Raises BusyError and StorageError.
    """
    with _alone(settings) as added:
        _end_unfinished(settings, added)
        yield added


@contextmanager
def reading(settings: Settings) -> Generator[AddedNotes | None]:
    """The list; None where nothing was ever added. Raises StorageError."""
    if not settings.added_notes_path.exists():
        yield None
        return
    with AddedNotes(settings.added_notes_path) as added:
        if not settings.read_only and added.unfinished():
            with suppress(OSError), locked(_lock(settings)) as lock:
                if lock is not None:  # else somebody is still at it
                    _end_unfinished(settings, added)
        yield added


@contextmanager
def doing(settings: Settings, added: AddedNotes, step: Unfinished) -> Generator[None]:
    """Do a step of the vault, which the block ends; where it fails, the list says what is so."""
    added.begin(step)
    try:
        yield
    except BaseException:
        with suppress(OSError, BrainError):  # or the next that opens the list does it
            added.end(step, is_done=_is_done(settings, step))
        raise


def left_unfinished(settings: Settings) -> list[str]:
    """Notes with which killed processes were not done, and their drafts; nothing is changed."""
    with suppress(OSError, BrainError):
        if not settings.added_notes_path.exists():
            return []
        with AddedNotes(settings.added_notes_path) as added, locked(_lock(settings)) as lock:
            return [] if lock is None else [_shown(settings, one) for one in added.unfinished()]
    return []


def end_left_unfinished(settings: Settings) -> list[str]:
    """End what killed processes left; say what was done. Raises BusyError and StorageError."""
    if not left_unfinished(settings):
        return []
    with _alone(settings) as added:
        return _end_unfinished(settings, added)


@contextmanager
def _alone(settings: Settings) -> Generator[AddedNotes]:
    require_writable(settings)
    busy = "Another program adds a note just now: try again."
    with (
        exclusive(_lock(settings), patience=_PATIENCE_SECONDS, busy=busy),
        AddedNotes(settings.added_notes_path) as added,
    ):
        yield added


def _end_unfinished(settings: Settings, added: AddedNotes) -> list[str]:
    if not is_there(settings.vault):  # a disk that comes back has the notes
        return []
    done: list[str] = []
    for step in added.unfinished():
        with suppress(OSError):  # the vault cannot be written: for whoever comes when it can
            is_done = _is_done(settings, step)
            added.end(step, is_done=is_done)
            done.append(f"{step.note.path}: {_OUTCOMES[step.step, is_done]}")
    return done


def _is_done(settings: Settings, step: Unfinished) -> bool:
    ended = end_writing if step.step == "write" else end_removal
    try:
        return ended(settings.vault, step.note.written, draft=step.draft)
    except InputError:  # a link or a file is where its folder was
        return False


_OUTCOMES = {
    ("write", True): "the process that added it was killed; it is in the vault and on the list.",
    ("write", False): "the process that added it was killed; nothing of it is left.",
    ("remove", True): "the process that took it back was killed; it is gone now.",
    ("remove", False): "the process that took it back was killed; it is in the vault.",
}


def _shown(settings: Settings, step: Unfinished) -> str:
    draft = Path(step.note.path).with_name(step.draft)
    there = os.path.lexists(settings.vault / draft)
    return f"{draft} of the note {step.note.path}" if there else f"half the note {step.note.path}"


def _lock(settings: Settings) -> Path:
    return settings.added_notes_path.with_suffix(".lock")
