"""Which notes may be replaced: plain files that nobody else has in hand."""

import os
import re
import stat

from tools.base.errors import InputError
from tools.vault.disk.exclusive_files import read

_CONFLICTS = (
    ("Syncthing", r"\.sync-conflict-\d{8}-\d{6}"),
    ("Dropbox, Nextcloud or Obsidian Sync", r"\(.*conflicted copy.*\)"),
    ("ownCloud", r"_conflict-\d{8}-\d{6}"),
    ("Seafile", r"\(SFConflict .*\)"),
    ("pCloud", r"\[conflicted(?: \d+)?\]"),
    ("Resilio Sync", r"\.conflict(?:\.|$)"),
)
"""How programs that synchronise folders name what they could not bring together."""
_VIM_FLAG, _VIM_DIRTY = 1007, 0x55
"""Where Vim's swap file says that there is something to be saved, and how."""


def require_replaceable(folder: int, path: str) -> None:
    """Raise InputError, in a line, for a note that must not be replaced now; and OSError."""
    name = path.rpartition("/")[2]
    try:
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        raise _missing(folder, path) from None
    kept = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    above = os.fstat(folder)
    if stat.S_ISLNK(info.st_mode):
        raise refused(path, "is a link to another file", "link from that one")
    if not stat.S_ISREG(info.st_mode):
        raise refused(path, "is no regular file", "choose another note")
    if info.st_nlink > 1:
        raise refused(
            path,
            f"is one file under {info.st_nlink} names (hard links), which replacing would part",
            "make it a file of its own",
        )
    if not (info.st_mode & kept and os.access(name, os.W_OK, dir_fd=folder)):
        raise refused(path, "is read-only", "make it writable")
    if not (above.st_mode & kept and os.access(".", os.W_OK | os.X_OK, dir_fd=folder)):
        raise refused(path, "lies in a folder that is read-only", "make the folder writable")
    stem = name[:-3]
    for program, pattern in _CONFLICTS:
        if re.search(pattern, stem, re.IGNORECASE):
            raise refused(
                path, f"is a conflicted copy made by {program}", "bring the two together first"
            )
    if editor := _open_in(folder, name):
        raise refused(path, f"is open in {editor}", "save and close it there")


def refused(path: str, why: str, cure: str) -> InputError:
    """What the user is told of a note into which nothing was written."""
    return InputError(f"{path!r} {why}, so nothing was written into it: {cure}, then try again.")


def _missing(folder: int, path: str) -> InputError:
    if _exists(folder, f".{path.rpartition('/')[2]}.icloud"):
        return refused(path, "is in iCloud and not on this disk", "have it downloaded")
    return refused(path, "is gone", "run `brain index`")


def _open_in(folder: int, name: str) -> str | None:
    """The program in which a note has unsaved changes, and the file that says so."""
    swap = f".{name}.swp"
    if _exists(folder, swap):
        head = read(folder, swap, max_bytes=_VIM_FLAG + 1) or b""
        if head.startswith(b"b0") and head[_VIM_FLAG:] == bytes([_VIM_DIRTY]):
            return f"Vim with unsaved changes ({swap})"
    if _exists(folder, f".#{name}"):
        return f"Emacs with unsaved changes (.#{name})"
    if _exists(folder, f".~lock.{name}#"):
        return f"LibreOffice (.~lock.{name}#)"
    return None


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True
