"""What happens to an error nobody foresaw: a report in a file, one line for the user."""

import os
import resource

NO_MEMORY = (
    "there is not enough memory for this; your notes are untouched, and what was indexed is kept. "
    "Close other programs or raise the limit (`ulimit -v`), then try again."
)


def record(error: BaseException) -> str:
    """Return the line to show: no memory, or where a private file has the traceback, if one can."""
    if _is_no_memory(error):
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


def _is_no_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    # Python's own code at times fails without a word where it gets no more.
    limited = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    return limited and isinstance(error, SystemError)
