"""Find the period a question speaks of, in English and Turkish.

The date expressions are marked first; then the words around them (since, between … and, kadar) turn
them into one half-open period in the zone of ``now``. Weeks start on Monday, seasons are the
northern meteorological ones, "past N days" ends with today. dateparser, which reads the dates of
notes, would not do: its search_dates gets 53 of the 220 questions of evals/data/dates.jsonl right,
for it gives moments instead of periods and takes verbs, numbers and "son" for dates.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise

from tools.date_mentions import may_hold_date, mentions
from tools.date_periods import EARLIEST_YEAR, Days, Mention, latest
from tools.date_words import CASE
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
    "since": r"since|ever since|(?:starting|beginning)(?: in| from| on| with)?|as from|on or after"
    r"|newer than|not? (?:earlier|older) than|not before",
    "after": r"after|later than|following",
    "until": r"until|till|(?:up )?until|up to(?: and including)?|through|by|as (?:of|at)"
    r"|on or before|not? (?:later|newer) than|before the end of",
    "before": r"before|prior to|earlier than|older than|preceding",
    "between": r"between",
    "from": r"from",
    "within": r"in|during|within|throughout|over|around|inside",
    "on": r"on|at",
}
_AFTER_IT = {
    "since": r"beri(?:ki)?|bu yana|itibaren",
    "before": r"once(?:si\w{0,6}|ki(?:ler)?|den)?|evvel(?:ki)?",
    "after": r"sonra(?:si\w{0,6}|ki(?:ler)?|dan)?",
    "until": r"kadar(?:ki)?|dek|degin|itibariyl[ae]",
    "between": r"aras[iu]\w{0,8}",
    "within": r"boyunca|icinde(?:ki)?|suresince|sirasinda(?:ki)?|civari\w{0,6}",
}
_NAMES = re.compile(r"\[\[.*?\]\]|\"[^\"]*\"|“[^”]*”|`[^`]*`")
_LEFT_REACH = 60
_LEFT = re.compile(
    "(?:(?:"
    + "|".join(rf"\b(?P<{bound}>{words})\s+" for bound, words in _BEFORE_IT.items())
    + r")(?:(?:about|around|roughly|at least|sometime)\s+)?)?"
    r"(?:\b(?:the|early|earlier|late|later|mid|(?:all|most|much) of|whole|entire|year|dates"
    r"|(?:end|start|beginning|middle|rest|course|month) of)\s+|\bmid-)*$"
)
_BOUNDS = frozenset(_BEFORE_IT)
_JOINED_LEFT = re.compile(r"\b(?:(?P<before>pre)|(?P<after>post))-$")
_RIGHT = re.compile(
    rf"(?P<case>{CASE}|n[aeiu])?"
    r"(?P<noun>(?:\s+(?:yil|sene|ay|gun)[iu](?:n[ad](?:[ae]n?)?|n|ki)*"
    r"|\s+tarih\w{1,6}|\s+(?:bas|son|orta)(?:lar)?[iu]n[ad]\w{0,3}"
    r"|\s+(?:sabah|aksam|gece|ogle)\w{0,8}){1,2})?"
    r"(?:\s+(?:" + "|".join(rf"(?P<{bound}>{words})" for bound, words in _AFTER_IT.items()) + r"))?"
    r"(?:(?P<onward>\s+on(?!\s*\w)|\s+onwards?|\s+(?:and|or) (?:later|after|newer|beyond))"
    r"|(?P<back>\s+(?:and|or) (?:earlier|before|older)))?(?!\w)"
)
_TO = re.compile(
    r"\s*(?:-|–|—|to|until|till|through|thru|up to(?: and including)?)\s*(?:the\s+|end of\s+)*"
)
_AND = re.compile(r"\s+and\s+(?:the\s+)?")
_TURKISH_AND = re.compile(rf"(?:{CASE})?(?:\s+ay\w+)?\s+(?:ile|ve)\s+")
_TURKISH_FROM = re.compile(r"'?[td][ae]n\s+(?:itibaren\s+)?")
_BESIDES = re.compile(
    rf"(?:{CASE})?\s*(?:,|&|and|or|vs\.?|versus|ve|ile|veya)\s*(?:in\s+)?(?:the\s+)?"
)


def _governed(text: str, mention: Mention) -> _Governed:
    reach = max(0, mention.start - _LEFT_REACH)
    left = _JOINED_LEFT.search(text, reach, mention.start)
    if not text.startswith(_LED, mention.start):
        left = left or _LEFT.search(text, reach, mention.start)
    right = _RIGHT.match(text, mention.end)
    bound, case = (left and left.lastgroup) or "", ""
    if right:
        case = (right["case"] or "").lstrip("'")
        bound = _bound_after(right) or bound
        if not bound and (right["noun"] or case.removeprefix("n")[:2] in _LOCATIVE):
            bound = "within"
    return _Governed(
        mention=mention,
        bound=bound,
        start=left.start() if left else mention.start,
        end=right.end() if right else mention.end,
        case=case,
    )


_LED = ("in ", "over ", "during ", "within ")  # "over the past year" brings its own word
_LOCATIVE = frozenset(("ta", "te", "da", "de"))


def _bound_after(right: re.Match[str]) -> str:
    if right["onward"]:
        return "since"
    if right["back"]:
        return "until"
    return next((bound for bound in _AFTER_IT if right[bound]), "")


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
        return first.bound in _BOUNDS or both or (either and open_year)
    if _TURKISH_FROM.fullmatch(gap):
        return second.bound == "until" or second.case in _DATIVE
    between = first.bound == "between" and _AND.fullmatch(gap)
    return bool(between or (second.bound == "between" and _TURKISH_AND.fullmatch(gap)))


_DATIVE = frozenset(("a", "e", "ya", "ye", "na", "ne"))
_CLOSED = frozenset(("", "within", "on", "from"))


def _listed(first: _Governed, gap: str, second: _Governed) -> bool:
    plain = first.bound in _CLOSED and second.bound in _CLOSED
    return bool(plain and _counts(first) and _counts(second) and _BESIDES.fullmatch(gap))


def _single(text: str, governed: list[_Governed], today: date) -> _Found | None:
    """The first date that counts; one with an open bound before one without."""
    counting = [one for one in governed if _counts(one)]
    if not counting:
        return None
    one = next((one for one in counting if one.bound not in _CLOSED), counting[0])
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
    return latest(mention.days, today)


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
