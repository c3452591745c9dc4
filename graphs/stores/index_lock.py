"""The lock of the one indexing run that a data directory may have."""

import fcntl
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tools.base.errors import BusyError, StorageError
from tools.settings.settings import Settings

if TYPE_CHECKING:
    from tools.vault.catalog.catalog import Catalog

INDEX_PATIENCE = 2.0
"""Seconds an indexing run waits for questions that bring a few notes up to date."""


_POLL_SECONDS = 0.02


@contextmanager
def only_indexer(data_dir: Path, *, patience: float = 0.0) -> Generator[None]:
    """Hold the indexing lock, waiting ``patience`` seconds for it; it ends with its process.

    Raises BusyError while another process holds it, StorageError where there is no place for it.
    """
    try:
        lock = (data_dir / "index.lock").open("w")
    except OSError as error:
        raise StorageError(
            f"The data directory cannot be written ({error.strerror}): free some space or check "
            "its permissions; what is indexed is kept."
        ) from error
    deadline = time.monotonic() + patience
    with lock:
        while not _taken(lock):
            if time.monotonic() > deadline:
                raise BusyError(
                    "This vault is being indexed by another process: wait for it; questions work "
                    "meanwhile."
                )
            time.sleep(_POLL_SECONDS)
        yield


def is_interrupted(settings: Settings, catalog: "Catalog") -> bool:
    """Whether an indexing run ended before its work did, and none is under way."""
    return catalog.soundness.interrupted() and not is_indexing(settings)


def is_indexing(settings: Settings) -> bool:
    """Whether an indexing run is under way in another process."""
    path = settings.data_dir / "index.lock"
    if not path.exists():
        return False
    with path.open("r") as lock:
        return not _taken(lock)


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
