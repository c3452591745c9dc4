"""Whether anything in a vault changed since it was last looked at, told by the operating system."""

import os
import re
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil
from watchfiles import watch

from tools.base.errors import StorageError
from tools.vault.disk.files import is_note_path
from tools.vault.watch.fence import Fence

_TELLING = frozenset(
    {
        *("apfs", "bcachefs", "btrfs", "ecryptfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs"),
        *("jfs", "ntfs3", "overlay", "ramfs", "reiserfs", "tmpfs", "ufs", "vfat", "xfs", "zfs"),
    }
)
"""File systems that only this machine writes to, so that it hears of every change."""

_GATHERED_MS = 1000
_PATIENCE_SECONDS = 0.03
"""How long a question waits to hear of its own mark; looking at all files takes as long."""
_DISTRUST_SECONDS = 300.0
_MISSED_FENCES = 3


_LIMIT = r"limit|No space left|Too many open files|os error (?:24|28)\b"


class WatchError(Exception):
    """The operating system does not tell, or tells no more; the message says why."""


class Stop(Protocol):
    """An event that ends a wait."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What was heard of.

    ``notes`` are the vault-relative paths of notes that came, changed or went; ``folders``: some
    of those that may hold notes did, so that the watch is over others; ``beside``: what is not in
    the vault.
    """

    notes: frozenset[str] = frozenset()
    folders: bool = False
    beside: bool = False

    def __bool__(self) -> bool:
        return bool(self.notes) or self.folders or self.beside

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            notes=self.notes | other.notes,
            folders=self.folders or other.folders,
            beside=self.beside or other.beside,
        )


NOTHING = Changes()


def supports_watching(root: Path) -> bool:
    """Whether the file systems that hold the vault tell of all changes: only local ones do."""
    real = os.path.realpath(root)
    try:
        mounts = {part.mountpoint: part.fstype for part in psutil.disk_partitions(all=True)}
    except (OSError, psutil.Error):
        return False
    holding = max((at for at in mounts if _within(real, at)), key=len, default=None)
    within = [at for at in mounts if _within(at, real)]
    return holding is not None and all(mounts[at].lower() in _TELLING for at in (holding, *within))


