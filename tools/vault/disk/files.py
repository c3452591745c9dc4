"""The notes of a vault on disk: which there are, and what one holds. Reading never writes."""

import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.base.domain import NoteFile, Problem
from tools.base.errors import InputError

_UNSHOWABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MOST_NS = 2**63 - 1
_CLOCK_IS_SET = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows less was not set since the machine started: files know better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a walk over the vault found: the notes by path, and what it left out and why.

    ``folders`` are those that were listed, "" the vault itself. ``unreadable`` are those that could
    not be: whether there are notes in them nobody knows. A vault without any note is one of them,
    for a disk that is not there leaves an empty folder.
    """

    files: tuple[NoteFile, ...]
    problems: tuple[Problem, ...]
    folders: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


def saved_at(file: NoteFile, *, now: datetime) -> datetime:
    """When the file says it was saved; one that a clock ahead of ours wrote was saved ``now``."""
    saved = datetime.fromtimestamp(file.mtime_ns / 1e9, tz=now.tzinfo)
    return min(saved, now) if now > _CLOCK_IS_SET else saved


def scan(root: Path, *, folders: tuple[str, ...] = (), max_bytes: int) -> Scan:
    """Every ``.md`` file below ``root``, or below those of its ``folders``, sorted by path.

    Hidden folders and ``node_modules`` are left out. A note is listed once, where it really is:
    links to it are not notes, and links out of the vault are problems. Raises InputError for
    a folder that is not a relative path inside the vault.
    """
    real_root = os.path.realpath(root)
    files: list[NoteFile] = []
    problems: list[Problem] = []
    listed: list[str] = []
    unreadable: list[str] = []
    pending = list(_starts(real_root, folders, problems, unreadable))
    while pending:
        folder = pending.pop()
        try:
            entries = list(os.scandir(os.path.join(real_root, folder)))  # noqa: PTH118
        except OSError as error:
            why = f"This folder cannot be read ({_reason(error)}); its notes are left out."
            problems.append(Problem(note_path=_shown(folder) or ".", message=why))
            unreadable.append(folder)
            continue
        listed.append(folder)
        prefix = f"{folder}/" if folder else ""
        for entry in entries:
            found = _look(entry, prefix + entry.name, root=real_root, max_bytes=max_bytes)
            match found:
                case NoteFile():
                    files.append(found)
                case Problem():
                    problems.append(found)
                case str():
                    pending.append(found)
                case None:
                    pass
    files.sort(key=lambda file: file.path)
    problems.sort(key=lambda problem: problem.note_path)
    return Scan(
        files=tuple(files),
        problems=tuple(problems),
        folders=tuple(sorted(listed)),
        unreadable=tuple(sorted(unreadable)) if files else ("",),
    )


def is_there(root: Path) -> bool:
    """Whether there is anything in the vault's folder, as there is while its disk is."""
    try:
        with os.scandir(root) as entries:
            return next(entries, None) is not None
    except OSError:
        return False


def is_within(path: str, folders: Iterable[str]) -> bool:
    """Whether a vault-relative path is one of these folders or below one; "" is the vault."""
    return any(_below(path, folder) for folder in folders)


def read_bytes(root: Path, path: str, *, max_bytes: int) -> bytes:
    """The bytes of one note, given its vault-relative path.

    Raises FileNotFoundError if it is gone, and InputError for anything that is no readable note
    inside the vault: traversal, a link out of it, another kind of file, one that is too big.
    """
    shown = _shown(path)
    parts = path.split("/")
    if "\0" in path or path.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise InputError(f"{shown!r} is not a path inside the vault.")
    if not is_note_path(path):
        raise InputError(f"{shown!r} is not a note: only visible .md files are read.")
    real_root = os.path.realpath(root)
    try:
        real = os.path.realpath(os.path.join(real_root, path), strict=True)  # noqa: PTH118
        if not _inside(real, real_root):
            raise InputError(f"{shown!r} leads out of the vault and is not read.")
        return _read_regular(real, shown, max_bytes)
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(f"The note {shown!r} is gone.") from None
    except (OSError, ValueError) as error:
        reason = _reason(error) if isinstance(error, OSError) else "bad name"
        raise InputError(f"The note {shown!r} cannot be read ({reason}).") from None


def is_note_path(path: str) -> bool:
    """Whether a path is one of a note: ``.md``, nothing in it hidden, all of it readable text."""
    readable = not _UNSHOWABLE.search(path)
    return readable and _is_note(path) and not any(map(_hidden, path.split("/")))


