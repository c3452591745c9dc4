"""One moment from what a person types: a timestamp, a date, or the words of a period. Pure."""

import re
from datetime import MAXYEAR, MINYEAR, date, datetime, time, timedelta

from tools.dates import find_period
from tools.domain import Period
from tools.errors import InputError

_INSTANT = timedelta(microseconds=1)
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{8}")
# Without a time of day, Python reads a week as its Monday and a date as its first moment.
_CLOCK = re.compile(r"\d[T ]\d")


def read_moment(text: str, *, now: datetime) -> datetime:
    """The moment ``text`` names, with ``now``'s zone where it names none.

    A date or a period means its end, so that what happened in it counts: ``2024-05-20``, ``March
    2024``, ``last summer``. Raises InputError for anything else.
    """
    found = _read(text, now=now)
    if isinstance(found, datetime):
        return found
    return found.end - _INSTANT if found.end is not None else now


def read_start(text: str, *, now: datetime) -> datetime | None:
    """As ``read_moment``, but a date or a period means its start; None where it has none."""
    found = _read(text, now=now)
    return found if isinstance(found, datetime) else found.start


def _read(text: str, *, now: datetime) -> datetime | Period:
    stripped = text.strip()
    found = _day(stripped, now=now) if _DAY.fullmatch(stripped) else None
    exact = _exact(stripped, now=now) if found is None and _CLOCK.search(stripped) else None
    if exact is not None:
        found = exact if _usable(exact) else None
    elif found is None:
        words = find_period(f"in {stripped}", now=now) or find_period(stripped, now=now)
        found = words.period if words is not None else None
    if found is None:
        raise InputError(
            f"{text[:40]!r} is no date: give one like 2024-05-20, 2024-05-20T18:00+02:00 "
            "or “March 2024”."
        )
    return found


def _day(text: str, *, now: datetime) -> Period | None:
    try:
        start = datetime.combine(date.fromisoformat(text), time(), tzinfo=now.tzinfo)
    except ValueError:
        return None
    if not _usable(start):
        return None
    return Period(start=start, end=start + timedelta(days=1))


def _exact(text: str, *, now: datetime) -> datetime | None:
    try:
        exact = datetime.fromisoformat(text)
    except ValueError:
        return None
    return exact if exact.tzinfo else exact.replace(tzinfo=now.tzinfo)


def _usable(moment: datetime) -> bool:
    """Whether the moment has a day on either side, whatever the zone."""
    return MINYEAR < moment.year < MAXYEAR
