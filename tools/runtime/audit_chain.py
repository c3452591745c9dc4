"""Lines that each name the hash of the one before: made, read and checked. Pure.

A line is canonical JSON in ASCII. ``seq`` counts lines from 1, over all files; ``prev`` is the hash
of the line before, ``hash`` the line's own: SHA-256 over its canonical JSON without ``hash``. The
first line of a file has ``kind`` ``file``, the name of its chain, the file's number and ``oldest``,
the number of the oldest file that was kept by then: so a file that was let go is told from one that
was taken away, and a file of another chain from one of this.

Whatever a killed process left of a line ends in ``#torn``, or at the end of the file. The next line
has ``mended``, with size and SHA-256 of what was left.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NoReturn, cast

type Entry = Mapping[str, object]
type Problem = Literal["changed", "missing", "reordered", "cut off"]

TORN = b"#torn"
FORMAT = 1
FILE = "file"
_UNNAMED = "calls"
"""The chain of a file that names none: such were made while there was only this one."""


@dataclass(frozen=True, slots=True)
class Link:
    """The place in the chain of one line: its number and its hash."""

    seq: int
    hash: str


START = Link(0, "0" * 64)
"""What the very first line follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFile:
    """One file as it was read: ``number`` is its place among the files of ``chain``."""

    chain: str
    name: str
    number: int
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """Where a chain first breaks: ``line`` counts the lines of ``file`` from 1."""

    file: str
    line: int
    problem: Problem
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a check found. ``entries`` are those up to the first break, without lines of files.

    ``dropped`` counts the lines in files that were let go, ``mended`` the half lines that a later
    one accounts for; ``torn`` says that half a line stands at the end, which nothing accounts for
    yet. ``hashes`` are those that a person may have kept: all that the chain still names.
    """

    broken: Break | None
    entries: Sequence[Entry]
    last: Link
    dropped: int
    mended: int
    torn: bool
    hashes: Mapping[str, int] = field(repr=False)


# --- making --------------------------------------------------------------------------------


def canonical(entry: Entry) -> bytes:
    """The one way to write an entry. Raises ValueError for numbers that JSON lacks."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def seal(entry: Entry, *, after: Link, torn: bytes = b"") -> tuple[bytes, Link]:
    """The line of an entry, with its line end, and its place; ``torn`` stands before it."""
    linked = {**entry, "seq": after.seq + 1, "prev": after.hash}
    if torn:
        linked["mended"] = _mark(torn)
    digest = _hash(linked)
    return canonical({**linked, "hash": digest}) + b"\n", Link(after.seq + 1, digest)


def file_entry(*, chain: str, number: int, oldest: int, time: str) -> Entry:
    """What the first line of a file has to state."""
    place = {"chain": chain, "file": number, "oldest": oldest}
    return {"kind": FILE, "format": FORMAT, **place, "time": time}


def _mark(torn: bytes) -> Mapping[str, object]:
    return {"bytes": len(torn), "sha256": hashlib.sha256(torn).hexdigest()}


def _hash(entry: Entry) -> str:
    return hashlib.sha256(canonical(entry)).hexdigest()


# --- reading -------------------------------------------------------------------------------


def read_entry(line: bytes) -> Entry | None:
    """An entry as it stands, changed or not; None for what is none."""
    try:
        read: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    entry = cast("Entry", read)
    return entry if isinstance(entry.get("seq"), int) and _is_hash(entry.get("hash")) else None


def place_of(entry: Entry) -> Link:
    """The place that a line claims."""
    return Link(cast("int", entry["seq"]), cast("str", entry["hash"]))


def is_torn(line: bytes) -> bool:
    """Whether a line is what is left of one, which a later process has marked so."""
    return line.endswith(TORN)


def oldest_kept(content: bytes) -> int | None:
    """What the first line of a file states of the oldest; None where there is none to read."""
    for line in split_lines(content)[0]:
        if not is_torn(line):
            entry = read_entry(line)
            oldest = entry.get("oldest") if entry and entry.get("kind") == FILE else None
            return oldest if isinstance(oldest, int) else None
    return None


def split_lines(content: bytes) -> tuple[list[bytes], bytes]:
    """The whole lines without their ends, and what stands behind the last of these."""
    *lines, rest = content.split(b"\n")
    return lines, rest


def entries_of(files: Iterable[ChainFile]) -> Iterator[Entry]:
    """Whatever can be read, unchecked, without the lines that begin files."""
    for file in files:
        for line in split_lines(file.content)[0]:
            entry = None if is_torn(line) else read_entry(line)
            if entry is not None and entry.get("kind") != FILE:
                yield entry


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_unchanged(line: bytes, entry: Entry) -> bool:
    """Whether a line is, to the byte, what its own hash was made of."""
    try:
        content = {name: value for name, value in entry.items() if name != "hash"}
        return canonical(entry) == line and _hash(content) == entry["hash"]
    except (ValueError, RecursionError):
        return False


# --- checking ------------------------------------------------------------------------------


