"""Links to the notes of days: "First harvest, [[2024-05-26]]" says when it was. Pure."""

import re
from datetime import UTC, datetime

from tools.base.errors import InputError
from tools.temporal.periods.bounds import Governed
from tools.temporal.periods.question_period import may_name_date, read_dates

_LINK = re.compile(r"(?<!!)\[\[(?P<target>[^\[\]|#\n]+)[^\[\]\n]*\]\]")
# "2024-05-26 Sun"; of dates only whole names of weekdays are a part.
_SHORT_WEEKDAY = re.compile(r"\W*(?:mon|tues?|wed|thur?s?|fri|sat|sun)?\W*", re.IGNORECASE)
SOME_DAYS = datetime(2100, 1, 1, tzinfo=UTC), datetime(2098, 8, 9, tzinfo=UTC)
"""What means other days on one than on the other says nothing by itself: "last week"."""


def with_day_links(text: str) -> str:
    """The text with each link to the note of a day, week, month or season given as its date.

    ``[[Daily/2024-05-26|that Sunday]]`` becomes ``2024-05-26``; other links stay as they are, that
    to ``[[1984]]`` too, which may be a book.
    """
    return _LINK.sub(_date_or_link, text) if "[[" in text else text


def days_linked(text: str) -> tuple[str, ...]:
    """The dates that links to the notes of days, weeks, months or seasons are."""
    links = _LINK.finditer(text) if "[[" in text else ()
    return tuple(said for link in links if (said := _date_of(_named(link))))


def _date_or_link(link: re.Match[str]) -> str:
    return _date_of(_named(link)) or link[0]


def _named(link: re.Match[str]) -> str:
    return link["target"].rpartition("/")[2].removesuffix(".md").strip().replace("_", "-")


def _date_of(name: str) -> str | None:
    """The date that a note's whole name is: "2024-05-26 Sun", "May 26th, 2024"."""
    if not may_name_date(name):
        return None
    said, again = (_read(name, now) for now in SOME_DAYS)
    if said is None or again is None:
        return None
    year = said.mention.year
    if year is None or said.mention.unit == "year":
        return None
    try:
        if said.mention.days(year) != again.mention.days(year):
            return None
    except (ValueError, OverflowError):  # no such day
        return None
    alone = not name[: said.start].strip() and _SHORT_WEEKDAY.fullmatch(name, said.end)
    return name[said.start : said.end] if alone else None


def _read(name: str, now: datetime) -> Governed | None:
    try:
        dates = read_dates(name, now=now).dates
    except InputError:  # no such day
        return None
    return dates[0] if len(dates) == 1 else None
