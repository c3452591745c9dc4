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
