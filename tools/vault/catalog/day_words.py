"""What FTS5 is asked for the notes and headings of some days. Pure."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta

from tools.temporal.periods.vocabulary import MONTHS, SEASONS

_FEW_DAYS = 7
"""A period that is not longer is looked for by its days."""
_MOST_MONTHS = 36
"""A longer one is looked for by its years."""
_PARTS = ("quarter", "ceyrek", "q1", "q2", "q3", "q4", *SEASONS)
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def in_lines(start: datetime, end: datetime) -> str:
    """Lines that name a day of a half-open period: ``2024-03-09``, and of few ``9 March``."""
    months = [f'"{year} {month:02}"' for year, month in _months(start, end)]
    days = [
        phrase
        for day in _days(start, end)
        for month in _month_names(day.month)
        for number in _day(day)
        for phrase in (f'"{number} {month}"', f'"{month} {number}"')
    ]
    return either([*months, *days] or _quoted(_years(start, end)))


def in_headings(start: datetime, end: datetime) -> list[str]:
    """Headings and names of notes of such days: ``2024-03-09``, ``2024``, ``Sat, March 9th``.

    Those with their year, which the name of the note may have, come first.
    """
    years = _years(start, end)
    months = _months(start, end)
    if not months:
        return [f"{{title headings}} : {either(_quoted(years))}"]
    days = _days(start, end)
    if days:
        dated = either(
            f"({_all((str(day.year),), _month(day.month), _day(day))} OR {_written(day)})"
            for day in days
        )
        named = either(_all(_month_names(day.month), _day(day)) for day in days)
        weeks = _all(years, _weeks(start, end))
        return [
            f"{{title headings}} : {dated}",
            f"headings : {named}",
            f"{{title headings}} : {weeks}",
        ]
    dated = either(
        f'({_all((str(year),), _month(month))} OR "{year}{month:02}"*)' for year, month in months
    )
    named = either(_quoted(name for _, month in months for name in _month_names(month)))
    parts = _all(years, (*_PARTS, *_weeks(start, end)))
    whole = [f"headings : {either(_quoted(years))}"] if len(months) >= 12 else []
    return [
        f"{{title headings}} : {dated}",
        *whole,
        f"headings : {named}",
        f"{{title headings}} : {parts}",
    ]


def either(expressions: Iterable[str]) -> str:
    """Any of some FTS5 expressions."""
    return f"({' OR '.join(expressions)})"


def _all(*words: Iterable[str]) -> str:
    """One of each of several lists of words."""
    return f"({' AND '.join(either(_quoted(one)) for one in words)})"


def _quoted(words: Iterable[str]) -> Iterator[str]:
    return (f'"{word}"' for word in words)


def _month(month: int) -> list[str]:
    return [*_month_names(month), str(month), f"{month:02}"]


def _month_names(month: int) -> list[str]:
    return [name for name, number in MONTHS.items() if number == month]


def _day(day: date) -> list[str]:
    ending = "th" if 10 < day.day < 14 else _ORDINALS.get(day.day % 10, "th")
    return [str(day.day), f"{day.day:02}", f"{day.day}{ending}"]


def _written(day: date) -> str:
    return f'"{day:%Y%m%d}"'


def _weeks(start: datetime, end: datetime) -> list[str]:
    """How the weeks of a half-open period are named, as in ``2024-W07``."""
    first, last = start.date(), (end - timedelta(microseconds=1)).date()
    days = [first + timedelta(days=at) for at in range(0, (last - first).days + 1, 7)]
    numbers = {day.isocalendar().week for day in (*days, last)}
    return ["week", "hafta", *(f"w{n}" for n in numbers), *(f"w{n:02}" for n in numbers)]


def _days(start: datetime, end: datetime) -> list[date]:
    """The days of a half-open period; none where they are not few."""
    first, last = start.date(), (end - timedelta(microseconds=1)).date()
    days = [first + timedelta(days=at) for at in range(min(_FEW_DAYS, (last - first).days) + 1)]
    return days if len(days) <= _FEW_DAYS else []


def _months(start: datetime, end: datetime) -> list[tuple[int, int]]:
    """The months of a half-open period; none where they are too many."""
    last = end - timedelta(microseconds=1)
    first, number = 12 * start.year + start.month - 1, 12 * last.year + last.month
    months = [(at // 12, at % 12 + 1) for at in range(first, number)]
    return months if len(months) <= _MOST_MONTHS else []


def _years(start: datetime, end: datetime) -> list[str]:
    last = end - timedelta(microseconds=1)
    return [str(year) for year in range(start.year, last.year + 1)]
