"""Two files of a folder that take each other's names in one step, where the system can do that."""

import errno
import os
from functools import cache
from typing import Any

_SWAP = 2
"""RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS."""
_UNABLE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What kernels and file systems say that have no such step."""


def exchange(folder: int, one: str, other: str) -> bool:
    """Have two files change names; False, and nothing done, where that cannot be.

    Raises FileNotFoundError where one of them is gone, and OSError.
    """
    import ctypes

    rename = _rename()
    if rename is None:
        return False
    if rename(folder, os.fsencode(one), folder, os.fsencode(other), _SWAP) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNABLE:
        return False
    raise OSError(number, os.strerror(number))


@cache
def _rename() -> Any:
    """The system's call for it, or None: ``renameat2`` of Linux, ``renameatx_np`` of macOS."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    for name in ("renameat2", "renameatx_np"):
        found = getattr(library, name, None)
        if found is not None:
            text, number = ctypes.c_char_p, ctypes.c_int
            found.argtypes = [number, text, number, text, ctypes.c_uint]
            found.restype = number
            return found
    return None
