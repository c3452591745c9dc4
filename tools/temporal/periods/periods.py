"""What a date expression means: half-open spans of days, and the arithmetic on them."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

EARLIEST_YEAR = 1900

type Days = tuple[date, date]

BESIDE = frozenset(("since", "after", "before", "until", "between", "from", "within", "around"))
"""The bounds that make a date of a word that is one only now and then; "on" suits days alone."""
DAYLIKE = BESIDE | {"on"}
OPEN = BESIDE - {"within", "from", "around"}
SINCE = frozenset(("since",))
CAPITAL = frozenset(("capital",))
"""Counts only if it is written with a capital: "2024 May", not "in 2024 may"."""
IMPLIED = frozenset(("part",))
"""Counts only within a larger expression: "the year" in "the first half of the year"."""
NOW = "now"
"""The unit of a word that means the present; it is longer than nothing and part of nothing."""

# From the shortest: a part must be shorter than what it is a part of.
_LENGTHS = {
    unit: length
    for length, units in enumerate(
        (
            "day weekday weekend",
            "week",
            "month",
            "quarter season",
            "half",
            "year",
            "decade",
            "century",
        )
    )
    for unit in units.split()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A date expression at ``start:end``. ``days(year)`` is half-open, ValueError if impossible.

    ``year`` is None where the text leaves it open. ``unit`` is the calendar unit it is one of, or
    empty. ``needs``, if not empty, lists the bounds one of which must govern it: "may" alone is
    no date.
    """

    start: int
    end: int
    days: Callable[[int], Days]
    year: int | None
    unit: str = ""
    needs: frozenset[str] = frozenset()


type Reader = Callable[[re.Match[str], date], Mention | None]
"""Reads a match, given today; None if it is no date after all."""


def mention(
    match: re.Match[str],
    days: Callable[[int], Days],
    year: int | None,
    *,
    unit: str = "",
    needs: frozenset[str] = frozenset(),
) -> Mention:
    """The mention that a whole match is."""
    start, end = match.span()
    return Mention(start=start, end=end, days=days, year=year, unit=unit, needs=needs)


def longer(whole: str, part: str) -> bool:
    """Whether a ``whole`` can have several of ``part``; nothing is a part of an unknown unit."""
    return _LENGTHS.get(whole, -1) > _LENGTHS[part]


# --- calendar units ------------------------------------------------------------------------


def one_day(day: date) -> Days:
    """``day`` alone."""
    return day, day + timedelta(days=1)


def days_of_month(year: int, month: int, day: int, *, last: int | None = None) -> Days:
    """A day of a month, or all up to and with ``last``. Raises ValueError for one it lacks."""
    return date(year, month, day), date(year, month, last or day) + timedelta(days=1)


