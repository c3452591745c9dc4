"""Exit codes of ``brain``; scripts rely on them."""

OK = 0
"""Answered, done, or nothing was found."""

INTERNAL = INCOMPLETE = NEEDS_MENDING = 1
"""A defect of ours; a job that left something out; stores that disagree."""

BAD_INPUT = 2
ASKED_BACK = 3
"""A question waits for the user's answer."""

ALL_FAILED = 4
STOPPED = 130
"""Ended by Ctrl-C."""


def exit_code(status: str) -> int:
    """Exit code that tells a script how a question ended, by the ``status`` of its answer."""
    if status.startswith("needs_"):
        return ASKED_BACK
    return ALL_FAILED if status == "failed" else OK
