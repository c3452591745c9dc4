"""The days that a line's words name, counted from the day it was written on. Pure."""

import re
from datetime import UTC, datetime, time, timedelta

from tools.date_periods import Mention
from tools.date_words import WEEKDAYS, any_of
from tools.dates import find_period, read_dates
from tools.domain import Period
from tools.errors import InputError
from tools.folding import flatten
from tools.tense import repeated, tense
from tools.utterances import stem, words_of
from tools.words import GRAMMAR

_THIS = re.compile(r"(?:in |during )?this\b(?! (?:past|last)\b)|bu\b")
_OTHER = re.compile(r"(?:on |the )*(?:last|past|next|gecen|onceki|gelecek|onumuzdeki)\b")
# "On a Saturday in May": in May, on no Saturday that is known.
_SOME_DAY = re.compile(rf"\b(?:a|one|some|bir)\s+(?:{any_of(WEEKDAYS)})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;:]\s|\s[—–-]\s|\s(?:and|but|then|ve|ama|sonra)\s")
_TWO_DAYS = timedelta(days=2)
_WEEK = timedelta(weeks=1)
_ANY_DAY = datetime(2100, 1, 1, tzinfo=UTC)


def tells_time(text: str) -> bool:
    """Say whether a line names a time, whatever day it was written on."""
    return repeated(text) or days_said(text, _ANY_DAY) is not None


def days_said(text: str, day: datetime) -> tuple[Period, str] | None:
    """The days that a line of ``day`` names, and the words that do; None where it names none."""
    text = _SOME_DAY.sub(_blank, text)
    try:
        found = find_period(text, now=day)
    except InputError:  # no such day, or one that cannot be told
        return None
    if found is None or found.period == Period():
        return None
    phrase = " ".join(found.phrase.split())
    return _meant(text, day, found.period, flatten(phrase)), phrase


def clause_on(question: str, text: str) -> str:
    """The one clause of a line that has most of the question's words, if it names days itself.

    Of "dry run in March, cutover in May" the cutover was in May. Else the whole line.
    """
    clauses = _BETWEEN.split(text)
    wanted = {word for word in words_of(question) if word not in GRAMMAR}
    if len(clauses) < 2 or not wanted:
        return text
    has = [len({*map(stem, words_of(clause))} & {*map(stem, wanted)}) for clause in clauses]
    clause = clauses[has.index(max(has))]
    alone = has.count(max(has)) == 1 and days_said(clause, _ANY_DAY) is not None
    return clause if alone else text


def comes_again(text: str, day: datetime) -> bool:
    """Say whether a line tells of what is so on some days of every week, month or year."""
    said = tense(text)
    if said in ("past", "future"):
        return False
    try:
        dates = [one.mention for one in read_dates(text, now=day).dates]
    except InputError:
        return False
    if repeated(text):
        return all(one.year is None or one.unit == "weekday" for one in dates)
    # "In winter the pipes freeze"
    return said == "present" and [(one.year, one.unit) for one in dates] == [(None, "season")]


def _blank(some: re.Match[str]) -> str:
    return " " * len(some[0])


def _meant(text: str, day: datetime, period: Period, phrase: str) -> Period:
    """``period``, the last such days, or the next, where the words leave open which are meant.

    Who writes "we meet on Friday" looks ahead, and who writes "we met" looks back.
    """
    dates, (start, end) = read_dates(text, now=day).dates, (period.start, period.end)
    mention = dates[0].mention if len(dates) == 1 else None
    this = _THIS.match(phrase) is not None
    if not (start and end and dates):
        return period
    ahead = this and end - start <= _TWO_DAYS
    if not ahead and mention is not None and mention.unit == "weekday":
        ahead = not _OTHER.match(phrase) and tense(text) in ("present", "future")
    if ahead and end <= day:
        return Period(start=start + _WEEK, end=end + _WEEK)
    if this or (mention is not None and mention.year is None):
        return _of_year(dates[0].mention, text, day, period)
    return period


def _of_year(mention: Mention, text: str, day: datetime, period: Period) -> Period:
    """``period`` or the same days a year later: as the verb tells, else those that lie nearer."""
    if period.start is None or period.end is None:
        return period
    try:
        last = mention.days(period.start.year)
        coming = mention.days(period.start.year + 1)
    except (ValueError, OverflowError):  # 29 February
        return period
    match tense(text):
        case "past":
            ahead = False
        case "future":
            ahead = last[1] <= day.date()
        case _:
            ahead = coming[0] - day.date() < day.date() - last[1]
    if last != (period.start.date(), period.end.date()) or not ahead:
        return period
    first, after = (datetime.combine(one, time(), day.tzinfo) for one in coming)
    return Period(start=first, end=after)
