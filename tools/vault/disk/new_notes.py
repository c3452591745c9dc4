"""New notes in a vault: put beside what is there and never over it, and taken out again unchanged.

Every folder on the way is opened from the one above it and never through a link, so what somebody
does to the vault meanwhile leads nowhere else.
"""

import contextlib
import errno
import hashlib
import os
import secrets
import stat
import unicodedata
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.base.errors import InputError
from tools.vault.disk.new_note_paths import same_name_key

_NO_LINKS = frozenset({
    errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL,
})  # fmt: skip
"""What file systems say that have no hard links."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NoteExistsError(InputError):
    """There is a note of this name, or one that differs only in case or Unicode form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNote:
    """A note that was put into the vault, and the folders that were made for it, outermost first.

    ``digest`` is the SHA-256 of its bytes.
    """

    path: str
    digest: str
    folders: tuple[str, ...] = ()


def existing_note(root: Path, path: str) -> str | None:
    """What there is of this name, or nearly so, by its path. Raises InputError and OSError."""
    with _opened(root, path, make=False) as (folder, _):
        if folder is None:
            return None
        found = _twin(folder, path.rpartition("/")[2])
        return None if found is None else f"{path.rpartition('/')[0]}/{found}".lstrip("/")


def write_new_note(root: Path, path: str, content: bytes) -> WrittenNote:
    """Put a note where there is none; missing folders are made. ``path`` is a ``new_note_path``.

    It is there whole or not at all. Raises NoteExistsError where there is one, InputError where a
    link is in the way, and OSError.
    """
    with _opened(root, path, make=True) as (folder, made):
        try:
            _put(folder, content, path=path)
        except BaseException:
            _remove_folders(root, made)
            raise
    return WrittenNote(path=path, digest=hashlib.sha256(content).hexdigest(), folders=tuple(made))


def remove_note(root: Path, written: WrittenNote) -> bool:
    """Take out a note that still has these bytes, and folders made for it that are empty then.

    False where there is none. Raises InputError where it has others by now, and OSError.
    """
    name = written.path.rpartition("/")[2]
    with _opened(root, written.path, make=False) as (folder, _):
        if folder is None:
            return False
        try:
            digest = _digest(folder, name)
        except FileNotFoundError:
            return False
        if digest != written.digest:
            raise InputError(
                f"{written.path!r} was changed since it was added, so it stays as it is: whoever "
                "wants it gone deletes it by hand."
            )
        os.unlink(name, dir_fd=folder)
        os.fsync(folder)
    _remove_folders(root, written.folders)
    return True


@contextmanager
def _opened(root: Path, path: str, *, make: bool) -> Generator[tuple[int | None, list[str]]]:
    """The open folder of a note, and the folders that were made; None where it is not there."""
    made: list[str] = []
    with contextlib.ExitStack() as opened:
        folder: int | None = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        opened.callback(os.close, folder)
        for above, part in _steps(path):
            try:
                folder = _enter(folder, part, f"{above}{part}", make=make, made=made)
            except BaseException:
                _remove_folders(root, made)
                raise
            if folder is None:
                break
            opened.callback(os.close, folder)
        yield folder, made


def _steps(path: str) -> Iterator[tuple[str, str]]:
    parts = path.split("/")[:-1]
    for depth, part in enumerate(parts):
        yield "".join(f"{one}/" for one in parts[:depth]), part


def _enter(above: int, part: str, path: str, *, make: bool, made: list[str]) -> int | None:
    twin = _twin(above, part)
    if twin is None:
        if not make:
            return None
        with contextlib.suppress(FileExistsError):  # another process was first
            os.mkdir(part, dir_fd=above)
            made.append(path)
    elif unicodedata.normalize("NFC", twin) != part:
        raise InputError(f"There is a folder {twin!r} already: write it so, not {part!r}.")
    try:
        return os.open(part, _FOLDER, dir_fd=above)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise InputError(
                f"{path!r} is a link or a file, not a folder: give another path."
            ) from None
        if error.errno == errno.ENOENT and twin is not None:  # the same letters in another form
            raise InputError(f"There is a folder of nearly the name {part!r}: use it.") from None
        raise


def _twin(folder: int, name: str) -> str | None:
    """What a folder has of this name, or of nearly this one."""
    wanted = same_name_key(name)
    found = [entry for entry in os.listdir(folder) if same_name_key(entry) == wanted]
    return name if name in found else next(iter(found), None)


def _put(folder: int | None, content: bytes, *, path: str) -> None:
    if folder is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    name = path.rpartition("/")[2]
    twin = _twin(folder, name)
    if twin is not None:
        raise _exists(path, twin)
    draft = f".brain-{secrets.token_hex(8)}.draft"
    try:
        _write_whole(folder, draft, content)
        try:
            os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise _exists(path, name) from None
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            try:  # what is exclusive there is only the making of the file itself
                _write_whole(folder, name, content)
            except FileExistsError:
                raise _exists(path, name) from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft, dir_fd=folder)
    os.fsync(folder)


def _write_whole(folder: int, name: str, content: bytes) -> None:
    """Make a file with these bytes on the disk, or none."""
    descriptor = os.open(name, _NEW, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def _digest(folder: int, name: str) -> str:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return ""
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _remove_folders(root: Path, folders: Sequence[str]) -> None:
    """Remove folders that were made, as far as nothing is in them."""
    for folder in reversed(folders):
        with contextlib.suppress(InputError, OSError), _opened(root, folder, make=False) as (at, _):
            os.rmdir(folder.rpartition("/")[2], dir_fd=at)


def _exists(path: str, twin: str) -> NoteExistsError:
    named = path.rpartition("/")[2]
    but = "" if twin == named else f", under the name {twin!r}"
    return NoteExistsError(
        f"There is {path!r} already{but}, and nothing is written over it: read it with read_note, "
        "or give another path."
    )
