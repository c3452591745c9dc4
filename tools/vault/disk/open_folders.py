"""Folders of a vault, each opened from the one above it and never through a link.

So what somebody does to the vault meanwhile leads nowhere else.
"""

import contextlib
import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tools.base.errors import InputError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def open_vault(root: Path) -> int:
    """The vault itself, which may be a link. Raises OSError."""
    return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def open_folder(above: int, part: str, *, path: str) -> int:
    """The folder ``part`` of an open one. Raises InputError where it is none, and OSError."""
    try:
        return os.open(part, _FOLDER, dir_fd=above)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise InputError(
                f"{path!r} is a link or a file, not a folder: give another path."
            ) from None
        raise


@contextmanager
def folder_of(root: Path, path: str) -> Generator[int]:
    """The open folder of a note that is there. Raises InputError for a link, and OSError."""
    parts = path.split("/")[:-1]
    with contextlib.ExitStack() as opened:
        folder = open_vault(root)
        opened.callback(os.close, folder)
        for depth, part in enumerate(parts):
            folder = open_folder(folder, part, path="/".join(parts[: depth + 1]))
            opened.callback(os.close, folder)
        yield folder
