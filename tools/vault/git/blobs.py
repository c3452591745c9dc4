"""Contents that a vault's git repository has, by their ids."""

import contextlib
import io
import os
import select
import subprocess
import time
from collections.abc import Buffer, Generator, Iterable, Iterator, Sequence
from itertools import batched
from pathlib import Path
from typing import override

from tools.base.errors import SourceError
from tools.vault.git.command import FAILURES, OBJECT, Git, is_outside_repository, reason, stream

SECONDS = 60.0
"""So long git may take for a single content."""

_PIECE = 1 << 16
# So few that their ids fit in any pipe: neither side ever waits for the other to read.
_ASKED_AT_ONCE = 64


def read_blobs(
    root: Path, blobs: Iterable[str], *, max_bytes: int, seconds: float = SECONDS
) -> Generator[tuple[str, bytes | None]]:
    """Each id with its content, in order, one in memory at a time and none that is too big.

    None where git has no such content, a damaged one or one that is too big. Raises SourceError,
    after what was read, if git cannot be run, ends or is silent for longer than ``seconds``.
    """
    git = Git(root=root, until=time.monotonic() + seconds)
    try:
        with contextlib.ExitStack() as running:
            reader = None
            for names in batched(blobs, _ASKED_AT_ONCE):
                reader = reader or _Reader(git, running, max_bytes, seconds)
                contents = reader.contents(list(filter(reader.has, names)))
                for name in names:
                    yield name, next(contents) if reader.has(name) else None
    except FAILURES as error:
        why = (
            "their repository is not there; put it back if you still have it"
            if is_outside_repository(root, error)
            else reason(error, seconds)
        )
        raise SourceError(f"Not all older texts were read from git: {why}.") from error


class _Reader:
    """A ``git cat-file`` that is asked for contents, and started again where it gave up."""

    def __init__(self, git: Git, running: contextlib.ExitStack, most: int, seconds: float) -> None:
        self._git = git
        self._running = running
        self._most = most
        self._seconds = seconds
        self._here = _present(git) if git.is_partial() else None
        self._gave_up = True

    def has(self, name: str) -> bool:
        """Whether git may be asked for this."""
        return OBJECT.fullmatch(name) is not None and (self._here is None or name in self._here)

    def contents(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """The content of each, None if git has none, a damaged one or one that is too big."""
        done = 0
        while done < len(names):
            if self._gave_up:
                self._start()
            ask = stream(self._process.stdin)
            ask.write("".join(f"{name}\n" for name in names[done:]).encode())
            ask.flush()
            for name in names[done:]:
                yield self._content(name.encode())
                done += 1
                if self._gave_up:
                    break

    def _start(self) -> None:
        self._running.close()
        batch = self._git.running("cat-file", "--batch", stdin=subprocess.PIPE)
        self._process = self._running.enter_context(batch)
        pipe = _Pipe(stream(self._process.stdout).fileno(), self._seconds)
        self._reply = io.BufferedReader(pipe)
        self._gave_up = False

    def _content(self, name: bytes) -> bytes | None:
        words = self._reply.readline(200).split()
        if words == [name, b"missing"]:
            return None
        found, kind, size = words
        left = int(size)
        if found != name or left < 0:
            raise ValueError("Another reply than that asked for.")
        content = None
        if kind == b"blob" and left <= self._most:
            content = self._reply.read(left)
            left -= len(content)
        else:
            while piece := self._reply.read(min(left, _PIECE)):
                left -= len(piece)
        if left == 0 and self._reply.read(1) == b"\n":
            return content
        # Git gives up in the middle of a damaged object; what ends it from outside is a signal.
        if left > 0 and self._process.wait(self._seconds) > 0:
            self._gave_up = True
            return None
        raise ValueError("The content is not whole.")


class _Pipe(io.RawIOBase):
    """The end of a pipe that is read; raises TimeoutExpired when nothing comes for a while."""

    def __init__(self, descriptor: int, seconds: float) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._seconds = seconds
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer) -> int:
        if not self._poll.poll(self._seconds * 1000):
            raise subprocess.TimeoutExpired("git", self._seconds)
        return os.readv(self._descriptor, [buffer])


def _present(git: Git) -> frozenset[str]:
    """All objects that a partial clone has: asked for another, some versions of git end."""
    ask = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    return frozenset(git.output("cat-file", *ask).decode("ascii").split())
