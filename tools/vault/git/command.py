"""Runs git in a vault so that its configuration can make it run, fetch or write nothing else."""

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

FAILURES = (OSError, subprocess.SubprocessError, ValueError)
"""What can come of running git and reading what it prints."""

OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""An object's whole id, in either format."""

_NO_REPOSITORY = b"not a git repository (or any"
_REFUSED = (b"dubious ownership", b"unsafe repository")
_BARE = ("HEAD", "objects", "refs")
_GIT = ("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
# The protocols have to be switched off here: a repository's own ``protocol.ext.allow``
# is stronger than ``-c protocol.allow=never``.
_SAFE = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_PARTIAL = r"^(extensions\.partialclone|remote\..*\.promisor)$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """Git in the folder ``root``, with time until a moment of the monotonic clock."""

    root: Path
    until: float

    @property
    def seconds(self) -> float:
        """The time that is left."""
        return max(0.0, self.until - time.monotonic())

    def output(self, *arguments: str) -> bytes:
        """All that a command prints; raises OSError or SubprocessError.

        A CalledProcessError has what git complained of.
        """
        with self.running(*arguments, stderr=subprocess.PIPE) as process:
            printed, complaint = process.communicate(timeout=self.seconds)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, arguments, stderr=complaint)
        return printed

    def succeeds(self, *arguments: str) -> bool:
        """Whether a command ends well; raises OSError, or SubprocessError if it takes too long."""
        with self.running(*arguments) as process:
            process.communicate(timeout=self.seconds)
        return process.returncode == 0

    def is_partial(self) -> bool:
        """Whether the repository may lack objects that a server has."""
        return self.succeeds("config", "--get-regexp", _PARTIAL)

    @contextlib.contextmanager
    def running(
        self,
        *arguments: str,
        stdin: IO[bytes] | int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
    ) -> Generator[subprocess.Popen[bytes]]:
        """A command while it is used; afterwards it is ended. Raises OSError or ValueError."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        with subprocess.Popen(
            [*_GIT, *arguments],
            cwd=self.root,
            env=kept | _SAFE,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            process_group=0,
        ) as process:
            try:
                yield process
            finally:
                end(process)
                if process.stdin is not None:
                    with contextlib.suppress(OSError):
                        process.stdin.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, and what it started: ``git`` may be a script."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def check(process: subprocess.Popen[bytes]) -> None:
    """Wait for a command that is through; raises SubprocessError if it failed."""
    if process.wait() != 0:
        raise subprocess.SubprocessError("git failed")


def stream(end: IO[bytes] | None) -> IO[bytes]:
    """One end of a pipe that was asked for."""
    if end is None:
        raise ValueError("There is no pipe.")
    return end


@contextlib.contextmanager
def ended_after(seconds: float, processes: Iterable[subprocess.Popen[bytes]]) -> Generator[None]:
    """Ends the processes when their time is over, so that reading from them ends too.

    What fails for that raises TimeoutExpired.
    """
    over = threading.Event()

    def end_all() -> None:
        over.set()
        for process in processes:
            end(process)

    timer = threading.Timer(seconds, end_all)
    timer.daemon = True
    timer.start()
    try:
        yield
    except FAILURES as error:
        if over.is_set():
            raise subprocess.TimeoutExpired("git", seconds) from error
        raise
    finally:
        timer.cancel()


def is_outside_repository(root: Path, error: Exception) -> bool:
    """Whether git failed because there is no repository; where it said nothing, by the files."""
    if _NO_REPOSITORY in _complaint(error):
        return True
    real = Path(os.path.realpath(root))
    return not any(
        os.path.lexists(folder / ".git") or all(os.path.lexists(folder / part) for part in _BARE)
        for folder in (real, *real.parents)
    )


def reason(error: Exception, seconds: float) -> str:
    """Why git failed that had so much time, and what to do, in the middle of a sentence."""
    if any(word in _complaint(error) for word in _REFUSED):
        return (
            "git refuses a repository of another user; to trust it, run "
            "`git config --global --add safe.directory` with its folder"
        )
    if isinstance(error, FileNotFoundError | PermissionError):
        return f"git cannot be run ({error.strerror or 'unknown error'}); install it"
    if isinstance(error, subprocess.TimeoutExpired):
        return f"git took more than {seconds:g} s; `git gc` may make it faster"
    return "git failed; `git fsck` may tell why"


def _complaint(error: Exception) -> bytes:
    failed = isinstance(error, subprocess.CalledProcessError)
    return (error.stderr or b"") if failed else b""
