"""One moment from what a person types: a timestamp, a date, or the words of a period. Pure."""

from datetime import date, datetime, time, timedelta

from tools.dates import find_period
from tools.errors import InputError

_INSTANT = timedelta(microseconds=1)


def read_moment(text: str, *, now: datetime) -> datetime:
    """The moment ``text`` names, with ``now``'s zone where it names none.

    A date or a period means its end, so that what happened in it counts: ``2024-05-20``, ``March
    2024``, ``last summer``. Raises InputError for anything else.
    """
    stripped = text.strip()
    if len(stripped) == 10 and (day := _day(stripped)) is not None:
        return datetime.combine(day + timedelta(days=1), time(), tzinfo=now.tzinfo) - _INSTANT
    try:
        exact = datetime.fromisoformat(stripped)
    except ValueError:
        return _end_of_words(stripped, now=now)
    return exact if exact.tzinfo else exact.replace(tzinfo=now.tzinfo)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _end_of_words(text: str, *, now: datetime) -> datetime:
    found = find_period(f"in {text}", now=now) or find_period(text, now=now)
    if found is None:
        raise InputError(
            f"{text[:40]!r} is no date: give one like 2024-05-20, 2024-05-20T18:00+02:00 "
            "or “March 2024”."
        )
    end = found.period.end
    return end - _INSTANT if end is not None else now
