"""The day that a line of evidence speaks of, for questions that ask when. Pure.

"Yesterday" in a note of 8 May 2023 is 7 May 2023; a line that names no day stands under the date of
its heading or note.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from tools.base.domain import Excerpt, Period, Result
from tools.temporal.journal_headings import HeadedDays, headed_days
from tools.temporal.journal_links import SOME_DAYS, days_linked, with_day_links
from tools.temporal.relative_to_line import clause_on, is_recurring, named_days
from tools.temporal.tense import tense
from tools.text.markdown.quotes import link_texts
from tools.text.normalize import flatten
from tools.text.voice import day, day_of_year, month, translate

# "When does the train leave?", "ne zaman açık?": no note was written at that time.
_HABIT = re.compile(
    r"\bwhen (?:do|does)\b|\bwhen (?:is|are)\b.*\b(?:open|closed|shut|served|collected|emptied)\b"
    r"|\bne zaman\b.*\b(?:(?:acik|kapali)\w*|\w+[iu]yor(?:l[ae]r)?|\w+[aeiu]r(?:l[ae]r)?)\W*$"
)
_ADDRESS = re.compile(r"https?://\S+")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTime:
    """The whole days a line speaks of, and the words in it that say so.

    Where it names no time, ``said`` is empty and the period is that ``under`` which it stands: the
    day of the note, of its version, or what a heading or the note's name says (``headed``).
    A note without a date leaves ``under`` open. ``ahead`` says that the line looks ahead: it was
    not written when the days it names were over.
    """

    period: Period
    said: str
    under: Period
    headed: HeadedDays | None = None
    ahead: bool = False


def resolve_event_time(result: Result, excerpt: Excerpt, *, question: str = "") -> EventTime | None:
    """The time that a quoted line speaks of; of several that of what the question asks.

    None where neither it nor its note has a date, where it tells of what comes again ("on weekdays"
    is no day), and where it names no day and the question asks when something is so day by day.
    When a file was saved is no date: of such a note only what means the same on any day says when.
    """
    written = excerpt.version or result.metadata.written
    said = _ADDRESS.sub(" ", link_texts(excerpt.text))  # "10.1371" in an address is no October
    if is_recurring(with_day_links(said), written or SOME_DAYS[0]):
        return None
    headed = headed_days(result, excerpt)
    if written is None and headed and headed.inferred:
        headed = None
    clause, linked = clause_on(question, said), days_linked(said)
    if headed:
        day, under = headed.last, headed.period  # of 2023 "in May" is that of 2023
    elif written:
        day = written.replace(hour=0, minute=0, second=0, microsecond=0)
        under = Period(start=day, end=day + _DAY)
    else:
        day, under = SOME_DAYS[0], Period()
    found = named_days(clause, day, linked=linked)
    if under == Period() and found != named_days(clause, SOME_DAYS[1], linked=linked):
        return None
    if found is None and (under == Period() or _asks_habit(question)):
        return None
    period = found[0] if found else under
    first = period.start or period.end
    return EventTime(
        period=period,
        said=found[1] if found else "",
        under=under,
        headed=headed,
        ahead=first is not None and first.date() > day.date() and tense(clause) != "past",
    )


def _asks_habit(question: str) -> bool:
    return _HABIT.search(flatten(question)) is not None


def in_words(when: EventTime, *, sure: bool = True) -> str:
    """``**7 May 2023** (“yesterday” in a note of 8 May 2023)``, one line; bold where ``sure``."""
    if when.headed and when.headed.named:
        why = translate("the date in its note's name")
    elif when.headed:
        why = translate("the date of its heading")
        why += translate(", which names no year") if when.headed.inferred else ""
    else:
        why = translate("the note's date")
    if when.said:
        why = f"“{when.said}”"
        if when.under != Period():
            why += f" {_place(when)}"
            why += translate(", which looks ahead") if when.ahead else ""
    told = period_in_words(when.period)
    return f"**{told}** ({why})" if sure else f"{told} ({why})"


def _place(when: EventTime) -> str:
    """Where a line stands, by the date that it stands under."""
    day = period_in_words(when.under)
    if when.headed and when.headed.named:
        return translate("in the note of {day}", day=day)
    return translate("under the heading of {day}" if when.headed else "in a note of {day}", day=day)


def is_day(period: Period) -> bool:
    """Say whether a period is one day."""
    return period.start is not None and period.end == period.start + _DAY


def period_in_words(period: Period) -> str:
    """``7 May 2023``, ``May 2023``, ``2023``, ``1 to 7 May 2023``, ``since …`` or ``before …``."""
    start = period.start.date() if period.start else None
    end = period.end.date() if period.end else None
    if start and end:
        return _span(start, end)
    if start:
        return translate("since {day}", day=_opening(start))
    return translate("before {day}", day=_opening(end)) if end else ""


# --- days in words -------------------------------------------------------------------------


def _span(start: date, end: date) -> str:
    """Days from ``start`` to the one before ``end``."""
    last = end - _DAY
    if start == last:
        return day(start)
    if (start.day, end.day) == (1, 1):
        if (start.month, end.month) == (1, 1) and end.year == start.year + 1:
            return str(start.year)
        if last.month == start.month and last.year == start.year:
            return month(start)
    if start.year != last.year:
        return translate("{first} to {last}", first=day(start), last=day(last))
    first = str(start.day) if start.month == last.month else day_of_year(start)
    return translate("{first} to {last}", first=first, last=day(last))


def _opening(first: date) -> str:
    """A day that opens a year or a month, as that year or month."""
    if first.day > 1:
        return day(first)
    return str(first.year) if first.month == 1 else month(first)
