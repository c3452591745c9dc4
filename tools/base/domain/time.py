"""Points and spans on the axes of valid time and transaction time."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A span of valid time, half-open: ``start <= t < end``; None is unbounded."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A point on both axes of time, None being the latest.

    ``as_of`` is when it was true (valid time), ``known_at`` by when it was known.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None
