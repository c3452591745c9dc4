"""A local server's side of its life: its place, its locks, its owner, its end.

A server holds an exclusive lock on ``<run dir>/<name>.lock`` for life, listens on ``<name>.sock``
and writes ``<name>.pid``. Only the standard library is imported, because one of the servers does
little else than wait.
"""

import argparse
import errno
import fcntl
import os
import select
import shutil
import stat
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.base.errors import BrainError, InputError, StorageError
from tools.base.read_only import copy_store

if TYPE_CHECKING:
    import psutil

_RETRY_SECONDS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """What every server is told: where it lives, and when it ends itself.

    ``copy_of`` is a data directory that may only be read: ``data_dir`` is for copies of its stores.
    """

    data_dir: Path
    copy_of: Path | None
    run_dir: Path
    idle_minutes: float
    owner: int | None


def server_arguments(module: str) -> argparse.ArgumentParser:
    """The command line of ``ServerOptions``, to which a server may add its own."""
    parser = argparse.ArgumentParser(prog=module)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--copy-of", type=Path)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--idle-minutes", type=float, required=True)
    parser.add_argument("--owner", type=int)
    return parser


def run_server(name: str, serve: Callable[[], int], *, data_dir: Path) -> int:
    """Run a server to its end and return its exit code.

    Where it fails the reason is logged; the code is 2 for what was given to it, 1 for the rest.
    """
    from tools.runtime.event_log import server_log
    from tools.runtime.garbage import collect_little
    from tools.runtime.process_name import name_process

    collect_little(for_good=True)
    os.umask(0o077)
    name_process(name)
    events = server_log(data_dir)
    events.info("server started")
    try:
        code = serve()
    except BrainError as error:
        log(name, str(error))
        events.warning("server failed", error=type(error).__name__)
        return 2 if isinstance(error, InputError) else 1
    except OSError as error:
        log(name, f"the data directory cannot be used ({error.strerror})")
        events.warning("server failed", error=type(error).__name__)
    else:
        events.info("server ended", code=code)
        return code
    return 1


def log(name: str, message: str) -> None:
    """Write one line; whoever waits for the server shows the last one to the user."""
    sys.stderr.write(f"{name}: {message}\n")
    sys.stderr.flush()


# --- folders -------------------------------------------------------------------------------


def private_dir(folder: Path, *, holding: str) -> None:
    """Make a folder that only this user can enter, or check that it is one.

    Raises StorageError, which says what the folder is for, for a link or another user's folder.
    """
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
        if ours and stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except OSError as error:
        raise StorageError(
            f"The folder for {holding} cannot be made ({error.strerror}): check "
            "the data directory's permissions and free space."
        ) from error
    if not ours:
        raise StorageError(
            f"The folder for {holding} is a link or belongs to another user: "
            "use a data directory of your own."
        )


def private_run_dir(folder: Path) -> None:
    """Like ``private_dir``, and nobody else could put another server's socket in its place."""
    private_dir(folder, holding="the local servers' sockets")
    parent = folder.parent.lstat()
    if not (
        stat.S_ISDIR(parent.st_mode)
        and parent.st_uid in {0, os.getuid()}
        # A private group is common, so only a folder that everybody may change is refused.
        and (not parent.st_mode & stat.S_IWOTH or parent.st_mode & stat.S_ISVTX)
    ):
        raise StorageError(
            "The folder for the local servers' sockets lies where others can write, or behind a "
            "link: use a data directory of your own."
        )


# --- locks ---------------------------------------------------------------------------------


@contextmanager
def locked(path: Path, *, patience: float = 0.0) -> Generator[int | None]:
    """Hold the lock until the block ends.

    Yields the file's descriptor, which a child may inherit, or None if another process still has
    the lock after ``patience`` seconds.
    """
    deadline = time.monotonic() + patience
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        while not (taken := _lock(descriptor)) and time.monotonic() < deadline:
            time.sleep(_RETRY_SECONDS)
        yield descriptor if taken else None
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def announced(socket: Path) -> Generator[Callable[[], bool]]:
    """Write the pid file beside ``socket``; remove both at the end, and a killed server's first.

    Yields a test whether clients still find this server there: once the socket is made, neither
    file may be gone or another server's, as they are when somebody removed the folder.
    """
    pid, mine = socket.with_suffix(".pid"), str(os.getpid())
    socket.unlink(missing_ok=True)
    pid.write_text(mine, "ascii")
    try:
        yield lambda: socket.exists() and _says(pid, mine)
    finally:
        if _text(pid) in {mine, ""}:
            socket.unlink(missing_ok=True)
            pid.unlink(missing_ok=True)


def _says(file: Path, mine: str) -> bool:
    try:
        return file.read_text("ascii") == mine
    except ValueError:
        return False
    except OSError as error:
        # Who has as many files open as it may cannot look, which says nothing about the file.
        return error.errno in {errno.EMFILE, errno.ENFILE}


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii")
    except (OSError, ValueError):
        return ""


# --- stores --------------------------------------------------------------------------------

FILLED = "filled"
"""How the marks in a store's folder begin that say it has all that it was given."""


@contextmanager
def store_of(options: ServerOptions, name: str) -> Generator[Path]:
    """The folder of a store; for the time of the block, where the store itself may only be read.

    Raises OSError where it cannot be copied.
    """
    store = options.data_dir / name
    if options.copy_of is None:
        yield store
        return
    try:
        copy_store(options.copy_of / name, store)
        yield store
    finally:
        shutil.rmtree(store, ignore_errors=True)


def in_use(store: Path) -> Path:
    """Mark a store as served; whoever ends serving it in good order removes the mark.

    A machine that loses its power may take a second's writes along that were acknowledged. So a
    mark that is still there takes those with it that say the store is filled, and the next indexing
    run holds it against the rest.
    """
    mark = store / "in-use"
    if mark.exists():
        for filled in store.glob(f"{FILLED}*"):
            filled.unlink(missing_ok=True)
    store.mkdir(mode=0o700, exist_ok=True)
    mark.touch(mode=0o600)
    return mark


# --- the owner -----------------------------------------------------------------------------


class Owner:
    """The process without which a server has no purpose; without a number nothing is missed.

    ``descriptor`` becomes readable when it ends, where the system has such a thing; ``patience`` is
    how many seconds may pass until somebody looks again.
    """

    def __init__(self, pid: int | None) -> None:
        self._pid = pid
        self.descriptor: int | None = None
        self.patience = 3600.0
        self._process: psutil.Process | None = None
        if pid is not None:
            self.descriptor = _descriptor(pid)
            if self.descriptor is None:
                self._process, self.patience = _process(pid), 1.0

    def gone(self) -> bool:
        if self._pid is None:
            return False
        if self.descriptor is not None:
            return bool(select.select([self.descriptor], [], [], 0)[0])
        return self._process is None or not _is_alive(self._process)


def _descriptor(pid: int) -> int | None:
    """Tells a process from a later one with the same number, and from its own remains."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def _process(pid: int) -> "psutil.Process | None":
    import psutil

    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def _is_alive(process: "psutil.Process") -> bool:
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
