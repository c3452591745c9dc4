"""The list of added notes, to read or to change.

What a killed process left is ended by the next that opens it: the note is listed, or nothing of it
is left.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphs.stores.vault_journal import VaultJournal
from tools.base.errors import BrainError, InputError
from tools.settings.settings import Settings
from tools.vault.disk.new_notes import end_removal, end_writing
from tools.vault.storage.added_notes import AddedNotes, Unfinished


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


def _end(settings: Settings, added: AddedNotes, step: Unfinished) -> str:
    is_done = _is_done(settings, step)
    added.end(step, is_done=is_done)
    return f"{step.note.path}: {_OUTCOMES[step.step, is_done]}"


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


def _name(settings: Settings, step: Unfinished) -> str:
    draft = Path(step.note.path).with_name(step.draft)
    there = os.path.lexists(settings.vault / draft)
    return f"{draft} of the note {step.note.path}" if there else f"half the note {step.note.path}"


_JOURNAL = VaultJournal(
    path=lambda settings: settings.added_notes_path,
    opened=AddedNotes,
    unfinished=AddedNotes.unfinished,
    busy="Another program adds a note just now: try again.",
    end=_end,
    name=_name,
)
changing, reading = _JOURNAL.changing, _JOURNAL.reading
left_unfinished, recover = _JOURNAL.left_unfinished, _JOURNAL.recover
