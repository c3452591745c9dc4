"""The days that a heading over a line names, as in a journal. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from tools.date_periods import Mention
from tools.date_words import MONTHS
from tools.dates import may_name_date, period_of, read_dates
from tools.day_links import with_day_links
from tools.domain import Excerpt, Period, Result
from tools.errors import InputError
from tools.folding import flatten
from tools.line_dates import weekday_of

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MARKS = re.compile(r"^\W+")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_DAY, _YEAR_LONG = timedelta(days=1), timedelta(days=365)
_ANY_DAY = datetime(2100, 1, 1, tzinfo=UTC)
_BEFORE = timedelta(days=31)
"""A note may tell of days so long before it was begun: of a journey, or of the weeks past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What tells in which year a note speaks of 9 May: its names, and when it was written."""

    names: str
    begun: datetime
    changed: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadedDays:
    """Whole days from ``start`` to before ``end``; their year may be ``inferred`` from dates.

    ``alone``: the heading says nothing else.
    """

    start: datetime
    end: datetime
    alone: bool
    inferred: bool = False

    @property
    def period(self) -> Period:
        return Period(start=self.start, end=self.end)

    @property
    def last(self) -> datetime:
        return self.end - _DAY


def days_over(excerpt: Excerpt, writing: Writing) -> HeadedDays | None:
    """The days that the nearest heading over a line names; None where none does.

    One day counts wherever the heading of the line's own section names it, and in those above that
    where they begin with it: "2024-05-26" over "Evening". What is longer counts where it is all
    that a heading says. A year that is not said is the one in a heading above or in a name of the
    note, else that of the first such day in which the note was written, or else of the nearest.
    """
    headings = excerpt.over if excerpt.heading is None else (*excerpt.over, excerpt.heading)
    for depth in reversed(range(len(headings))):
        above = (*reversed(headings[:depth]), writing.names)
        if found := _days_of(headings[depth], above, writing, own=depth == len(headings) - 1):
            return found
    return None


def headed_days(result: Result, excerpt: Excerpt) -> HeadedDays | None:
    """The days over a line that is quoted of a note; None where no heading over it names any."""
    writing = writing_of(result, excerpt)
    return days_over(excerpt, writing) if writing else None


def writing_of(result: Result, excerpt: Excerpt) -> Writing | None:
    """When the note that is quoted was written; None where nothing tells."""
    begun = result.metadata.created_date or excerpt.version
    if begun is None:
        return None
    names = f"{result.note_title} {result.note_path}"
    return Writing(names=names, begun=begun, changed=result.metadata.modified_date)


class _Said(NamedTuple):
    """What a heading says of days: from when to when, of which year if it says so.

    ``alone``: nothing else; ``begins``: nothing before.
    """

    period: tuple[datetime, datetime]
    mention: Mention
    weekday: int | None
    yearless: bool
    begins: bool
    alone: bool


@lru_cache(maxsize=4096)  # a journal has the same few in every question
def _said(heading: str) -> _Said | None:
    if not may_name_date(heading):
        return None
    said = _MARKS.sub("", with_day_links(heading))
    if not any(word.isdigit() or word in MONTHS for word in _WORD.findall(flatten(said))):
        return None  # "Sunday" and "Today" are those of some week
    for governing in ("on ", "in "):  # "March 9th" alone might be a verb
        try:
            dated = read_dates(governing + said, now=_ANY_DAY)
            found = period_of(dated, ahead=True)
        except InputError:  # no such day
            return None
        if found is None or found.period.start is None or found.period.end is None:
            continue
        begins = found.span[0] <= len(governing)
        return _Said(
            period=(found.period.start, found.period.end),
            mention=dated.dates[0].mention,
            weekday=weekday_of(dated, dated.dates[0]),
            yearless=all(one.mention.year is None for one in dated.dates),
            begins=begins,
            alone=begins and not any(map(str.isalnum, dated.question[found.span[1] :])),
        )
    return None


def _days_of(
    heading: str, above: Sequence[str], writing: Writing, *, own: bool
) -> HeadedDays | None:
    said = _said(heading)
    if said is None:
        return None
    zone = writing.begun.tzinfo
    start, end = (bound.replace(tzinfo=zone) for bound in said.period)
    if not (said.alone or (end - start == _DAY and (own or said.begins))):
        return None
    days = HeadedDays(start=start, end=end, alone=said.alone)
    return _in_its_year(days, said, _year_of(above), writing) if said.yearless else days


def _in_its_year(
    days: HeadedDays, said: _Said, year: int | None, writing: Writing
) -> HeadedDays | None:
    """The days that are said without a year, in the one that is known, or most likely."""
    begun = writing.begun.replace(hour=0, minute=0, second=0, microsecond=0)
    changed = writing.changed or begun + _YEAR_LONG
    years = [year] if year else range(begun.year - 1, max(begun.year, changed.year) + 2)
    starts = [
        datetime(day.year, day.month, day.day, tzinfo=begun.tzinfo)
        for one in years
        if (day := _first_day(said.mention, one))
    ]
    if said.weekday and not year:
        starts = [one for one in starts if one.isoweekday() == said.weekday]
    written = (one for one in starts if begun - _BEFORE <= one <= changed)
    near = min(starts, key=lambda one: abs(one - begun), default=None)
    start = next(written, near)
    if start is None:
        return None
    end = start + (days.end - days.start)
    return replace(days, start=start, end=end, inferred=year is None)


def _first_day(mention: Mention, year: int) -> date | None:
    try:
        return mention.days(year)[0]
    except (ValueError, OverflowError):  # 29 February
        return None


def _year_of(texts: Sequence[str]) -> int | None:
    """The one year that the first of the texts with any names."""
    for text in texts:
        years = set(_YEAR.findall(text))
        if len(years) == 1:
            return int(years.pop())
    return None
