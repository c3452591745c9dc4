"""New notes in a vault: put beside what is there, never over it, and taken out again unchanged."""

import contextlib
import errno
import hashlib
import os
import unicodedata
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.base.errors import InputError
from tools.vault.disk.exclusive_files import (
    digest,
    give_name,
    new_draft,
    put_back,
    read,
    sync,
    write_whole,
)
from tools.vault.disk.new_note_paths import same_name_key
from tools.vault.disk.open_folders import open_folder, open_vault


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


def has_folder(root: Path, folder: str) -> bool:
    """Whether there is a folder of this name, in whatever Unicode form.

    Raises InputError where it is a link or a file, and OSError.
    """
    with _opened(root, f"{folder}/", make=False) as (opened, _):
        return opened is not None


def planned_note(root: Path, path: str, content: bytes) -> WrittenNote:
    """The note that ``write_new_note`` would make, with the folders that are missing for it.

    Raises as that does; nothing is changed.
    """
    with _opened(root, path, make=False) as (folder, missing):
        if folder is not None:
            _require_free(folder, path)
    sha256 = hashlib.sha256(content).hexdigest()
    return WrittenNote(path=path, digest=sha256, folders=tuple(missing))


def existing_note(root: Path, path: str) -> str | None:
    """What there is of this name, or nearly so, by its path. Raises InputError and OSError."""
    with _opened(root, path, make=False) as (folder, _):
        if folder is None:
            return None
        found = _twin(folder, path.rpartition("/")[2])
        return None if found is None else f"{path.rpartition('/')[0]}/{found}".lstrip("/")


def write_new_note(
    root: Path, path: str, content: bytes, *, draft: str | None = None
) -> WrittenNote:
    """Put a note where there is none; missing folders are made. ``path`` is a ``new_note_path``.

    It is there whole or not at all; until then it is written under the name ``draft`` beside it.
    Raises NoteExistsError where there is one, InputError where a link is in the way, and OSError.
    """
    with _opened(root, path, make=True) as (folder, made):
        try:
            _put(folder, content, path=path, draft=draft or new_draft())
        except BaseException:
            _remove_folders(root, made)
            raise
    return WrittenNote(path=path, digest=hashlib.sha256(content).hexdigest(), folders=tuple(made))


def remove_note(root: Path, written: WrittenNote, *, draft: str | None = None) -> bool:
    """Take out a note that still has these bytes, and folders made for it that are empty then.

    Meanwhile it has the name ``draft``. False where there is none. Raises InputError where it has
    others by now, and OSError.
    """
    with _opened(root, written.path, make=False) as (folder, _):
        if folder is None or not _take_out(folder, written, draft or new_draft()):
            return False
    _remove_folders(root, written.folders)
    return True


def end_writing(root: Path, written: WrittenNote, *, draft: str) -> bool:
    """Whether a note is there whose writer is gone; else nothing that it made stays.

    The draft goes. Raises OSError.
    """
    with _opened(root, written.path, make=False) as (folder, _):
        if folder is not None:
            name = written.path.rpartition("/")[2]
            is_there = _digest(folder, name) == written.digest
            if not is_there and _is_begun(folder, draft, name):
                os.unlink(name, dir_fd=folder)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(draft, dir_fd=folder)
            if is_there:
                return True
    _remove_folders(root, written.folders)
    return False


def end_removal(root: Path, written: WrittenNote, *, draft: str) -> bool:
    """Whether a note is gone whose remover is gone; what an editor saved has its name again.

    Raises OSError.
    """
    with _opened(root, written.path, make=False) as (folder, _):
        if folder is not None:
            name = written.path.rpartition("/")[2]
            taken = _digest(folder, draft)
            # Has it its name again by now, its remover came as far as that.
            if taken is not None and taken in (written.digest, _digest(folder, name)):
                os.unlink(draft, dir_fd=folder)
            elif taken is not None:
                put_back(folder, draft, name)
            if _digest(folder, name) is not None:
                return False
    _remove_folders(root, written.folders)
    return True


def unchanged_note(root: Path, written: WrittenNote, *, max_bytes: int) -> bytes | None:
    """The bytes of a note that is as it was written; None where it is not. Raises OSError."""
    name = written.path.rpartition("/")[2]
    with contextlib.suppress(InputError, FileNotFoundError):
        with _opened(root, written.path, make=False) as (folder, _):
            raw = None if folder is None else read(folder, name, max_bytes=max_bytes)
        if raw is not None and hashlib.sha256(raw).hexdigest() == written.digest:
            return raw
    return None


