"""What happens to an error nobody foresaw: a report in a file, one line for the user."""

import os
import tempfile
import traceback


def record(error: BaseException) -> str:
    """Write the traceback to a private file, if that can be, and return the line to show."""
    said = f"internal error ({type(error).__name__}); your notes and the index are untouched. "
    try:
        handle, path = tempfile.mkstemp(prefix="brain-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            traceback.print_exception(error, file=file)
    except OSError as unwritten:
        return f"{said}Please report it; no file could be made ({unwritten.strerror})."
    return f"{said}Please report it with {path}."
