"""Files that a command writes: one clear error for one that cannot or must not be written."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.base.errors import InputError


def require_output(path: Path, *, option: str, kept: Sequence[Path]) -> None:
    """Raise InputError where ``path`` lies in one of the folders ``kept``, or cannot be a file."""
    with writing(path):
        # A link counts by where it stands and by where it leads.
        places = (path.absolute(), path.parent.resolve() / path.name, path.resolve())
        if any(place.is_relative_to(folder) for place in places for folder in kept):
            raise InputError(
                f"{option} {path.name!r} lies in the vault or its data directory, where nothing "
                "is written without being asked: give a path elsewhere."
            )
        if path.is_dir():
            raise InputError(f"{path.name!r} cannot be written: it is a folder; name a file in it.")
        if not path.parent.is_dir():
            raise InputError(
                f"{path.name!r} cannot be written: there is no folder {path.parent.name!r}; make "
                "it first."
            )
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise InputError(f"{path.name!r} cannot be written: check its rights and its folder's.")


def write_private(file: Path, content: bytes) -> None:
    """Write a file that only this user can open, so that nobody ever reads part of it.

    Until it is whole it stands beside as ``….draft``. Raises OSError.
    """
    draft = file.with_name(f"{file.name}.draft")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
    draft.replace(file)


@contextmanager
def writing(path: Path) -> Generator[None]:
    """Raise InputError, in one line, where the block cannot write ``path``."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path.name!r} cannot be written: {error.strerror}. Check the folder it goes to, its "
            "rights and the space left."
        ) from None
