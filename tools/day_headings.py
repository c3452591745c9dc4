"""The day that a heading over a line names, as in a journal. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta

from tools.dates import may_name_date, period_of, read_dates
from tools.day_links import with_day_links
from tools.domain import Excerpt, Result
from tools.errors import InputError

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ON = "on "
_MARKS = re.compile(r"^\W+")
_DAY = timedelta(days=1)


def day_over(excerpt: Excerpt, *, named: str, written: datetime) -> datetime | None:
    """The day, at its midnight, that the nearest heading over a line names, if one does.

    A heading above that of the line's own section must begin with it: "2024-05-26" over "Evening".
    A day without a year is of the year in a heading above, else of the one that ``named`` has, the
    title and path of the note, else of that in which the line was ``written``.
    """
    headings = excerpt.over if excerpt.heading is None else (*excerpt.over, excerpt.heading)
    for depth in reversed(range(len(headings))):
        own = depth == len(headings) - 1
        year = _year_of((*reversed(headings[:depth]), named), written)
        if found := _day_of(headings[depth], year, written, anywhere=own):
            return found
    return None


def headed_day(result: Result, excerpt: Excerpt) -> datetime | None:
    """The day over a line that is quoted of a note; None where no heading over it names one."""
    written = result.metadata.created_date or excerpt.version
    if written is None:
        return None
    named = f"{result.note_title} {result.note_path}"
    return day_over(excerpt, named=named, written=written)


def _day_of(heading: str, year: int, written: datetime, *, anywhere: bool) -> datetime | None:
    if not may_name_date(heading):
        return None
    midnight = written.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        # "March 9th" alone might be a verb; on it, it is a day.
        dated = read_dates(f"{_ON}{_MARKS.sub('', with_day_links(heading))}", now=midnight)
        found = period_of(dated, ahead=True)
        if found is None or found.period.start is None:
            return None
        if found.period.end != found.period.start + _DAY:
            return None
        if not anywhere and found.span[0] > len(_ON):
            return None
        mention = dated.dates[0].mention
        if len(dated.dates) > 1 or mention.year is not None:
            return found.period.start
        return datetime.combine(mention.days(year)[0], time(), midnight.tzinfo)
    except (InputError, ValueError):  # no such day, or none in that year
        return None


def _year_of(texts: Sequence[str], written: datetime) -> int:
    """The one year that the first of the texts with any names, else that of ``written``."""
    for text in texts:
        years = set(_YEAR.findall(text))
        if len(years) == 1:
            return int(years.pop())
    return written.year