class FolderWatch:
    """A watch over folders of a vault, each by itself: hidden ones make no noise in it.

    ``folders`` are vault-relative, as a scan lists them. A folder that comes is told of, but not
    watched. ``beside`` are paths outside of the notes whose changes count as those of notes.
    """

    def __init__(
        self,
        root: Path,
        folders: Iterable[str],
        *,
        fences: Path,
        beside: Sequence[Path] = (),
        step_ms: int = 1,
    ) -> None:
        """Start it, listening every ``step_ms`` while somebody waits. Raises WatchError.

        ``fences`` is the folder for its fence.
        """
        if not supports_watching(root):
            raise WatchError("the file system does not tell of changes")
        self.folders = frozenset(folders)
        self._place = root
        self._identity = _identity(root)
        self._root = os.path.realpath(root)
        self._beside = frozenset(map(str, beside))
        self._listening = threading.Lock()
        try:
            self._fence = Fence(fences)
        except (OSError, StorageError) as error:
            raise WatchError("there is no place for a file of the watch's own") from error
        watched = [f"{self._root}/{folder}" if folder else self._root for folder in self.folders]
        outside = {os.path.dirname(path) for path in self._beside}  # noqa: PTH120
        # Elsewhere than on Linux one watch over all is cheaper, and follows no link.
        recursive = sys.platform != "linux"
        places = [self._root] if recursive else watched
        self._batches = watch(
            *(*places, *sorted(outside), os.path.realpath(fences)),
            watch_filter=None,
            step=step_ms,
            rust_timeout=step_ms,
            debounce=_GATHERED_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            debug=False,
            force_polling=False,
            recursive=recursive,
            ignore_permission_denied=False,
        )
        try:
            self._listen()
        except WatchError:
            self.close()
            raise

    def close(self) -> None:
        with self._listening:
            self._batches.close()
        self._fence.close()

    def wait(self, *, seconds: float, quiet: float, at_most: float, stop: Stop) -> Changes:
        """Wait for changes up to ``seconds``, then until none come for ``quiet``, or ``at_most``.

        Raises WatchError.
        """
        found, began, last = NOTHING, time.monotonic(), time.monotonic()
        first: float | None = None
        while not stop.is_set():
            heard = self._heard(self._listen())
            now = time.monotonic()
            if heard:
                found, last, first = found | heard, now, first or now
            if first is None and now - began >= seconds:
                break
            if first is not None and (now - last >= quiet or now - first >= at_most):
                break
        return found

    def so_far(self, *, patience: float) -> Changes | None:
        """All that changed up to now; None if it is not heard in ``patience`` seconds.

        Raises WatchError.
        """
        try:
            self._fence.touch()
        except OSError as error:
            raise WatchError(_reason(error)) from error
        heard: set[str] = set()
        until = time.monotonic() + patience
        while self._fence.path not in heard:
            if time.monotonic() > until:
                return None if not (found := self._heard(heard)) else found
            heard |= self._listen()
        return self._heard(heard)

    def _listen(self) -> set[str]:
        """The paths that something happened to. Raises WatchError."""
        if _identity(self._place) != self._identity:
            raise WatchError("the vault's folder is gone or is another one")
        try:
            with self._listening:
                return {path for _, path in next(self._batches)}
        except StopIteration:
            raise WatchError("the watch was interrupted") from None
        except (OSError, RuntimeError) as error:
            raise WatchError(_reason(error)) from error

    def _heard(self, paths: Set[str]) -> Changes:
        notes, folders, beside = set[str](), False, False
        for path in paths - {self._fence.path}:
            if path in self._beside:
                beside = True
            elif _within(path, self._root):
                inside = path[len(self._root) :].strip("/")
                if inside in self.folders or _is_folder(path, inside):
                    folders = True
                elif is_note_path(inside):
                    notes.add(inside)
        return Changes(notes=frozenset(notes), folders=folders, beside=beside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Whether notes may have changed, and up to when (an order, no time) that was looked at."""

    changed: bool
    upto: int


class VaultWatch:
    """Whether the notes may have changed since somebody looked at all of them.

    In doubt they may have: before it is armed, after a failure, where nothing can be heard. Safe to
    use from many threads.
    """

    def __init__(
        self,
        root: Path,
        *,
        fences: Path,
        clock: Callable[[], float] = time.monotonic,
        patience: float = _PATIENCE_SECONDS,
    ) -> None:
        """Nothing is watched yet. ``fences`` is the folder for the watch's fence."""
        self._fences = fences
        self._patience = patience
        self._root = root
        self._clock = clock
        self._lock = threading.Lock()
        self._watch: FolderWatch | None = None
        self._seen = 1
        self._settled = 0
        self._missed = 0
        self._idle_until = 0.0

    @property
    def armed(self) -> bool:
        return self._watch is not None

    @property
    def worth_arming(self) -> bool:
        """Whether it is not armed, and has not failed a short while ago."""
        return self._watch is None and self._clock() >= self._idle_until

    def look(self) -> Look:
        """Hear what happened up to now."""
        with self._lock:
            if self._hears_of_changes():
                self._seen += 1
            return Look(changed=self._seen > self._settled, upto=self._seen)

    def settle(self, look: Look, folders: Sequence[str]) -> None:
        """Say that since ``look`` all notes were looked at, and which folders they are in."""
        with self._lock:
            if self._watch is None:
                return
            if self._watch.folders != frozenset(folders):
                self._disarm()
            else:
                self._settled = max(self._settled, look.upto)

    def arm(self, folders: Sequence[str]) -> bool:
        """Watch these folders from now on; what changed before may have changed still."""
        try:
            watch = FolderWatch(self._root, folders, fences=self._fences)
        except WatchError:
            self.distrust()
            return False
        with self._lock:
            self._disarm()
            self._watch = watch
        return True

    def distrust(self) -> None:
        """Have it not told of something: for a while nothing is believed."""
        with self._lock:
            self._disarm()
            self._idle_until = self._clock() + _DISTRUST_SECONDS

    def close(self) -> None:
        with self._lock:
            self._disarm()

    def _hears_of_changes(self) -> bool:
        if self._watch is None:
            return True
        try:
            changes = self._watch.so_far(patience=self._patience)
        except WatchError:
            self._disarm()
            return True
        if changes is None:
            self._missed += 1
            if self._missed >= _MISSED_FENCES:
                self._disarm()
                self._idle_until = self._clock() + _DISTRUST_SECONDS
            return True
        self._missed = 0
        if changes.folders:
            self._disarm()
        return bool(changes)

    def _disarm(self) -> None:
        if self._watch is not None:
            self._watch.close()
        self._watch = None
        self._missed = 0
        self._seen += 1


def _is_folder(path: str, inside: str) -> bool:
    """Whether there is a folder that may hold notes."""
    if any(part.startswith(".") or part == "node_modules" for part in inside.split("/")):
        return False
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _reason(error: Exception) -> str:
    """What went wrong, without paths."""
    if isinstance(error, FileNotFoundError):
        return "a folder is gone"
    if re.search(_LIMIT, str(error)):
        return "the system's limit of watched folders is reached"
    return "the system does not let the folders be watched"
