"""One moment from what a person types: a timestamp, a date, or the words of a period. Pure."""

import re
from datetime import MAXYEAR, MINYEAR, date, datetime, time, timedelta

from tools.dates import find_period
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
    stripped = text.strip()
    moment = _day_end(stripped) if _DAY.fullmatch(stripped) else None
    if moment is None and _CLOCK.search(stripped):
        moment = _exact(stripped)
    if moment is None:
        moment = _end_of_words(stripped, now=now)
    if moment is None or not MINYEAR < moment.year < MAXYEAR:
        raise InputError(
            f"{text[:40]!r} is no date: give one like 2024-05-20, 2024-05-20T18:00+02:00 "
            "or “March 2024”."
        )
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _day_end(text: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(text), time.max)
    except ValueError:
        return None


def _exact(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _end_of_words(text: str, *, now: datetime) -> datetime | None:
    found = find_period(f"in {text}", now=now) or find_period(text, now=now)
    if found is None:
        return None
    end = found.period.end
    return end - _INSTANT if end is not None else now
