"""A file that a watch writes to and hears of: what happened before that is told of before it.

Each watch has one, locked for its life, in a folder that all watches of a vault share. A process
that was killed leaves its file behind; the next watch to begin removes it.
"""

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.base.errors import StorageError
from tools.runtime.server_process import locked, private_run_dir

_LOCK = "lock"
_PATIENCE_SECONDS = 5.0


class Fence:
    """One watch's file; the system tells of it by its ``path``."""

    def __init__(self, folder: Path) -> None:
        """Make it, and remove those that killed processes left. Raises StorageError and OSError.

        ``folder`` lies in the run directory; both are made where they are not there.
        """
        private_run_dir(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        with _undisturbed(folder):
            _sweep(folder)
            self._descriptor, self.path = tempfile.mkstemp(
                dir=os.path.realpath(folder), prefix="watch-"
            )
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def touch(self) -> None:
        """Have the system tell of it. Raises OSError where the file is gone."""
        os.utime(self.path)

    def close(self) -> None:
        with suppress(OSError):
            Path(self.path).unlink(missing_ok=True)
        os.close(self._descriptor)


def left_behind(folder: Path) -> list[Path]:
    """The files of processes that are gone; none where that cannot be found out."""
    with suppress(OSError, StorageError), _undisturbed(folder):
        return _abandoned(folder)
    return []


def remove_left_behind(folder: Path) -> None:
    """Remove the files of processes that are gone. Raises StorageError and OSError."""
    with _undisturbed(folder):
        _sweep(folder)


def _sweep(folder: Path) -> None:
    for file in _abandoned(folder):
        file.unlink(missing_ok=True)


def _abandoned(folder: Path) -> list[Path]:
    return [file for file in folder.glob("watch-*") if _is_abandoned(file)]


def _is_abandoned(file: Path) -> bool:
    with locked(file) as held:
        return held is not None


@contextmanager
def _undisturbed(folder: Path) -> Generator[None]:
    """Nobody takes a file that is just being made for one that was left behind."""
    with locked(folder / _LOCK, patience=_PATIENCE_SECONDS) as held:
        if held is None:
            raise StorageError("The folder of the watches' files is in use: try again.")
        yield
