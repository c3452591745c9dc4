"""Tables that read dates: what an expression looks like, and the function that says what it means.

A table is tried from top to bottom, so a longer form stands above the shorter one it contains.
"""

import re
from typing import NamedTuple


class Rule[F](NamedTuple):
    """One form of an expression and the function its matches are given to."""

    pattern: re.Pattern[str]
    read: F


def rules[F](*rows: tuple[F, *tuple[str, ...]]) -> tuple[Rule[F], ...]:
    """A table from rows of a function and the forms it reads, in the order they are tried."""
    return tuple(Rule(re.compile(form), read) for read, *forms in rows for form in forms)
