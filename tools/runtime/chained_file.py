"""A chain of lines in a folder of numbered files, which any number of processes add to.

Whoever adds holds a lock, reads how the newest file ends, and writes one line with one call. A full
file is followed by the next number and never renamed, so that no moment of it can be lost: what a
killed process leaves is half a line, a file without its first line, or an old file too many.
"""

import contextlib
import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from tools.base.errors import StorageError
from tools.runtime.audit_chain import (
    START,
    TORN,
    ChainFile,
    Entry,
    Link,
    file_entry,
    is_torn,
    oldest_kept,
    place_of,
    read_entry,
    seal,
    split_lines,
)
from tools.runtime.server_process import locked, private_dir

_PATIENCE = 10.0
"""Seconds to wait for other processes, each of which takes milliseconds."""
_LOOK_PATIENCE = 1.0
_BLOCK = 1 << 16
_FIRST_LINE = 4_096
"""Bytes that hold the first line of a file, and half lines before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tail:
    """How a chain ends: the newest file, the last line, and what stands torn behind that.

    ``begun`` is whether the newest file has its first line, ``ended`` whether its last line is
    whole, ``oldest`` what it states of the oldest.
    """

    number: int
    size: int
    last: Link
    torn: bytes
    begun: bool
    ended: bool
    oldest: int


class ChainedFile:
    """A chain in a private folder, in files of ``max_bytes`` each, of which ``kept`` stay."""

    def __init__(self, folder: Path, *, stem: str, holding: str, max_bytes: int, kept: int) -> None:
        self._folder = folder
        self._stem = stem
        self._holding = holding
        self._max_bytes = max_bytes
        self._kept = kept
        self._lock_file = folder / f"{stem}.lock"
        self._named = re.compile(rf"{re.escape(stem)}-(\d{{6,}})\.jsonl")

    def add(self, entry: Entry, *, durable: bool) -> Link:
        """Append a line; where ``durable``, it outlives a power cut once this returns.

        Raises StorageError where it cannot be written, and then nothing of it is left.
        """
        private_dir(self._folder, holding=self._holding)
        try:
            with locked(self._lock_file, patience=_PATIENCE) as lock:
                if lock is None:
                    raise self._error("another process keeps it locked")
                return self._append(entry, durable=durable)
        except OSError as error:
            raise self._error(error.strerror or type(error).__name__) from error

    def read(self) -> Sequence[ChainFile]:
        """All files as they are at one moment, the oldest first.

        Raises StorageError where they cannot be read.
        """
        try:
            with ExitStack() as opened:
                files = self._open_all(opened)
                return [
                    ChainFile(
                        chain=self._stem,
                        name=self._path(number).name,
                        number=number,
                        content=file.read(size),
                    )
                    for number, file, size in files
                ]
        except OSError as error:
            raise StorageError(
                f"{self._holding.capitalize()} cannot be read ({error.strerror}): check the "
                "permissions of the data directory."
            ) from error

    def _open_all(self, opened: ExitStack) -> list[tuple[int, BinaryIO, int]]:
        """The files with their present sizes; while others wait, none is added and none removed."""
        with ExitStack() as lock:
            if self._folder.exists():
                with contextlib.suppress(OSError):  # a folder that may only be read has no writers
                    lock.enter_context(locked(self._lock_file, patience=_LOOK_PATIENCE))
            files = [
                (number, opened.enter_context(self._path(number).open("rb")))
                for number in self._numbers()
            ]
            return [(number, file, os.fstat(file.fileno()).st_size) for number, file in files]

    def _append(self, entry: Entry, *, durable: bool) -> Link:
        tail = self._tail()
        mark = b"" if tail.ended else TORN + b"\n"
        torn = tail.torn + mark
        line, link = seal(entry, after=tail.last, torn=torn)
        if tail.begun and tail.size + len(mark) + len(line) <= self._max_bytes:
            _write(self._path(tail.number), mark + line, durable=durable)
            return link
        if tail.begun:  # what a power cut takes must be the end of the chain
            _flush(self._path(tail.number))
            begun = self._begin(tail.number + 1, after=tail, torn=tail.torn, mark=b"")
        else:
            begun = self._begin(tail.number, after=tail, torn=torn, mark=mark)
        number = max(self._numbers())
        line, link = seal(entry, after=begun)
        _write(self._path(number), line, durable=durable)
        return link

    def _begin(self, number: int, *, after: _Tail, torn: bytes, mark: bytes) -> Link:
        """Write the first line of a file, then let the oldest go."""
        oldest = max(1, after.oldest, number - self._kept + 1)
        time = datetime.now(UTC).isoformat()
        stated = file_entry(chain=self._stem, number=number, oldest=oldest, time=time)
        line, link = seal(stated, after=after.last, torn=torn)
        _write(self._path(number), mark + line, durable=True)
        for old in self._numbers():
            if old < oldest:
                self._path(old).unlink(missing_ok=True)
        _flush(self._folder)
        return link

    def _tail(self) -> _Tail:
        """How the chain ends, whatever state a killed process left it in."""
        torn, newest, begun, ended, oldest, size = b"", 1, False, True, 1, 0
        numbers = sorted(self._numbers(), reverse=True)
        for at, number in enumerate(numbers):
            with self._path(number).open("rb") as file:
                ordinary, last, behind, length = _end_of(file)
                file.seek(0)
                stated = oldest_kept(file.read(_FIRST_LINE))
            torn = behind + torn
            oldest = max(oldest, stated or 1)
            if at == 0:
                newest, begun, size = number, ordinary, length
                ended = not behind or behind.endswith(b"\n")
            if last is not None:
                break
        else:
            last = START
        return _Tail(
            number=newest,
            size=size,
            last=last or START,
            torn=torn,
            begun=begun,
            ended=ended,
            oldest=oldest,
        )

    def _numbers(self) -> list[int]:
        if not self._folder.exists():
            return []
        found = (self._named.fullmatch(entry.name) for entry in self._folder.iterdir())
        return sorted(int(name[1]) for name in found if name)

    def _path(self, number: int) -> Path:
        return self._folder / f"{self._stem}-{number:06}.jsonl"

    def _error(self, reason: str) -> StorageError:
        return StorageError(
            f"{self._holding.capitalize()} cannot be written ({reason}): free some space, or make "
            "the data directory writable."
        )


def _end_of(file: BinaryIO) -> tuple[bool, Link | None, bytes, int]:
    """Whether a file has whole lines, the last that can be read, what is torn behind, its size.

    A whole line that cannot be read was changed by somebody: it is passed over, for a check to
    find, and never mended.
    """
    size = file.seek(0, os.SEEK_END)
    block = _BLOCK
    while True:
        start = max(0, size - block)
        file.seek(start)
        lines, torn = split_lines(file.read())
        if start:
            del lines[:1]  # it may have begun before
        ordinary = False
        for line in reversed(lines):
            if is_torn(line) and not ordinary:
                torn = line + b"\n" + torn
                continue
            ordinary = True
            entry = read_entry(line)
            if entry is not None:
                return True, place_of(entry), torn, size
        if not start:
            return ordinary, None, torn, size
        block *= 4


def _write(path: Path, line: bytes, *, durable: bool) -> None:
    """Append, or leave the file as it was. Raises OSError."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600)
    try:
        before = os.fstat(descriptor).st_size
        try:
            while line:
                line = line[os.write(descriptor, line) :]
            if durable:
                os.fsync(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, before)
            raise
    finally:
        os.close(descriptor)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
