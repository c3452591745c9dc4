"""Files that an evaluation writes: one clear error for one that cannot be written."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tools.errors import InputError


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
