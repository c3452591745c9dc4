"""Whether what lies in a data directory can be read only, and copies for who must write."""

import os
import shutil
import stat
from pathlib import Path


def is_read_only(file: Path) -> bool:
    """Whether a file is there that this process may not change, or nothing beside it.

    A mount that is read-only says so for every user, a missing right for all but root.
    """
    return os.path.lexists(file) and not (
        os.access(file, os.W_OK) and os.access(file.parent, os.W_OK | os.X_OK)
    )


def copy_store(store: Path, to: Path) -> None:
    """Copy the plain files of a store's folder, in place of what is there. Raises OSError.

    Rights are not copied: what is copied is there to be written, by this user alone.
    """
    shutil.rmtree(to, ignore_errors=True)
    for folder, _, names in os.walk(store):
        inside = to / Path(folder).relative_to(store)
        inside.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in names:
            source = Path(folder, name)
            if stat.S_ISREG(source.lstat().st_mode):
                shutil.copyfile(source, inside / name)
