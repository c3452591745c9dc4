"""Files of a folder that is open: made whole and never over another one, read through no link."""

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager
from io import BufferedReader

_NO_LINKS = frozenset({
    errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL,
})  # fmt: skip
"""What file systems say that have no hard links."""
_NO_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
"""What network and FUSE mounts say of a folder that is to be on the disk."""
_NO_FILE = frozenset({errno.ELOOP, errno.EMLINK, errno.ENXIO})
"""What opening says of links and of sockets."""
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def new_draft() -> str:
    """A hidden name that nobody else has."""
    return f".brain-{secrets.token_hex(8)}.draft"


def give_name(folder: int, draft: str, name: str) -> None:
    """Have what a draft says under a name too. Raises FileExistsError: never over another file."""
    try:
        os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # What is exclusive there is only the making of the file itself.
        write_whole(folder, name, read(folder, draft) or b"")


def put_back(folder: int, draft: str, name: str) -> None:
    """Give a note its name again, or one of its own if there is a newer note by now."""
    with contextlib.suppress(FileNotFoundError):
        for free in (name, f"{name.removesuffix('.md')} {secrets.token_hex(4)}.md"):
            with contextlib.suppress(FileExistsError):
                give_name(folder, draft, free)
                os.unlink(draft, dir_fd=folder)
                return


def sync(folder: int) -> None:
    """Have the names in a folder on the disk, where its file system knows of such a thing."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def write_whole(folder: int, name: str, content: bytes, *, rights: int = 0o666) -> None:
    """Make a file with these bytes on the disk, or none."""
    descriptor = os.open(name, _NEW, rights, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def digest(folder: int, name: str) -> str:
    """The SHA-256 of a file; of what is none, nothing. Raises OSError."""
    with _regular(folder, name) as stream:
        return "" if stream is None else hashlib.file_digest(stream, "sha256").hexdigest()


def read(folder: int, name: str, *, max_bytes: int = -1) -> bytes | None:
    """The first bytes of a file, or all; None where it is none. Raises OSError."""
    with _regular(folder, name) as stream:
        return None if stream is None else stream.read(max_bytes)


@contextmanager
def _regular(folder: int, name: str) -> Generator[BufferedReader | None]:
    """A file to read; None where it is a link, a folder or a device."""
    try:
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        yield None
        return
    with os.fdopen(descriptor, "rb") as stream:
        yield stream if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
