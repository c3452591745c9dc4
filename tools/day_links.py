"""Links to the notes of days: "First harvest, [[2024-05-26]]" says when it was. Pure."""

import re
from datetime import UTC, datetime

from tools.dates import may_name_date, read_dates
from tools.errors import InputError

_LINK = re.compile(r"(?<!!)\[\[(?P<target>[^\[\]|#\n]+)[^\[\]\n]*\]\]")
# "2024-05-26 Sun"; of dates only whole names of weekdays are a part.
_SHORT_WEEKDAY = re.compile(r"\W*(?:mon|tues?|wed|thur?s?|fri|sat|sun)?\W*", re.IGNORECASE)
_ANY_DAY = datetime(2100, 1, 1, tzinfo=UTC)


def with_day_links(text: str) -> str:
    """The text with each link to the note of a day, week, month or season given as its date.

    ``[[Daily/2024-05-26|that Sunday]]`` becomes ``2024-05-26``; other links stay as they are, that
    to ``[[1984]]`` too, which may be a book.
    """
    return _LINK.sub(_date_or_link, text) if "[[" in text else text


def _date_or_link(link: re.Match[str]) -> str:
    name = link["target"].rpartition("/")[2].removesuffix(".md").strip()
    return _date_of(name.replace("_", "-")) or link[0]


def _date_of(name: str) -> str | None:
    """The date that a note's whole name is: "2024-05-26 Sun", "May 26th, 2024"."""
    if not may_name_date(name):
        return None
    try:
        dates = read_dates(name, now=_ANY_DAY).dates
    except InputError:  # no such day
        return None
    if len(dates) != 1 or dates[0].mention.year is None or dates[0].mention.unit == "year":
        return None
    start, end = dates[0].start, dates[0].end
    alone = not name[:start].strip() and _SHORT_WEEKDAY.fullmatch(name, end)
    return name[start:end] if alone else None