def months(year: int, month: int, count: int = 1) -> Days:
    """``count`` calendar months from ``month``, which may lie outside 1..12 for another year."""
    first, after = year * 12 + month - 1, year * 12 + month - 1 + count
    return date(first // 12, first % 12 + 1, 1), date(after // 12, after % 12 + 1, 1)


def real_month(year: int, month: int) -> Days:
    """A month from 1 to 12. Raises ValueError for any other."""
    return date(year, month, 1), months(year, month)[1]


def quarter(year: int, number: int) -> Days:
    """A quarter from 1 to 4. Raises ValueError for any other."""
    if number not in range(1, 5):
        raise ValueError("a year has four quarters")
    return months(year, number * 3 - 2, 3)


def iso_week(year: int, week: int, weekday: int = 0) -> Days:
    """An ISO week, or its ``weekday`` from 1."""
    start = date.fromisocalendar(year, week, weekday or 1)
    return start, start + timedelta(days=1 if weekday else 7)


def shifted(day: date, unit: str, count: int) -> date:
    """``day`` moved by ``count`` units; the 31st becomes the last day of a shorter month."""
    match unit:
        case "day" | "week":
            return day + timedelta(days=count * (7 if unit == "week" else 1))
        case _:
            moved = months(day.year, day.month + count * {"month": 1, "quarter": 3}.get(unit, 12))
            return moved[0].replace(day=min(day.day, monthrange(*moved[0].timetuple()[:2])[1]))


def back_from(day: date, unit: str, count: int) -> date:
    """``day`` moved back by ``count`` units, at most to the first day there is."""
    try:
        return shifted(day, unit, -count)
    except (ValueError, OverflowError):
        return date.min


def unit_days(today: date, unit: str, back: int = 0) -> Days:
    """The calendar day, week, weekend … year, ``back`` of them before the one of ``today``."""
    match unit:
        case "day":
            return one_day(today - timedelta(days=back))
        case "week":
            start = today - timedelta(days=today.weekday() + 7 * back)
            return start, start + timedelta(days=7)
        case "weekend":
            saturday = unit_days(today, "week", back)[0] + timedelta(days=5)
            return saturday, saturday + timedelta(days=2)
        case "month":
            return months(today.year, today.month - back)
        case "quarter":
            return months(today.year, (today.month - 1) // 3 * 3 + 1 - 3 * back, 3)
        case "decade":
            return months(today.year // 10 * 10 - 10 * back, 1, 120)
        case _:
            return months(today.year - back, 1, 12)


def rolling_days(today: date, unit: str, count: int) -> Days:
    """``count`` units up to and with today."""
    tomorrow = today + timedelta(days=1)
    if unit in {"day", "week"}:
        return shifted(today, unit, -count), tomorrow
    first, after = months(
        today.year, today.month - count * {"month": 1, "quarter": 3}.get(unit, 12)
    )
    return min(first + timedelta(today.day - 1), after), tomorrow


def latest(days: Callable[[int], Days], today: date, *, over: bool = False) -> int:
    """The newest year in which ``days`` has begun by ``today``, or is even over."""
    for year in range(today.year, today.year - 9, -1):
        try:
            start, end = days(year)
        except (ValueError, OverflowError):  # 29 February needs a leap year
            continue
        if (end if over else start) <= today:
            return year
    return today.year


# --- parts of a period ---------------------------------------------------------------------

# Where the middle and the late part of a unit begin.
_THIRDS = {
    "week": ("day", 2, 4),
    "month": ("day", 10, 20),
    "quarter": ("month", 1, 2),
    "season": ("month", 1, 2),
    "half": ("month", 2, 4),
    "year": ("month", 4, 8),
    "decade": ("year", 4, 7),
    "century": ("year", 33, 67),
}

STRETCHED = frozenset(_THIRDS)
"""The units that have an early, a middle and a late part."""


def stretch(whole: Days, unit: str, part: str) -> Days:
    """The ``part`` of a unit: early, mid or late are its thirds; so are its start and end.

    Only a year's start and end are narrower: the first and the last quarter. ``unit`` is one
    of STRETCHED.
    """
    start, end = whole
    step, middle, late = _THIRDS[unit]
    if unit == "year" and part in {"start", "end"}:
        middle, late = 3, 9
    if part in {"early", "start"}:
        return start, shifted(start, step, middle)
    if part in {"late", "end"}:
        return shifted(start, step, late), end
    return shifted(start, step, middle), shifted(start, step, late)


def half(whole: Days, number: int) -> Days:
    """The first or second half; of a month the first has 15 days."""
    start, end = whole
    span = (end.year - start.year) * 12 + end.month - start.month
    middle = shifted(start, "month", span // 2) if span > 1 else start + timedelta(days=15)
    return (start, middle) if number == 1 else (middle, end)


def nth(whole: Days, unit: str, number: int, *, count: int = 1) -> Days:
    """Part ``number`` from 1 of ``whole`` cut into units, or the last one for -1, or ``count``.

    Raises ValueError where it has no such part.
    """
    start, end = whole
    if unit == "half":
        return half(whole, 2 if number == -1 else number)
    if number == -1:
        part = shifted(end, unit, -count), end
    else:
        part = shifted(start, unit, number - 1), shifted(start, unit, number - 1 + count)
    if not start <= part[0] < part[1] <= end:
        raise ValueError("no such part")
    return part


def nth_weekday(whole: Days, weekday: int, number: int, *, length: int = 1) -> Days:
    """The ``number``-th such weekday that begins in ``whole``, with the days that follow it."""
    start, end = whole
    if number == -1:
        last = end - timedelta(days=1)
        day = last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        day = start + timedelta(days=(weekday - start.weekday()) % 7 + 7 * (number - 1))
    if not start <= day < end:
        raise ValueError("no such weekday")
    return day, day + timedelta(days=length)


def next_weekday(days: Days, weekday: int, side: int, *, length: int = 1) -> Days:
    """The nearest such weekday, and the days that follow it, wholly before or after ``days``."""
    start, end = days
    if side < 0:
        last = start - timedelta(days=length)
        day = last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        day = end + timedelta(days=(weekday - end.weekday()) % 7)
    return day, day + timedelta(days=length)


def beside(days: Days, unit: str, count: int, *, exact: bool) -> Days:
    """The unit ``count`` before (negative) or after ``days``; ``exact`` the day that far away."""
    start, end = days
    edge = start if count < 0 else end - timedelta(days=1)
    if exact or unit == "day":
        return one_day(shifted(edge, unit, count))
    if unit == "week":
        return (
            (shifted(start, unit, count), start) if count < 0 else (end, shifted(end, unit, count))
        )
    return unit_days(shifted(edge, unit, count), unit)