def _read_regular(real: str, shown: str, max_bytes: int) -> bytes:
    # Not following a link that appeared since the check, and not waiting for a pipe's writer.
    descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise InputError(f"{shown!r} is not a regular file.")
        # To ask for as much as is allowed would set that much memory aside for every note.
        raw = stream.read(min(info.st_size, max_bytes) + 1)
        raw += stream.read(max_bytes + 1 - len(raw)) if len(raw) > info.st_size else b""
    if len(raw) > max_bytes:
        raise InputError(_too_big(shown, max_bytes))
    return raw


def _starts(
    root: str, folders: tuple[str, ...], problems: list[Problem], unreadable: list[str]
) -> Iterator[str]:
    """The folders to walk, none inside another; one that is missing is a problem."""
    if not folders:
        yield ""
        return
    chosen = sorted({folder.strip("/") for folder in map(_checked_folder, folders)})
    for folder in chosen:
        if any(other != folder and _below(folder, other) for other in chosen):
            continue
        full = os.path.join(root, folder)  # noqa: PTH118
        if not os.path.isdir(full):  # noqa: PTH112
            problems.append(Problem(note_path=_shown(folder), message="There is no such folder."))
            unreadable.append(folder)
        elif not _inside(os.path.realpath(full), root):
            problems.append(Problem(note_path=_shown(folder), message=_LEADS_OUT))
        else:
            yield folder


def _checked_folder(folder: str) -> str:
    parts = folder.strip("/").split("/")
    if folder.startswith("/") or "\0" in folder or ".." in parts or "." in parts:
        raise InputError(f"The folder {_shown(folder)!r} is not a relative path inside the vault.")
    return folder


def _look(
    entry: os.DirEntry[str], path: str, *, root: str, max_bytes: int
) -> NoteFile | Problem | str | None:
    """A note, a problem, a folder to walk (its path), or nothing of ours."""
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
        if _hidden(entry.name) or not (is_folder or _is_note(entry.name) or entry.is_symlink()):
            return None
        if _UNSHOWABLE.search(entry.name):
            return Problem(
                note_path=_shown(path), message="Its name is no readable text; rename it."
            )
        if is_folder:
            return path
        if entry.is_symlink():
            return _look_at_link(entry, path, root)
        return _look_at_file(entry.stat(follow_symlinks=False), path, root=root, most=max_bytes)
    except OSError as error:
        return Problem(note_path=_shown(path), message=f"It cannot be read ({_reason(error)}).")


def _look_at_file(info: os.stat_result, path: str, *, root: str, most: int) -> NoteFile | Problem:
    if not stat.S_ISREG(info.st_mode):
        return Problem(note_path=path, message="It is a pipe, a socket or a device, not a note.")
    if info.st_size > most:
        return Problem(note_path=path, message=_too_big(path, most))
    # The index keeps whole numbers of 64 bits, and a file system may keep later times.
    mtime_ns = max(-_MOST_NS, min(info.st_mtime_ns, _MOST_NS))
    return NoteFile(path=_composed(root, path), size=info.st_size, mtime_ns=mtime_ns)


_LEADS_OUT = "This link leads out of the vault and is not followed."


def _look_at_link(entry: os.DirEntry[str], path: str, root: str) -> Problem | None:
    real = os.path.realpath(entry.path)
    if not (_is_note(entry.name) or os.path.isdir(real)):  # noqa: PTH112
        return None
    if not _inside(real, root):
        return Problem(note_path=path, message=_LEADS_OUT)
    if not os.path.exists(real):  # noqa: PTH110
        return Problem(note_path=path, message="This link leads nowhere.")
    return None


def _composed(root: str, path: str) -> str:
    """The path in Unicode's composed form where the file opens by it (macOS), else as it is."""
    if path.isascii() or unicodedata.is_normalized("NFC", path):
        return path
    composed = unicodedata.normalize("NFC", path)
    full = os.path.join(root, composed)  # noqa: PTH118
    same = os.path.exists(full) and os.path.samefile(full, os.path.join(root, path))  # noqa: PTH110, PTH118, PTH121
    return composed if same else path


def _hidden(name: str) -> bool:
    return name.startswith(".") or name == "node_modules"


def _is_note(name: str) -> bool:
    return name[-3:].lower() == ".md"


def _inside(real: str, root: str) -> bool:
    return _below(real, root.rstrip("/"))


def _below(path: str, folder: str) -> bool:
    return path == folder or not folder or path.startswith(f"{folder}/")


def _too_big(path: str, max_bytes: int) -> str:
    return f"{path!r} is larger than {max_bytes:,} bytes and is left out; split it to include it."


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _shown(name: str) -> str:
    """A name that any output can print: what is no text is written as an escape."""
    return _UNSHOWABLE.sub(lambda bad: f"\\u{ord(bad[0]):04x}", name)
