"""What happens to an error nobody foresaw: a report in a file, one line for the user."""

import os
import tempfile
import traceback


def record(error: BaseException) -> str:
    """Write the traceback to a private file and return the line to show."""
    handle, path = tempfile.mkstemp(prefix="brain-crash-", suffix=".txt")
    with os.fdopen(handle, "w") as file:
        traceback.print_exception(error, file=file)
    return (
        f"internal error ({type(error).__name__}); your notes and the index are untouched. "
        f"Please report it with {path}."
    )
