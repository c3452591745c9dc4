"""A note's bytes replaced by others, if they are still those that were read.

The new ones are written beside it and the two files exchange names; then what was swapped out is
read once more. So what an editor saves meanwhile is found, and has its name again. Where the file
system cannot exchange names, a save between the last look and the renaming is lost.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Generator
from pathlib import Path

from tools.base.errors import InputError
from tools.vault.disk.exchange import exchange
from tools.vault.disk.exclusive_files import digest, put_back, sync, write_whole
from tools.vault.disk.file_attributes import copy_attributes, is_open_for_writing
from tools.vault.disk.open_folders import folder_of
from tools.vault.disk.replaceable import refused, require_replaceable

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WAITS, _WAIT_SECONDS = 1_000, 0.001


class ChangedError(InputError):
    """A note no longer has the bytes that were read."""


def changed(path: str) -> ChangedError:
    """What the user is told of a note that somebody saved since it was read."""
    return ChangedError(
        f"{path!r} was changed since it was read, or is being saved just now, so nothing was "
        "written into it: look at the link again."
    )


def check_replaceable(root: Path, path: str, *, before: str) -> None:
    """Raise as ``replace_note`` would, as far as that can be known; nothing is changed."""
    try:
        with folder_of(root, path) as folder:
            require_replaceable(folder, path)
            is_same = digest(folder, path.rpartition("/")[2]) == before
    except FileNotFoundError:
        raise refused(path, "is gone", "run `brain index`") from None
    if not is_same:
        raise changed(path)


def replace_note(root: Path, path: str, content: bytes, *, before: str, draft: str) -> None:
    """Give a note these bytes where it has those with the SHA-256 ``before``.

    Rights, owner and extended attributes stay; it was modified now. ``draft`` is a name beside it
    that is free. Raises ChangedError, InputError for a note that must not be replaced, and OSError;
    then the note is as it was, or as somebody saved it, but for a fault of the disk at the end.
    """
    name = path.rpartition("/")[2]
    with folder_of(root, path) as folder:
        require_replaceable(folder, path)
        if _is_open(folder, name) or _digest(folder, name) != before:
            raise changed(path)
        try:
            _write_like(folder, name, draft, content)
        except BaseException:
            _remove(folder, _part(draft))
            raise
        if not _swapped(folder, name, draft, before, hashlib.sha256(content).hexdigest()):
            raise changed(path)
        sync(folder)


def end_replacing(root: Path, path: str, *, digests: tuple[str, str], draft: str) -> str | None:
    """End what a killed process began; return the digest of the note, None where it is gone.

    ``digests`` are those before and after; anything else under the draft's name is what an editor
    saved while the names were exchanged, and has its name again. Raises OSError.
    """
    name = path.rpartition("/")[2]
    with contextlib.suppress(FileNotFoundError, InputError), folder_of(root, path) as folder:
        _remove(folder, _part(draft))
        now, aside = _digest(folder, name), _digest(folder, draft)
        if aside is None:
            return now
        is_saved = aside not in digests or (aside != now and _is_open(folder, draft))
        if is_saved and now in digests and _exchanged(folder, draft, name):
            now, aside = aside, _digest(folder, draft)
            is_saved = aside not in digests
        if is_saved:
            put_back(folder, draft, name)
            now = _digest(folder, name)
        _remove(folder, draft)
        return now
    return None


def _write_like(folder: int, name: str, draft: str, content: bytes) -> None:
    """Write a draft that is like a note but for its bytes; it has that name once it is whole."""
    part = _part(draft)
    write_whole(folder, part, content, rights=0o600)  # nobody reads meanwhile what only few may
    with _opened(folder, name) as source, _opened(folder, part) as target:
        copy_attributes(source, target)
        os.fsync(target)
    os.rename(part, draft, src_dir_fd=folder, dst_dir_fd=folder)


def _swapped(folder: int, name: str, draft: str, before: str, after: str) -> bool:
    """Give the draft the note's name; False where somebody saved the note, which then has it."""
    try:
        if not exchange(folder, draft, name):
            return _renamed(folder, name, draft, before)
    except BaseException as error:
        _remove(folder, draft)
        if isinstance(error, FileNotFoundError):  # an editor that saves under another name first
            return False
        raise
    # Whoever has it open for writing may still write what nobody would find.
    if not _is_open(folder, draft) and digest(folder, draft) == before:
        os.unlink(draft, dir_fd=folder)
        return True
    placed, theirs = after, digest(folder, draft)
    while _exchanged(folder, draft, name):
        _await_writers(folder, draft)
        swapped_out = digest(folder, draft)
        if swapped_out == placed:
            os.unlink(draft, dir_fd=folder)
            return False
        # Saved once more, over ours: that is the newer one.
        placed, theirs = theirs, swapped_out
    put_back(folder, draft, name)
    return False


def _renamed(folder: int, name: str, draft: str, before: str) -> bool:
    if _digest(folder, name) != before:
        _remove(folder, draft)
        return False
    os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    return True


def _exchanged(folder: int, one: str, other: str) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return exchange(folder, one, other)
    return False


def _await_writers(folder: int, name: str) -> None:
    """Wait, not for long, until nobody has a file open for writing."""
    for _ in range(_WAITS):
        if not _is_open(folder, name):
            return
        time.sleep(_WAIT_SECONDS)


def _is_open(folder: int, name: str) -> bool:
    with contextlib.suppress(FileNotFoundError), _opened(folder, name) as descriptor:
        return is_open_for_writing(descriptor)
    return False


@contextlib.contextmanager
def _opened(folder: int, name: str) -> Generator[int]:
    descriptor = os.open(name, _READ, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _digest(folder: int, name: str) -> str | None:
    with contextlib.suppress(FileNotFoundError):
        return digest(folder, name)
    return None


def _remove(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _part(draft: str) -> str:
    """The name of a draft that is not whole yet; such a one is nobody's loss."""
    return f"{draft}.part"