def verify(files: Sequence[ChainFile]) -> Verdict:
    """Check files, the oldest first, up to the first break."""
    check = _Check(files)
    broken: Break | None = None
    try:
        check.run()
    except _BrokenError as error:
        broken = error.found
    return Verdict(
        broken=broken,
        entries=check.entries,
        last=check.last,
        dropped=check.dropped,
        mended=check.mended,
        torn=broken is None and bool(check.torn),
        hashes=check.hashes,
    )


class _BrokenError(Exception):
    def __init__(self, found: Break) -> None:
        super().__init__(found.detail)
        self.found = found


def _refuse(file: ChainFile, line: int, problem: Problem, detail: str) -> NoReturn:
    raise _BrokenError(Break(file=file.name, line=line, problem=problem, detail=detail))


class _Check:
    def __init__(self, files: Sequence[ChainFile]) -> None:
        self._files = files
        self.entries: list[Entry] = []
        self.last = START
        self.dropped = 0
        self.mended = 0
        self.torn = b""
        self.hashes: dict[str, int] = {}

    def run(self) -> None:
        if self._files:
            self._require_all_files()
        for file in self._files:
            self._check_file(file)

    def _require_all_files(self) -> None:
        """No file is missing between others, nor an older one than the newest says is kept."""
        first, newest = self._files[0], self._files[-1]
        for before, after in zip(self._files, self._files[1:], strict=False):
            if after.number != before.number + 1:
                _refuse(after, 1, "missing", f"file {before.number + 1} is not there")
        # The newest may be so new that its first line is not whole yet.
        for file in (newest, *self._files[-2:-1]):
            oldest = oldest_kept(file.content)
            if oldest is not None:
                if first.number > oldest:
                    _refuse(first, 1, "missing", f"file {oldest} is not there")
                return

    def _check_file(self, file: ChainFile) -> None:
        lines, rest = split_lines(file.content)
        begun = False
        for at, line in enumerate(lines, 1):
            if is_torn(line):
                self.torn += line + b"\n"
                continue
            entry = read_entry(line)
            if entry is None or not _is_unchanged(line, entry):
                _refuse(file, at, "changed", "it is not what its hash was made of")
            if not begun:
                self._require_beginning(file, at, entry)
            elif entry.get("kind") == FILE:
                _refuse(file, at, "reordered", "it is the first line of a file")
            self._require_place(file, at, entry)
            self._require_mended(file, at, entry)
            self.last = place_of(entry)
            self.hashes[self.last.hash] = self.last.seq
            if begun:
                self.entries.append(entry)
            begun = True
        self.torn += rest
        if not begun and file is not self._files[-1]:
            _refuse(file, 1, "cut off", "the file has no first line")

    def _require_beginning(self, file: ChainFile, at: int, entry: Entry) -> None:
        if entry.get("kind") != FILE:
            _refuse(file, at, "missing", "the first line of the file is not there")
        if entry.get("chain", _UNNAMED) != file.chain:
            _refuse(file, at, "reordered", "it is the first line of another chain's file")
        if entry.get("file") != file.number:
            _refuse(file, at, "reordered", "it is the first line of another file")
        if file is self._files[0] and file.number > 1:  # what it follows was let go
            place = place_of(entry)
            before = entry.get("prev")
            if place.seq > 1 and isinstance(before, str):
                self.last = Link(place.seq - 1, before)
                self.dropped = self.last.seq
                self.hashes[before] = self.last.seq

    def _require_place(self, file: ChainFile, at: int, entry: Entry) -> None:
        seq, due = place_of(entry).seq, self.last.seq + 1
        if seq == due and entry.get("prev") == self.last.hash:
            return
        if seq < due:
            _refuse(file, at, "reordered", f"line {seq} of the chain was there before")
        if seq > due and self._has(due):
            _refuse(file, at, "reordered", f"line {due} of the chain stands elsewhere")
        if seq > due and entry.get("kind") == FILE:
            before = self._files[max(0, self._files.index(file) - 1)]
            end = len(split_lines(before.content)[0]) + 1
            _refuse(before, end, "cut off", f"lines {due} to {seq - 1} of the chain are gone")
        if seq > due:
            gone = f"line {due} is" if seq == due + 1 else f"lines {due} to {seq - 1} are"
            _refuse(file, at, "missing", f"before it, {gone} gone from the chain")
        _refuse(file, at, "changed", "it does not follow the line before: one was replaced")

    def _require_mended(self, file: ChainFile, at: int, entry: Entry) -> None:
        stated = entry.get("mended")
        if stated != (_mark(self.torn) if self.torn else None):
            what = "is not what the next accounts for" if stated else "is accounted for by none"
            _refuse(file, max(1, at - 1), "cut off", f"what is left of a line {what}")
        self.mended += bool(self.torn)
        self.torn = b""

    def _has(self, seq: int) -> bool:
        """Whether some line has this place, wherever it stands."""
        return any(
            entry is not None and entry["seq"] == seq
            for file in self._files
            for entry in map(read_entry, split_lines(file.content)[0])
        )
