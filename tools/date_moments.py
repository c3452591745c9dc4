"""One moment from what a person types: a timestamp, a date, or the words of a period. Pure."""

from datetime import date, datetime, time, timedelta

from tools.dates import find_period
from tools.domain import Period
from tools.errors import InputError

_INSTANT = timedelta(microseconds=1)


def read_moment(text: str, *, now: datetime) -> datetime:
    """The moment ``text`` names, with ``now``'s zone where it names none.

    A date or a period means its end, so that what happened in it counts: ``2024-05-20``, ``March
    2024``, ``last summer``. Raises InputError for anything else.
    """
    period = _read(text, now=now)
    if isinstance(period, datetime):
        return period
    return period.end - _INSTANT if period.end is not None else now


def read_start(text: str, *, now: datetime) -> datetime | None:
    """As ``read_moment``, but a date or a period means its start; None where it has none."""
    period = _read(text, now=now)
    return period if isinstance(period, datetime) else period.start


def _read(text: str, *, now: datetime) -> datetime | Period:
    stripped = text.strip()
    if len(stripped) == 10 and (day := _day(stripped)) is not None:
        start = datetime.combine(day, time(), tzinfo=now.tzinfo)
        return Period(start=start, end=start + timedelta(days=1))
    try:
        exact = datetime.fromisoformat(stripped)
    except ValueError:
        return _words(stripped, now=now)
    return exact if exact.tzinfo else exact.replace(tzinfo=now.tzinfo)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _words(text: str, *, now: datetime) -> Period:
    found = find_period(f"in {text}", now=now) or find_period(text, now=now)
    if found is None:
        raise InputError(
            f"{text[:40]!r} is no date: give one like 2024-05-20, 2024-05-20T18:00+02:00 "
            "or “March 2024”."
        )
    return found.period
