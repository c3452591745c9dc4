"""Find the period a question speaks of, in English and Turkish.

The date expressions are marked first; then the words around them (since, between … and, kadar) turn
them into one half-open period in the zone of ``now``. Weeks start on Monday, seasons are the
northern meteorological ones, "past N days" ends with today.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise

from tools.date_mentions import (
    BESIDE,
    CASE,
    EARLIEST_YEAR,
    Days,
    Mention,
    may_hold_date,
    mentions,
)
from tools.domain import Period
from tools.errors import InputError
from tools.folding import flatten


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPeriod:
    """A period and where the question says it: ``question[span[0]:span[1]] == phrase``."""

    period: Period
    span: tuple[int, int]
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Governed:
    """A mention with its surroundings: the bound they set, and how far the phrase reaches."""

    mention: Mention
    bound: str
    start: int
    end: int
    case: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    start: date | None
    end: date | None
    span: tuple[int, int]


def find_period(question: str, *, now: datetime) -> FoundPeriod | None:
    """The period ``question`` names, or None; ``now`` is timezone-aware.

    Names in quotes and wikilinks are no dates. Raises InputError, with examples, for what is
    certainly a date but cannot be one, ends before it starts, or starts in the future.
    """
    text = flatten(question)
    if not may_hold_date(text):
        return None
    text = _NAMES.sub(lambda name: "\x00" * len(name[0]), text)
    today = now.date()
    governed = [
        _governed(text, mention) for mention in mentions(text, original=question, today=today)
    ]
    found = _range(text, governed, today) or _single(text, governed, today)
    if found is None:
        return None
    phrase = question[slice(*found.span)]
    if found.start and found.end and found.end <= found.start:
        raise _unusable(phrase, "it ends before it starts")
    if any(day and day.year < EARLIEST_YEAR for day in (found.start, found.end)):
        raise _unusable(phrase, f"it lies before {EARLIEST_YEAR}")
    if found.start and found.start > today:
        raise _unusable(phrase, "it lies in the future")
    period = Period(start=_midnight(found.start, now), end=_midnight(found.end, now))
    return FoundPeriod(period=period, span=found.span, phrase=phrase)


def _midnight(day: date | None, now: datetime) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), now.tzinfo)


def _unusable(phrase: str, why: str) -> InputError:
    return InputError(
        f"The date “{phrase.strip()[:60]}” cannot be used, {why}: "
        "write for example 2024-05, “May 2024” or “since 12 May 2024”."
    )


# --- the words around a date ---------------------------------------------------------------

_BEFORE_IT = {
    "since": r"since|ever since|starting(?: in| from)?|beginning(?: in| from)?",
    "after": r"after|later than",
    "before": r"before|prior to|earlier than",
    "until": r"until|till|up to|through|by|as of|no later than",
    "between": r"between",
    "from": r"from",
    "within": r"in|on|during|within|throughout|over|around|at",
}
_AFTER_IT = {
    "beri": "since",
    "bu yana": "since",
    "itibaren": "since",
    "once": "before",
    "sonra": "after",
    "kadar": "until",
    "itibariyl": "until",
    "aras": "between",
}
_NAMES = re.compile(r"\[\[.*?\]\]|\"[^\"]*\"|“[^”]*”|`[^`]*`")
_LEFT = re.compile(
    "(?:"
    + "|".join(rf"\b(?P<{bound}>{words})\s+" for bound, words in _BEFORE_IT.items())
    + r")?(?:\b(?:the|early|late|mid|(?:end|start|beginning|month) of|year|dates)\s+|\bmid-)*$"
)
_RIGHT = re.compile(
    rf"(?P<case>{CASE})?(?P<noun>\s+(?:yil|sene|ay|gun)[iu](?:n[ad](?:[ae]n?)?|n|ki)*)?"
    rf"(?:\s+(?P<word>{'|'.join(_AFTER_IT)})\w{{0,8}})?"
    r"(?P<onward>\s+on(?:wards?)?(?!\s*\w))?(?!\w)"
)
_TO = re.compile(r"\s*(?:-|–|—|to|until|till|through|thru|up to)\s*(?:the\s+|end of\s+)*")
_AND = re.compile(r"\s+and\s+(?:the\s+)?")
_TURKISH_AND = re.compile(rf"(?:{CASE})?(?:\s+ay\w+)?\s+(?:ile|ve)\s+")
_TURKISH_FROM = re.compile(r"'?[td][ae]n\s+(?:itibaren\s+)?")
_BESIDES = re.compile(rf"(?:{CASE})?\s*(?:,|&|and|or|vs\.?|versus|ve|ile|veya)\s*(?:in\s+)?")


def _governed(text: str, mention: Mention) -> _Governed:
    left = _LEFT.search(text, 0, mention.start)
    right = _RIGHT.match(text, mention.end)
    start = left.start() if left else mention.start
    end = right.end() if right else mention.end
    bound = (left and left.lastgroup) or ""
    case = ((right and right["case"]) or "").lstrip("'")
    if right and right["word"]:
        bound = _AFTER_IT[right["word"]]
    elif right and right["onward"]:
        bound = "since"
    elif not bound and right and (right["noun"] or case[:2] in {"ta", "te", "da", "de"}):
        bound = "within"
    return _Governed(mention=mention, bound=bound, start=start, end=end, case=case)


def _counts(one: _Governed) -> bool:
    return not one.mention.needs or one.bound in one.mention.needs


def _range(text: str, governed: list[_Governed], today: date) -> _Found | None:
    """Two dates that stand side by side and mean everything from the first to the second."""
    for first, second in pairwise(governed):
        gap = text[first.mention.end : second.mention.start]
        if not (_joined(first, gap, second) or _listed(first, gap, second)):
            continue
        earlier, later = _days_of_both(text, first.mention, second.mention, today)
        if later[0] < earlier[0]:
            later = earlier[0], earlier[0]
        return _Found(start=earlier[0], end=later[1], span=(first.start, second.end))
    return None


def _joined(first: _Governed, gap: str, second: _Governed) -> bool:
    if _TO.fullmatch(gap):
        open_year = first.mention.year is None or second.mention.year is None
        either, both = _counts(first) or _counts(second), _counts(first) and _counts(second)
        return first.bound in BESIDE or both or (either and open_year)
    if _TURKISH_FROM.fullmatch(gap):
        return second.bound == "until" or second.case in {"a", "e", "ya", "ye"}
    between = first.bound == "between" and _AND.fullmatch(gap)
    return bool(between or (second.bound == "between" and _TURKISH_AND.fullmatch(gap)))


def _listed(first: _Governed, gap: str, second: _Governed) -> bool:
    closed = {"", "within", "from"}
    plain = first.bound in closed and second.bound in closed
    return bool(plain and _counts(first) and _counts(second) and _BESIDES.fullmatch(gap))


def _single(text: str, governed: list[_Governed], today: date) -> _Found | None:
    """The first date that counts; one with an open bound before one without."""
    counting = [one for one in governed if _counts(one)]
    if not counting:
        return None
    one = next((one for one in counting if one.bound not in {"", "within", "from"}), counting[0])
    start, end = _days(text, one.mention, _recent_year(one.mention, today))
    span = (one.start, one.end)
    match one.bound:
        case "since":
            return _Found(start=start, end=None, span=span)
        case "after":
            return _Found(start=end, end=None, span=span)
        case "before":
            return _Found(start=None, end=start, span=span)
        case "until":
            return _Found(start=None, end=end, span=span)
        case _:
            return _Found(start=start, end=end, span=span)


# --- which year is meant -------------------------------------------------------------------


def _days(text: str, mention: Mention, year: int) -> Days:
    try:
        return mention.days(year)
    except (ValueError, OverflowError):
        phrase = text[mention.start : mention.end]
        raise _unusable(phrase, "no calendar has it or it can be read in two ways") from None


def _recent_year(mention: Mention, today: date) -> int:
    """The year the mention names, else the latest in which it has begun."""
    if mention.year is not None:
        return mention.year
    for year in range(today.year, today.year - 9, -1):
        try:
            if mention.days(year)[0] <= today:
                return year
        except ValueError:  # 29 February needs a leap year
            continue
    return today.year


def _days_of_both(text: str, first: Mention, second: Mention, today: date) -> tuple[Days, Days]:
    """A year that one of the two leaves open comes from the other: "March to May 2024"."""
    if first.year is not None and second.year is None:
        start = _days(text, first, first.year)
        end = _days(text, second, first.year)
        return start, end if end[0] >= start[0] else _days(text, second, first.year + 1)
    year = _recent_year(second, today)
    end = _days(text, second, year)
    if first.year is not None:
        return _days(text, first, first.year), end
    start = _days(text, first, year)
    return start if start[0] <= end[0] else _days(text, first, year - 1), end
