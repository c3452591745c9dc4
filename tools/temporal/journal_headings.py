"""The days that a heading over a line names, as in a journal. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from tools.base.domain import Excerpt, Period, Result
from tools.base.errors import InputError
from tools.temporal.journal_links import SOME_DAYS, with_day_links
from tools.temporal.periods.periods import Mention
from tools.temporal.periods.question_period import may_name_date, period_of, read_dates
from tools.temporal.periods.vocabulary import MONTHS, WEEKDAYS
from tools.temporal.relative_to_line import weekday_of
from tools.text.normalize import flatten, fold
from tools.text.stopwords import GRAMMAR
from tools.text.tokens import words_of

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MARKS = re.compile(r"^[^\w\[]+")
_UNDERSCORES = re.compile(r"(?<=\d)_(?=\d)")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_DAY, _WEEK, _YEAR_LONG = timedelta(days=1), timedelta(days=7), timedelta(days=365)
_LEAP_YEAR = 2096
_BEFORE = timedelta(days=31)
"""A note may tell of days so long before it was begun: of a journey, or of the weeks past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What tells in which year a note speaks of 9 May: its names, and when it was written."""

    title: str
    path: str
    begun: datetime
    changed: datetime | None = None

    @property
    def names(self) -> str:
        return f"{self.title} {self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadedDays:
    """Whole days from ``start`` to before ``end``, as a calendar has them, in no zone of theirs.

    Their year may be ``inferred`` from the dates of the note. ``alone``: the heading says nothing
    else; ``named``: it is the name of the note.
    """

    start: datetime
    end: datetime
    alone: bool
    named: bool = False
    inferred: bool = False

    @property
    def period(self) -> Period:
        return Period(start=self.start, end=self.end)

    @property
    def last(self) -> datetime:
        return self.end - _DAY


def days_over(excerpt: Excerpt, writing: Writing) -> HeadedDays | None:
    """The days that the nearest heading over a line names, or the note's own name; else None.

    One day counts wherever the heading of the line's own section names it, and in those above that
    where they begin or end with it: "2024-05-26" or "Standup 2024-05-26" over "Decisions", but not
    "Plans for 26 May". What is longer counts where it is all that a heading says; in a week a day
    of it does ("Monday"). A year that is not said is the one in a heading above or in a name of the
    note, else that of the first such day in which the note was written, or else of the nearest.
    """
    name = PurePosixPath(writing.path).stem
    headings = (*excerpt.over, excerpt.heading) if excerpt.heading else excerpt.over
    weekday: int | None = None
    for depth, heading in reversed([*enumerate(headings)]):
        above = (*reversed(headings[:depth]), writing.names)
        found = _days_of(heading, above, writing, own=depth == len(headings) - 1)
        if found and not (found.inferred and fold(heading) == fold(writing.title)):
            return _on(weekday, found)
        weekday = weekday or WEEKDAYS.get(" ".join(_WORD.findall(flatten(heading))))
    # "1984" and "May" may be a book and a person.
    found = _days_of(name, (), writing, own=False)
    if found is None or found.inferred or name.isdigit():
        return None
    return _on(weekday, replace(found, named=True))


def _on(weekday: int | None, days: HeadedDays) -> HeadedDays:
    """The days, or of a week the one that is named in it."""
    if weekday is None or days.end - days.start != _WEEK:
        return days
    start = days.start + (weekday - days.start.weekday()) % 7 * _DAY
    return replace(days, start=start, end=start + _DAY, alone=True, named=False)


def headed_days(result: Result, excerpt: Excerpt) -> HeadedDays | None:
    """The days over a line that is quoted of a note.

    None where nothing over it names any, and where that of the note only tells its date again.
    """
    writing = writing_of(result, excerpt)
    days = days_over(excerpt, writing) if writing else None
    if writing is None or days is None:
        return None
    again = days.named and days.start <= writing.begun < days.end
    return None if again else days


def writing_of(result: Result, excerpt: Excerpt) -> Writing | None:
    """When the note that is quoted was written; None where nothing tells."""
    begun = result.metadata.created_date or excerpt.version
    if begun is None:
        return None
    changed = result.metadata.modified_date
    return Writing(title=result.note_title, path=result.note_path, begun=begun, changed=changed)


class _Said(NamedTuple):
    """What a heading says of days: from when to when, of which year if it says so.

    ``alone``: nothing else; ``edge``: nothing before it, or nothing behind, and no word on which it
    depends ("for").
    """

    start: datetime
    end: datetime
    mention: Mention
    weekday: int | None
    yearless: bool
    edge: bool
    alone: bool


@lru_cache(maxsize=4096)  # a journal has the same few in every question
def _said(heading: str) -> _Said | None:
    if not may_name_date(heading):
        return None
    text = _MARKS.sub("", with_day_links(_UNDERSCORES.sub("-", heading)))
    if not any(word.isdigit() or word in MONTHS for word in _WORD.findall(flatten(text))):
        return None  # "Sunday" and "Today" are those of some week
    for governing in ("on ", "in "):  # "March 9th" alone might be a verb
        said, again = (_read(governing, text, now) for now in SOME_DAYS)
        if said and again:
            return said if _meant(said) == _meant(again) else None
    return None


def _read(governing: str, text: str, now: datetime) -> _Said | None:
    try:
        dated = read_dates(governing + text, now=now)
        found = period_of(dated)
    except InputError:  # no such day
        return None
    if found is None or found.period.start is None or found.period.end is None:
        return None
    said = dated.question
    begins = found.span[0] <= len(governing)
    ends = not any(map(str.isalnum, said[found.span[1] :]))
    before = words_of(said[len(governing) : found.span[0]])
    return _Said(
        start=found.period.start,
        end=found.period.end,
        mention=dated.dates[0].mention,
        weekday=weekday_of(dated, dated.dates[0]),
        yearless=all(one.mention.year is None for one in dated.dates),
        edge=begins or (ends and before[-1:] != () and before[-1] not in GRAMMAR),
        alone=begins and ends,
    )


def _meant(said: _Said) -> object:
    """The days that are meant, whatever day it is read on; without their year if none is said."""
    return _first_day(said.mention, _LEAP_YEAR) if said.yearless else (said.start, said.end)


def _days_of(
    heading: str, above: Sequence[str], writing: Writing, *, own: bool
) -> HeadedDays | None:
    said = _said(heading)
    if said is None or not (said.alone or (said.end - said.start == _DAY and (own or said.edge))):
        return None
    zone = writing.begun.tzinfo
    start, end = said.start.replace(tzinfo=zone), said.end.replace(tzinfo=zone)
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
