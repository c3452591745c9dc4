"""The journal of links, to read or to change.

What is done to the vault is kept in it first, so what a killed process left is ended by the next
that opens it: each link is in both its notes or in neither. All of it blocks.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphs.links.settle import settle
from graphs.stores.exclusive import exclusive
from graphs.stores.ownership import require_writable
from tools.base.errors import BrainError, InputError
from tools.runtime.server_process import locked
from tools.settings.settings import Settings
from tools.vault.disk.files import is_there
from tools.vault.storage.link_journal import LinkJournal, LinkWrite

_PATIENCE_SECONDS = 5.0


@contextmanager
def changing(settings: Settings) -> Generator[LinkJournal]:
    """The journal, while nobody else changes it or puts links into the vault.

    Raises BusyError and StorageError.
    """
    with _alone(settings) as journal:
        _end_unfinished(settings, journal)
        yield journal


@contextmanager
def reading(settings: Settings) -> Generator[LinkJournal | None]:
    """The journal; None where no link was ever put into a note. Raises StorageError."""
    if not settings.link_journal_path.exists():
        yield None
        return
    with LinkJournal(settings.link_journal_path) as journal:
        if not settings.read_only and journal.unfinished():
            with suppress(OSError), locked(_lock(settings)) as lock:
                if lock is not None:  # else somebody is still at it
                    _end_unfinished(settings, journal)
        yield journal


def left_unfinished(settings: Settings) -> list[str]:
    """Links with which killed processes were not done; nothing is changed."""
    with suppress(OSError, BrainError):
        if not settings.link_journal_path.exists():
            return []
        with LinkJournal(settings.link_journal_path) as journal, locked(_lock(settings)) as lock:
            left = [] if lock is None else journal.unfinished()
            return [f"half the link in {write.notes}" for write in left]
    return []


def recover(settings: Settings) -> list[str]:
    """End what killed processes left; say what was done. Raises BusyError and StorageError."""
    if not left_unfinished(settings):
        return []
    with _alone(settings) as journal:
        return _end_unfinished(settings, journal)


@contextmanager
def _alone(settings: Settings) -> Generator[LinkJournal]:
    require_writable(settings)
    busy = "Another program puts links into the vault just now: try again."
    with (
        exclusive(_lock(settings), patience=_PATIENCE_SECONDS, busy=busy),
        LinkJournal(settings.link_journal_path) as journal,
    ):
        yield journal


def _end_unfinished(settings: Settings, journal: LinkJournal) -> list[str]:
    if not is_there(settings.vault):  # a disk that comes back has the notes
        return []
    done: list[str] = []
    for write in journal.unfinished():
        # A note cannot be written just now: for whoever comes when it can.
        with suppress(OSError, InputError):
            ended = settle(settings, journal, write, may_finish=True)
            done.append(f"{write.notes}: {_outcome(write, ended)}")
    return done


def _outcome(write: LinkWrite, ended: LinkWrite | None) -> str:
    has = ended is not None and ended.state == "applied"
    doing = "put the link in" if write.state == "begun" else "took the link out"
    now = "it is there now" if has else "it is not there"
    return f"the process that {doing} was killed; {now}{' on both sides' * (len(write.edits) > 1)}."


def _lock(settings: Settings) -> Path:
    return settings.link_journal_path.with_suffix(".lock")