def _digest(folder: int, name: str) -> str | None:
    with contextlib.suppress(FileNotFoundError):
        return digest(folder, name)
    return None


def _is_begun(folder: int, draft: str, name: str) -> bool:
    """Whether a note is what was written of its draft where there are no hard links."""
    with contextlib.suppress(FileNotFoundError):
        part, whole = read(folder, name), read(folder, draft)
        return part is not None and whole is not None and whole.startswith(part)
    return False


def _take_out(folder: int, written: WrittenNote, draft: str) -> bool:
    name = written.path.rpartition("/")[2]
    changed = InputError(
        f"{written.path!r} was changed since it was added, so it stays as it is: whoever wants it "
        "gone deletes it by hand."
    )
    try:
        if digest(folder, name) != written.digest:
            raise changed
        os.rename(name, draft, src_dir_fd=folder, dst_dir_fd=folder)
    except FileNotFoundError:
        return False
    try:  # once more, under a name that no editor saves to
        is_same = digest(folder, draft) == written.digest
        if is_same:
            os.unlink(draft, dir_fd=folder)
    except BaseException:
        put_back(folder, draft, name)
        raise
    if not is_same:
        put_back(folder, draft, name)
        raise changed
    with contextlib.suppress(OSError):  # it is gone, however long that takes to be on the disk
        sync(folder)
    if name in os.listdir(folder):  # somebody saved it anew meanwhile
        raise changed
    return True


@contextmanager
def _opened(root: Path, path: str, *, make: bool) -> Generator[tuple[int | None, list[str]]]:
    """The open folder of a note, and the folders that were made.

    Where they are not made and it is not there, None and those that are missing.
    """
    made: list[str] = []
    with contextlib.ExitStack() as opened:
        folder: int | None = open_vault(root)
        opened.callback(os.close, folder)
        steps = [*_steps(path)]
        for at, (above, part) in enumerate(steps):
            try:
                folder = _enter(folder, part, f"{above}{part}", make=make, made=made)
            except BaseException:
                _remove_folders(root, made)
                raise
            if folder is None:
                made = [f"{above}{part}" for above, part in steps[at:]]
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
    # The same letters may be stored in another form, in which nobody can write them here.
    return open_folder(above, twin or part, path=path)


def _twin(folder: int, name: str) -> str | None:
    """What a folder has of this name, or of nearly this one."""
    wanted = same_name_key(name)
    found = [entry for entry in os.listdir(folder) if same_name_key(entry) == wanted]
    # The name itself before its other Unicode forms, and these before others of nearly the name.
    return min(
        found,
        key=lambda entry: (entry != name, unicodedata.normalize("NFC", entry) != name),
        default=None,
    )


def _require_free(folder: int, path: str) -> None:
    twin = _twin(folder, path.rpartition("/")[2])
    if twin is not None:
        raise _exists(path, twin)


def _put(folder: int | None, content: bytes, *, path: str, draft: str) -> None:
    if folder is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    name = path.rpartition("/")[2]
    _require_free(folder, path)
    try:
        write_whole(folder, draft, content)
        give_name(folder, draft, name)
    except FileExistsError:
        raise _exists(path, name) from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft, dir_fd=folder)
    try:
        sync(folder)
    except OSError:  # who is told that nothing was written must not find it there
        os.unlink(name, dir_fd=folder)
        raise


def _remove_folders(root: Path, folders: Sequence[str]) -> None:
    """Remove folders that were made, as far as nothing is in them."""
    for folder in reversed(folders):
        with contextlib.suppress(InputError, OSError), _opened(root, folder, make=False) as (at, _):
            if at is not None:  # without it the working directory's would go
                os.rmdir(folder.rpartition("/")[2], dir_fd=at)


def _exists(path: str, twin: str) -> NoteExistsError:
    named = path.rpartition("/")[2]
    but = "" if twin == named else f", under the name {twin!r}"
    return NoteExistsError(
        f"There is {path!r} already{but}, and nothing is written over it: read it with read_note, "
        "or give another path."
    )
