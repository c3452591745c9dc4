"""A list of what is done to the vault, kept first, so what a killed process left can be ended.

All of it blocks.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from graphs.stores.exclusive import exclusive
from graphs.stores.ownership import require_writable
from tools.base.errors import BrainError, InputError
from tools.runtime.server_process import locked
from tools.settings.settings import Settings
from tools.vault.disk.files import is_there

_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultJournal[Opened, Step]:
    """Opens a journal, to read it or to change the vault, and first ends what was left in it.

    ``path`` says where it is, ``unfinished`` which steps were begun and not ended, ``busy`` what is
    said while somebody else changes it. ``end`` brings a step to its end and says in a line what
    became of it, or raises OSError or InputError where that cannot be just now; ``name`` says of a
    step what it left.
    """

    path: Callable[[Settings], Path]
    opened: Callable[[Path], AbstractContextManager[Opened]]
    unfinished: Callable[[Opened], Sequence[Step]]
    busy: str
    end: Callable[[Settings, Opened, Step], str]
    name: Callable[[Settings, Step], str]

    @contextmanager
    def changing(self, settings: Settings) -> Generator[Opened]:
        """The journal, while nobody else changes it or the files that it tells of.

        Raises BusyError and StorageError.
        """
        with self._alone(settings) as journal:
            self._end_unfinished(settings, journal)
            yield journal

    @contextmanager
    def reading(self, settings: Settings) -> Generator[Opened | None]:
        """The journal; None where nothing was ever kept in it. Raises StorageError."""
        if not self.path(settings).exists():
            yield None
            return
        with self.opened(self.path(settings)) as journal:
            if not settings.read_only and self.unfinished(journal):
                with suppress(OSError), locked(self._lock(settings)) as lock:
                    if lock is not None:  # else somebody is still at it
                        self._end_unfinished(settings, journal)
            yield journal

    def left_unfinished(self, settings: Settings) -> list[str]:
        """What killed processes were not done with; nothing is changed."""
        path = self.path(settings)
        with suppress(OSError, BrainError):
            if not path.exists():
                return []
            with self.opened(path) as journal, locked(self._lock(settings)) as lock:
                left = self.unfinished(journal) if lock is not None else ()
                return [self.name(settings, step) for step in left]
        return []

    def recover(self, settings: Settings) -> list[str]:
        """End what killed processes left; say what was done. Raises BusyError and StorageError."""
        if not self.left_unfinished(settings):
            return []
        with self._alone(settings) as journal:
            return self._end_unfinished(settings, journal)

    @contextmanager
    def _alone(self, settings: Settings) -> Generator[Opened]:
        require_writable(settings)
        with (
            exclusive(self._lock(settings), patience=_PATIENCE_SECONDS, busy=self.busy),
            self.opened(self.path(settings)) as journal,
        ):
            yield journal

    def _end_unfinished(self, settings: Settings, journal: Opened) -> list[str]:
        if not is_there(settings.vault):  # a disk that comes back has the notes
            return []
        done: list[str] = []
        for step in self.unfinished(journal):
            # The vault cannot be written just now: for whoever comes when it can.
            with suppress(OSError, InputError):
                done.append(self.end(settings, journal, step))
        return done

    def _lock(self, settings: Settings) -> Path:
        return self.path(settings).with_suffix(".lock")
