"""Whether the vault is being looked through for contradictions, and how far that is."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.base.errors import BusyError
from tools.runtime.server_process import locked
from tools.settings.settings import Settings
from tools.text.voice import way
from tools.vault.storage.contradictions import ContradictionStore, Dismissals

_PATIENCE = 2.0
"""Seconds: who looks whether the lock is held holds it for a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanState:
    """Notes read, those of them not compared yet, sure pairs found that are not dismissed.

    Pairs are found when all is compared, and not before.

    ``under_way`` says whether any process goes on with it now.
    """

    notes: int
    pending: int
    found: int
    under_way: bool


@contextmanager
def only_scan(settings: Settings) -> Generator[None]:
    """Hold the lock of the one scan a data directory may have; it may wait a moment.

    Raises BusyError while another holds it.
    """
    with locked(_lock(settings), patience=_PATIENCE) as lock:
        if lock is None:
            command = way("`brain status`", tool="`contradictions` without `compare`")
            raise BusyError(f"The notes are being compared already: {command} tells how far it is.")
        yield


def is_scanning(settings: Settings) -> bool:
    """Whether any process looks through the vault."""
    if not _lock(settings).exists():
        return False
    try:
        with locked(_lock(settings)) as lock:
            return lock is None
    except OSError:  # a data directory that cannot be written: nobody scans there
        return False


def scan_state(settings: Settings) -> ScanState | None:
    """How far the vault is looked through; None where nothing of it is.

    Raises StorageError and StoreVersionError.
    """
    if not settings.contradictions_path.exists():
        return None
    under_way = is_scanning(settings)
    dismissed = Dismissals(settings.dismissals_path).keys()
    with closing(ContradictionStore(settings.contradictions_path)) as store:
        notes = len(store.hashes())
        if not notes and not under_way:
            return None
        return ScanState(
            notes=notes,
            pending=len(store.pending()),
            found=len(store.sure_keys() - dismissed),
            under_way=under_way,
        )


def _lock(settings: Settings) -> Path:
    return settings.contradictions_path.with_suffix(".lock")
