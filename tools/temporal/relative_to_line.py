"""The days that a line's words name, counted from the day it was written on. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from tools.base.domain import Period
from tools.base.errors import InputError
from tools.temporal.journal_links import SOME_DAYS, days_linked, with_day_links
from tools.temporal.periods.bounds import Governed
from tools.temporal.periods.periods import Mention
from tools.temporal.periods.question_period import (
    DatedText,
    FoundPeriod,
    may_name_date,
    period_of,
    read_dates,
)
from tools.temporal.periods.vocabulary import SEASONS, WEEKDAYS, any_of
from tools.temporal.tense import repeated, tense
from tools.text.normalize import flatten
from tools.text.stopwords import GRAMMAR
from tools.text.tokens import stem, words_of

_WEEKDAY = re.compile(rf"\b(?:{any_of(WEEKDAYS)})\b")
_SEASON = re.compile(any_of(SEASONS))
_ON = frozenset(("", "on", "within"))
_THIS = re.compile(r"(?:in |during )?this\b(?! (?:past|last)\b)|bu\b")
_OTHER = re.compile(r"(?:on |the )*(?:last|past|next|gecen|onceki|gelecek|onumuzdeki)\b")
# "On a Saturday in May": in May, on no Saturday that is known.
_SOME_DAY = re.compile(rf"\b(?:a|one|some|bir)\s+(?:{any_of(WEEKDAYS)})\b", re.IGNORECASE)
# "Easter is on 31 March", in a note of April too.
_STATED = re.compile(r"\b(?:is|are|falls?)\b[^.,;]{0,20}\d")
_BETWEEN = re.compile(r"[.!?,;:]\s|\s[—–-]\s|\s(?:and|but|then|ve|ama|sonra)\s")
# Verbs whose past reads as their present: "we read it in two days".
_PERHAPS_PAST = re.compile(
    r"\b(?:i|we|you|they) (?:read|put|cut|set|hit|let|quit|shut|spread|hurt|beat)\b"
)
_CHANGED = re.compile(
    r"\b(?:mov|chang|switch|shift|postpon|reschedul|tas[iı]n|al[iı]n|degis|kaydir)\w*"
)
# "Birthday: 1 May", "her birthday is 1 May"; a birthday party is of one year.
_YEARLY = re.compile(
    r"\b(?:birthdays?|bday|anniversar(?:y|ies)|name ?days?|(?:dogum|yas) ?gun\w*|yil ?donum\w*)"
)
_YEARLY_IS = re.compile(rf"{_YEARLY.pattern}\W*(?:(?:is|are|falls?)\b\W*)?(?:on\b\W*)?$")
_NEAR_YEARS = 3
_TWO_DAYS = timedelta(days=2)
_WEEK = timedelta(weeks=1)


def named_days(
    text: str, day: datetime, *, linked: Sequence[str] = ()
) -> tuple[Period, str] | None:
    """The days that a line of ``day`` names, and the words that do; None where it names none.

    A link to the note of a day names it where no other words name one, and says the year of a day
    that the words name without: "on 9 November, see [[2024-11-09]]". ``linked`` are the days that
    the rest of the line links, where the text is a part of it.
    """
    links = linked or days_linked(text)
    alone = with_day_links(text)
    return _in_words(text, day, links) or (None if alone == text else _in_words(alone, day))


def _in_words(text: str, day: datetime, linked: Sequence[str] = ()) -> tuple[Period, str] | None:
    if not may_name_date(text):  # as most lines: their tense need not be known
        return None
    text = _SOME_DAY.sub(_blank, text)
    try:
        dated = _meant_dates(read_dates(text, now=day, ahead=_may_look_ahead(text), old=True))
        found = period_of(dated)
    except InputError:  # no such day, or one that cannot be told
        return None
    if found is None or found.period == Period():
        return None
    first, last = found.span
    dates = [one for one in dated.dates if first <= one.start and one.end <= last]
    phrase = " ".join(found.phrase.split()).rstrip(".")
    if len(dates) == 1 and dates[0].bound in _ON and weekday_of(dated, dates[0]):
        fitting = _fitting(dated, dates[0], day)
        return (fitting, phrase) if fitting else None
    one = dates[0].mention if len(dates) == 1 else None
    if one is not None and one.unit == "day" and one.year is None:
        for period, _ in filter(None, (_in_words(link, day) for link in linked)):
            if period.start and period.start.date() in _days_in(one, period.start.date(), 0)[:1]:
                return period, phrase
    return _meant(dated, found, day), phrase


def _meant_dates(dated: DatedText) -> DatedText:
    """Without the weekdays between which something was moved."""
    between = any(one.bound == "from" and one.mention.unit == "weekday" for one in dated.dates)
    if not between or _CHANGED.search(dated.text) is None:
        return dated
    return replace(dated, dates=tuple(d for d in dated.dates if d.mention.unit != "weekday"))


def weekday_of(dated: DatedText, one: Governed) -> int | None:
    """The weekday that stands with a day without a year: "Thursday 12 September"."""
    if one.mention.unit != "day" or one.mention.year is not None:
        return None
    named = _WEEKDAY.search(dated.text, one.start, one.end)
    return WEEKDAYS[named[0]] + 1 if named else None


def _fitting(dated: DatedText, one: Governed, day: datetime) -> Period | None:
    """The nearest such day on its weekday; None where no year nearby has it."""
    weekday = weekday_of(dated, one)
    years = range(-_NEAR_YEARS, _NEAR_YEARS + 1)
    days = [days for n in years if (days := _days_in(one.mention, day.date(), n))]
    fits = [days for days in days if days[0].isoweekday() == weekday]
    if not fits:
        return None
    start, end = min(fits, key=lambda days: abs(days[0] - day.date()))
    return Period(
        start=datetime.combine(start, time(), day.tzinfo),
        end=datetime.combine(end, time(), day.tzinfo),
    )


def clause_on(question: str, text: str) -> str:
    """The one clause of a line that has most of the question's words, if it names days itself.

    Of "dry run in March, cutover in May" the cutover was in May. Else the whole line.
    """
    clauses = _BETWEEN.split(text) if question else ()
    wanted = {word for word in words_of(question) if word not in GRAMMAR}
    if len(clauses) < 2 or not wanted:
        return text
    has = [len({*map(stem, words_of(clause))} & {*map(stem, wanted)}) for clause in clauses]
    clause = clauses[has.index(max(has))]
    alone = has.count(max(has)) == 1 and named_days(clause, SOME_DAYS[0]) is not None
    return clause if alone else text


def is_recurring(text: str, day: datetime) -> bool:
    """Say whether a line tells of what is so on some days of every week, month or year."""
    flat, again = flatten(text), repeated(text)
    yearly = _YEARLY.search(flat)
    if not (again or yearly or _SEASON.search(flat)):  # as almost every line
        return False
    dates: list[Mention] = []
    if may_name_date(text):
        try:
            dated = read_dates(text, now=day)
        except InputError:
            return False
        dates = [one.mention for one in dated.dates]
        if any(
            one.mention.unit == "day"
            and one.mention.year is None
            and _YEARLY_IS.search(dated.text, 0, one.start)
            for one in dated.dates
        ):
            return True
    if again:
        undated = all(one.year is None or one.unit == "weekday" for one in dates)
        return undated and tense(text) not in ("past", "future")
    # "In winter the pipes freeze"
    seasonal = [(one.year, one.unit) for one in dates] == [(None, "season")]
    return seasonal and tense(text) == "present"


def _may_look_ahead(text: str) -> bool:
    return tense(text) != "past" and _PERHAPS_PAST.search(flatten(text)) is None


def _blank(some: re.Match[str]) -> str:
    return " " * len(some[0])


def _meant(dated: DatedText, found: FoundPeriod, day: datetime) -> Period:
    """The period, the last such days, or the next, where the words leave open which are meant.

    Who writes "we meet on Friday" looks ahead, and who writes "we met" looks back.
    """
    text, period, (first, last) = dated.question, found.period, found.span
    # "Easter is on 31 March" names one day, and what falls on it.
    dates = [one for one in dated.dates if first <= one.start and one.end <= last]
    start, end = period.start, period.end
    mention = dates[0].mention if len(dates) == 1 else None
    phrase = flatten(found.phrase)
    this = _THIS.match(phrase) is not None
    if end is None or not dates:
        return period
    ahead = start is not None and this and end - start <= _TWO_DAYS
    if not ahead and mention is not None and mention.unit == "weekday":
        ahead = not _OTHER.match(phrase) and tense(text) in ("present", "future")
    if ahead and end <= day:
        return Period(start=start and start + _WEEK, end=end + _WEEK)
    if this or (mention is not None and mention.year is None):
        return _of_year(dates[0].mention, text, day, period)
    return period


def _of_year(mention: Mention, text: str, day: datetime, period: Period) -> Period:
    """``period`` or the same days a year later: as the verb tells, else those that lie nearer."""
    bounds = [bound.date() for bound in (period.start, period.end) if bound is not None]
    last = next(
        (days for y in (0, -1) if bounds[0] in (days := _days_in(mention, bounds[0], y))), ()
    )
    coming = _days_in(mention, last[0], 1) if last else ()
    if not (last and coming):  # 29 February
        return period
    match tense(text):
        case "past":
            ahead = False
        case "present" if mention.unit == "day" and _STATED.search(flatten(text)):
            ahead = coming[0] - day.date() < 2 * (day.date() - last[1])
        case "future" | "present":
            ahead = last[1] <= day.date()
        case _ if period.start is None:  # "by 15 May": a deadline
            ahead = last[1] <= day.date()
        case _:
            ahead = coming[0] - day.date() < day.date() - last[1]
    later = dict(zip(last, coming, strict=True)) if ahead else {}

    def moved(bound: datetime | None) -> datetime | None:
        return bound and datetime.combine(
            later.get(bound.date(), bound.date()), time(), bound.tzinfo
        )

    return Period(start=moved(period.start), end=moved(period.end))


def _days_in(mention: Mention, near: date, years: int) -> tuple[date, ...]:
    """The first day, and the one after the last, so many years on; none where no year has them."""
    try:
        return mention.days(near.year + years)
    except (ValueError, OverflowError):
        return ()
