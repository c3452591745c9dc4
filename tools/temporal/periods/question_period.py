"""Find the period a question speaks of, in English and Turkish.

The date expressions are marked first; then the words around them (since, between … and, kadar) turn
them into one half-open period in the zone of ``now``. Weeks start on Monday, seasons are the
northern meteorological ones, "past N days" ends with today. dateparser, which reads the dates of
notes, would not do: its search gets a third of the written questions right (``python -m
evals.interpretation.date_parsers``), for it gives moments instead of periods and takes verbs for
dates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise

from tools.base.domain import Period
from tools.base.errors import InputError
from tools.temporal.periods.bounds import CLOSED, Governed, counts, governed, opposed
from tools.temporal.periods.mentions import may_hold_date, mentions
from tools.temporal.periods.periods import Days, Mention, latest, one_day
from tools.temporal.periods.sides import (
    beside,
    comparing,
    disambiguated_years,
    in_order,
    phrase_of,
    precedes_question,
    sides,
)
from tools.text.normalize import QUOTED, flatten
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPeriod:
    """A period and where the question says it: ``question[span[0]:span[1]] == phrase``.

    A comparison of "before and after 2020" is open at both ends.
    """

    period: Period
    span: tuple[int, int]
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedText:
    """A question, its flattened ``text`` with names blanked, and the dates in it, in order."""

    question: str
    text: str
    now: datetime
    dates: tuple[Governed, ...]

    @property
    def today(self) -> date:
        return self.now.date()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    start: date | None
    end: date | None
    span: tuple[int, int]


def find_period(question: str, *, now: datetime) -> FoundPeriod | None:
    """The period ``question`` names, or None; ``now`` is timezone-aware.

    Names in quotes and wikilinks are no dates. Raises InputError, with examples, for what is
    certainly a date but cannot be one, or ends before it starts.
    """
    return period_of(read_dates(question, now=now))


@lru_cache(maxsize=2048)  # of a quoted line it is asked again and again
def read_dates(
    question: str, *, now: datetime, ahead: bool = False, old: bool = False
) -> DatedText:
    """Every date expression of ``question`` and the words that govern it.

    ``ahead``: of a text that may look ahead, those too that count on from ``now``: "in two weeks".
    ``old``: of a text that may tell of them, years before 1900 too: "in 1878".
    """
    text = _flat(question)
    found: list[Mention] = []
    if may_name_date(question):
        text = QUOTED.sub(lambda name: "\x00" * len(name[0]), text)
        found = mentions(text, original=question, today=now.date(), ahead=ahead, old=old)
    dates: list[Governed] = []
    for mention in reversed(found):
        dates.append(governed(text, mention, dates[-1] if dates else None))
    return DatedText(question=question, text=text, now=now, dates=tuple(reversed(dates)))


@lru_cache(maxsize=2048)
def may_name_date(text: str) -> bool:
    """Whether ``read_dates`` could find anything in ``text``; quick, and never wrongly False."""
    return may_hold_date(_flat(text))


def _flat(text: str) -> str:
    flat = flatten(text)
    return flat if flat.isascii() else flat.translate(_WIDE_DIGITS)


_WIDE_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")


def bare_month(dated: DatedText) -> FoundPeriod | None:
    """The month of a text that says nothing else ("and may?", "peki nisan?"); None if it does."""
    months = [one for one in dated.dates if one.mention.unit == "month" and not one.mention.year]
    if len(dated.dates) != 1 or not months:
        return None
    (one,) = months
    around = f"{dated.text[: one.mention.start]} {dated.text[one.mention.end :]}"
    if not _IDLE.issuperset(words_of(around)):
        return None
    sure = replace(one, mention=replace(one.mention, needs=frozenset()))
    return period_of(replace(dated, dates=(sure,)))


_IDLE = STOP | TURKISH_STOP


def period_of(dated: DatedText) -> FoundPeriod | None:
    """The one period that the dates come to. Raises InputError as ``find_period`` does."""
    found = _opposed(dated) or _side_by_side(dated) or _single(dated)
    if found is None:
        return None
    phrase = dated.question[slice(*found.span)]
    if found.start and found.end and found.end <= found.start:
        last = found.end - timedelta(days=1)
        raise _unusable(phrase, f"it starts on {found.start} and ends before that, on {last}")
    zone = dated.now.tzinfo
    period = Period(
        start=found.start and datetime.combine(found.start, time(), zone),
        end=found.end and datetime.combine(found.end, time(), zone),
    )
    return FoundPeriod(period=period, span=found.span, phrase=phrase)


def _unusable(phrase: str, why: str) -> InputError:
    return InputError(
        f"The date “{_shown(phrase)}” cannot be used, {why}: "
        "write for example 2024-05, “May 2024” or “since 12 May 2024”."
    )


def _shown(phrase: str) -> str:
    return " ".join(phrase.split())[:60]


def _side_by_side(dated: DatedText) -> _Found | None:
    """Dates that belong together, and mean everything from the first to the last of them.

    "Between", lists and comparisons name them in any order; only "from … to" can contradict
    itself.
    """
    chain = sides(dated.text, dated.dates)
    if not chain:
        return None
    mentions = disambiguated_years(dated.text, chain)
    near, (first, *_, last) = [beside(dated.text, *pair) for pair in pairwise(chain)], chain
    if any(near):
        spans = _days_of_all(dated, mentions)
    else:
        spans = [_days(dated, one, _recent_year(one, dated.today)) for one in mentions]
    if len(chain) == 2 and in_order(dated.text, first, last):
        span = first.start, last.end
        return _Found(start=spans[0][0], end=spans[1][1], span=span)
    bounded = [
        days if before or after else _within(one, days)
        for one, days, before, after in zip(
            chain, spans, (False, *near), (*near, False), strict=True
        )
    ]
    start, end = _around_all(bounded)
    return _Found(start=start, end=end, span=phrase_of(dated.text, chain))


def _around_all(
    periods: Sequence[tuple[date | None, date | None]],
) -> tuple[date | None, date | None]:
    """The least period that has all in it."""
    starts, ends = [start for start, _ in periods if start], [end for _, end in periods if end]
    return (
        min(starts) if len(starts) == len(periods) else None,
        max(ends) if len(ends) == len(periods) else None,
    )


def _opposed(dated: DatedText) -> _Found | None:
    """After one date and before another. Raises InputError where no period is both."""
    for first, second in pairwise([one for one in dated.dates if counts(one)]):
        match = opposed(dated.text, first, second)
        if match is None:
            continue
        spans = _days_of_all(dated, [first.mention, second.mention])
        one, other = _within(first, spans[0]), _within(second, spans[1])
        lower, upper = (other, one) if one[0] is None else (one, other)
        span = first.start, second.end
        if lower[0] and upper[1] and lower[0] < upper[1] and not match["either"]:
            return _Found(start=lower[0], end=upper[1], span=span)
        if not comparing(dated.text) and not precedes_question(dated.text, second.end):
            raise InputError(
                f"The dates “{_shown(dated.question[slice(*span)])}” cannot be used together, "
                "no single period has both: ask about one of the two."
            )
    return None


def _single(dated: DatedText) -> _Found | None:
    """The first date that counts; one with an open bound before one without."""
    counting = [one for one in dated.dates if counts(one)]
    if not counting:
        return None
    one = next((one for one in counting if one.bound not in CLOSED), counting[0])
    days = _days(dated, one.mention, _recent_year(one.mention, dated.today))
    start, end = _within(one, days)
    if one.bound == "against":  # its other side is how things are today
        start, end = _around_all([days, one_day(dated.today)])
    return _Found(start=start, end=end, span=(one.start, one.end))


def _within(one: Governed, days: Days) -> tuple[date | None, date | None]:
    """The bounds that the word before or after a date makes of its days."""
    start, end = days
    match one.bound:
        case "since":
            return start, None
        case "after":
            return end, None
        case "before":
            return None, start
        case "until":
            return None, end
        case "both":
            return None, None
        case "around" if one.mention.unit == "day":
            return start - _AROUND, end + _AROUND
        case _:
            return days


_AROUND = timedelta(days=3)


# --- which year is meant -------------------------------------------------------------------


def _days(dated: DatedText, mention: Mention, year: int) -> Days:
    try:
        return mention.days(year)
    except (ValueError, OverflowError):
        phrase = dated.question[mention.start : mention.end]
        raise _unusable(phrase, "no calendar has it or it can be read in two ways") from None


def _recent_year(mention: Mention, today: date) -> int:
    """The year the mention names, else the latest in which it has begun."""
    if mention.year is not None:
        return mention.year
    return latest(mention.days, today)


def _days_of_all(dated: DatedText, chain: Sequence[Mention]) -> list[Days]:
    """A year that one leaves open comes from the next, or else from the one before it."""
    found: list[Days] = []
    year: int | None = None
    for before, one in reversed(list(zip((None, *chain), chain, strict=False))):
        if one.year is not None:
            year = one.year
        elif found and year is not None:
            year -= _days(dated, one, year)[0] > found[-1][0]
        elif before is not None and before.year is not None:
            year = before.year
            year += _days(dated, one, year)[0] < _days(dated, before, year)[0]
        else:
            year = _recent_year(one, dated.today)
        found.append(_days(dated, one, year))
    return found[::-1]
