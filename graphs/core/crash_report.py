"""What happens to an error nobody foresaw: a report in a file, one line for the user."""

import errno
import os
import resource

NO_MEMORY = (
    "there is not enough memory for this; your notes are untouched, and what was indexed is kept. "
    "Close other programs or raise the limit (`ulimit -v`), then try again."
)
_NO_MEMORY_SIGNS = (
    "failed to map segment from shared object",  # the loader, of a library it has no room for
    "can't start new thread",
)


def record(error: BaseException) -> str:
    """Return the line to show: no memory, or where a private file has the traceback, if one can."""
    if is_no_memory(error):
        return NO_MEMORY
    import tempfile
    import traceback

    said = f"internal error ({type(error).__name__}); your notes and the index are untouched. "
    try:
        handle, path = tempfile.mkstemp(prefix="brain-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            traceback.print_exception(error, file=file)
    except OSError as unwritten:
        return f"{said}Please report it; no file could be made ({unwritten.strerror})."
    return f"{said}Please report it with {path}."


def is_no_memory(error: BaseException) -> bool:
    """Whether it says that there was too little memory, which libraries tell in many ways."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    if isinstance(error, MemoryError) or any(sign in str(error) for sign in _NO_MEMORY_SIGNS):
        return True
    # Python's own code at times fails without a word where it gets no more.
    limited = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    return limited and isinstance(error, SystemError) and "without" in str(error)
