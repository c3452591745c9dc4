"""Tables that read dates: what an expression looks like, and the function that says what it means.

A table is tried from top to bottom, so a longer form stands above the shorter one it contains.
"""

import re
from functools import cache
from typing import NamedTuple


class Rule[F](NamedTuple):
    """One form of an expression, as a pattern, and the function its matches are given to."""

    form: str
    read: F

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.form)


@cache  # compiled at the first date: most commands read none
def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form)


def rules[F](*rows: tuple[F, *tuple[str, ...]]) -> tuple[Rule[F], ...]:
    """A table from rows of a function and the forms it reads, in the order they are tried."""
    return tuple(Rule(form, read) for read, *forms in rows for form in forms)
