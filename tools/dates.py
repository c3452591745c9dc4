"""Find the period a question speaks of, in English and Turkish.

The date expressions are marked first; then the words around them (since, between … and, kadar) turn
them into one half-open period in the zone of ``now``. Weeks start on Monday, seasons are the
northern meteorological ones, "past N days" ends with today. dateparser, which reads the dates of
notes, would not do: its search gets a third of the written questions right (``python -m
evals.date_parsers``), for it gives moments instead of periods and takes verbs for dates.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from tools.date_bounds import CLOSED, Governed, counts, governed, joined, listed
from tools.date_mentions import may_hold_date, mentions
from tools.date_periods import EARLIEST_YEAR, Days, Mention, latest
from tools.domain import Period
from tools.errors import InputError
from tools.folding import QUOTED, flatten


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPeriod:
    """A period and where the question says it: ``question[span[0]:span[1]] == phrase``."""

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
    ahead: bool = False


def find_period(question: str, *, now: datetime) -> FoundPeriod | None:
    """The period ``question`` names, or None; ``now`` is timezone-aware.

    Names in quotes and wikilinks are no dates. Raises InputError, with examples, for what is
    certainly a date but cannot be one, ends before it starts, or starts in the future without
    words that look ahead by themselves ("next week").
    """
    return period_of(read_dates(question, now=now))


def read_dates(question: str, *, now: datetime) -> DatedText:
    """Every date expression of ``question`` and the words that govern it."""
    text = flatten(question)
    found: list[Mention] = []
    if may_hold_date(text):
        text = QUOTED.sub(lambda name: "\x00" * len(name[0]), text)
        found = mentions(text, original=question, today=now.date())
    dates = tuple(governed(text, mention) for mention in found)
    return DatedText(question=question, text=text, now=now, dates=dates)


def period_of(dated: DatedText) -> FoundPeriod | None:
    """The one period that the dates come to. Raises InputError as ``find_period`` does."""
    found = _range(dated) or _single(dated)
    if found is None:
        return None
    phrase = dated.question[slice(*found.span)]
    if found.start and found.end and found.end <= found.start:
        last = found.end - timedelta(days=1)
        raise _unusable(phrase, f"it starts on {found.start} and ends before that, on {last}")
    if any(day and day.year < EARLIEST_YEAR for day in (found.start, found.end)):
        raise _unusable(phrase, f"it lies before {EARLIEST_YEAR}")
    if found.start and found.start > dated.today and not found.ahead:
        raise _unusable(phrase, f"it starts on {found.start}, in the future")
    zone = dated.now.tzinfo
    period = Period(
        start=found.start and datetime.combine(found.start, time(), zone),
        end=found.end and datetime.combine(found.end, time(), zone),
    )
    return FoundPeriod(period=period, span=found.span, phrase=phrase)


def _unusable(phrase: str, why: str) -> InputError:
    shown = " ".join(phrase.split())[:60]
    return InputError(
        f"The date “{shown}” cannot be used, {why}: "
        "write for example 2024-05, “May 2024” or “since 12 May 2024”."
    )


def _range(dated: DatedText) -> _Found | None:
    """Two dates that stand side by side and mean everything from the first to the second.

    "Between" and lists name them in any order; only "from … to" can contradict itself.
    """
    for first, second in pairwise(dated.dates):
        gap = dated.text[first.mention.end : second.mention.start]
        ordered = joined(first, gap, second)
        if not ordered and not listed(first, gap, second):
            continue
        earlier, later = _days_of_both(dated, first.mention, second.mention)
        if later[0] < earlier[0] and (not ordered or "between" in {first.bound, second.bound}):
            earlier, later = later, earlier
        return _Found(
            start=earlier[0],
            end=later[1],
            span=(first.start, second.end),
            ahead=first.mention.ahead or second.mention.ahead,
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
    return _Found(start=start, end=end, span=(one.start, one.end), ahead=one.mention.ahead)


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


def _days_of_both(dated: DatedText, first: Mention, second: Mention) -> tuple[Days, Days]:
    """A year that one of the two leaves open comes from the other: "March to May 2024"."""
    if first.year is not None and second.year is None:
        start = _days(dated, first, first.year)
        end = _days(dated, second, first.year)
        return start, end if end[0] >= start[0] else _days(dated, second, first.year + 1)
    year = _recent_year(second, dated.today)
    end = _days(dated, second, year)
    if first.year is not None:
        return _days(dated, first, first.year), end
    start = _days(dated, first, year)
    return start if start[0] <= end[0] else _days(dated, first, year - 1), end
