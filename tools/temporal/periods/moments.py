"""One moment from what a person types: a timestamp, a date, or the words of a period. Pure."""

import re
from datetime import MAXYEAR, MINYEAR, date, datetime, time, timedelta

from tools.base.domain import Period
from tools.base.errors import InputError
from tools.temporal.periods.question_period import DatedText, period_of, read_dates
from tools.temporal.periods.sides import is_range, sides
from tools.text.tokens import WORD

_INSTANT = timedelta(microseconds=1)
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{8}")
# Without a time of day, Python reads a week as its Monday and a date as its first moment.
_CLOCK = re.compile(r"\d[T ]\d")
_LITTLE = frozenset(("at", "back", "in", "of", "on", "sometime", "the"))
"""Words beside a date that change nothing of it."""


def read_moment(text: str, *, now: datetime) -> datetime:
    """The moment ``text`` names, with ``now``'s zone where it names none.

    A date or a period means its end, so that what happened in it counts: ``2024-05-20``, ``March
    2024``, ``last summer``, ``from March to May 2024``. Raises InputError for anything else, for
    several dates, and for a date with other words.
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
        found = _period(stripped, now=now)
    if found is None:
        raise _unusable(text, "is no date, or one in the future")
    return found


def _period(text: str, *, now: datetime) -> Period | None:
    """The period that the words name, if they name nothing else. Raises InputError."""
    for words in (f"in {text}", text):
        dated = read_dates(words, now=now)
        found = period_of(dated)
        if found is None:
            continue
        start, end = found.span
        beside = WORD.findall(f"{dated.text[:start]} {dated.text[end:]}")
        if found.period == Period() or _several(dated):
            raise _unusable(text, "is more than one date")
        if not _LITTLE.issuperset(beside):
            more = len(dated.dates) > 1
            raise _unusable(text, "is more than one date" if more else "says more than a date")
        return found.period
    return None


def _several(dated: DatedText) -> bool:
    """Whether dates stand side by side that are not the two ends of one period."""
    chain = sides(dated.text, dated.dates)
    return len(chain) > 2 or (len(chain) == 2 and not is_range(dated.text, *chain))


def _unusable(text: str, why: str) -> InputError:
    return InputError(
        f"{text[:40]!r} {why}: give one like 2024-05-20, 2024-05-20T18:00+02:00 or “March 2024”."
    )


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
