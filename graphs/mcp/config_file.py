"""A client's file: read once, and changed only if it still is what was read."""

import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from tools.base.errors import BrainError, InputError, StorageError

COPY_SUFFIX = ".before-brain"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """A file as it was read: its real path, links followed; None for one that is not there."""

    path: Path
    content: bytes | None
    mode: int | None = None

    @property
    def copy(self) -> Path:
        """Where the copy of it lies that is made before our first entry."""
        return self.path.with_name(self.path.name + COPY_SUFFIX)

    def text(self) -> str | None:
        """What it says. Raises InputError for what is not UTF-8."""
        try:
            return None if self.content is None else self.content.decode()
        except UnicodeDecodeError:
            raise InputError(
                f"{self.path.name} is not UTF-8 text, so nothing was changed: see what it is."
            ) from None


def read(path: Path) -> ConfigFile:
    """The file at ``path``. Raises StorageError where it cannot be read."""
    real = Path(os.path.realpath(path))
    try:
        content = real.read_bytes()
        mode = stat.S_IMODE(real.stat().st_mode)
    except FileNotFoundError:
        return ConfigFile(path=real, content=None)
    except OSError as error:
        raise StorageError(
            f"{path.name} cannot be read ({error.strerror}), so nothing was changed."
        ) from None
    return ConfigFile(path=real, content=content, mode=mode)


def read_copy(file: ConfigFile) -> str | None:
    """What the file said before our first entry; None where no such copy can be read."""
    try:
        return file.copy.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


def write(file: ConfigFile, text: str, *, keep_copy: bool) -> None:
    """Put ``text`` in the file's place whole, in its mode; ``keep_copy`` leaves the old beside it.

    Raises InputError where somebody changed it since it was read, StorageError where it cannot be
    written. Then it is as it was.
    """
    _require_unchanged(file)
    _require_writable(file)
    copied = False
    try:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        if keep_copy and file.content is not None:
            _put(file.copy, file.content, mode=file.mode)
            copied = True
        _put(file.path, text.encode(), mode=file.mode, unchanged=file)
    except (OSError, BrainError) as error:
        if copied:
            remove_copy(file)
        raise (_unwritten(file, error) if isinstance(error, OSError) else error) from None


def remove(file: ConfigFile) -> None:
    """Remove a file that only we had a use for. Raises InputError and StorageError as ``write``."""
    _require_unchanged(file)
    _require_writable(file)
    try:
        file.path.unlink()
    except OSError as error:
        raise _unwritten(file, error) from None


def remove_copy(file: ConfigFile) -> None:
    """Remove the copy of what is in its place again; one that cannot be removed stays."""
    try:
        file.copy.unlink(missing_ok=True)
    except OSError:
        return


def _put(
    path: Path, content: bytes, *, mode: int | None, unchanged: ConfigFile | None = None
) -> None:
    """Write a file by way of a draft beside it, so that nobody ever reads part of it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = os.open(draft, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            if mode is not None:
                draft.chmod(mode)  # what the process's mask took away
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if unchanged is not None:
            _require_unchanged(unchanged)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _require_writable(file: ConfigFile) -> None:
    """Raise StorageError for a file that its owner made read-only: replacing it would not ask."""
    writable = file.mode is None or (file.mode & 0o222 and os.access(file.path, os.W_OK))
    if not writable:
        raise StorageError(
            f"{file.path.name} is read-only, so nothing was changed: whoever made it so may write "
            "it anew."
        )


def _require_unchanged(file: ConfigFile) -> None:
    if read(file.path).content != file.content:
        raise InputError(
            f"Another program changed {file.path.name} meanwhile, so nothing was written: run this "
            "again."
        )


def _unwritten(file: ConfigFile, error: OSError) -> StorageError:
    return StorageError(
        f"{file.path.name} cannot be written ({error.strerror}), so it is as it was: check its "
        "folder, its rights and the space left."
    )
