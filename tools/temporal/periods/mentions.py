"""The date expressions of a text, in English and Turkish, and the days they mean."""

import re
from dataclasses import replace
from datetime import date
from functools import cache

from tools.temporal.periods.ahead import LOOKING_AHEAD
from tools.temporal.periods.calendar import CALENDAR, LOOSE
from tools.temporal.periods.holidays import HOLIDAY
from tools.temporal.periods.named import NAMED
from tools.temporal.periods.parts import composed
from tools.temporal.periods.periods import (
    BESIDE,
    CAPITAL,
    DAYLIKE,
    EARLIEST_YEAR,
    OPEN,
    SINCE,
    Mention,
    Reader,
    mention,
)
from tools.temporal.periods.relative import NAMED_DAY, RELATIVE
from tools.temporal.periods.unusable import UNUSABLE
from tools.temporal.periods.vocabulary import (
    BACK,
    DECADES,
    END,
    MONTH,
    NTH_DAY,
    SEASON,
    UNIT,
    WEEKDAY,
    WEEKEND,
    any_of,
)
from tools.text.stopwords import GRAMMAR, word_set

_HINTED = (
    r"(?=['\d])(?:\d{4}|\d\d[./]\d\d[./]\d\d|'\d\d|\d0'?[sl]|\d[qh]\d)"
    rf"|\b(?:{UNIT}|(?:yil|sene)[iu]n|{MONTH}|(?:{SEASON}|{WEEKDAY}|{WEEKEND}|{NAMED_DAY}){END}"
    rf"|{HOLIDAY}|bayram|(?:{any_of(DECADES)})(?:(?!\w)|l[aeiu])|(?:century|yuzyil){END}"
    rf"|the\s(?:{NTH_DAY})(?=\s*(?:[?!.,;]|$))|q\d|h[12]|fy[\s'-]*\d|[ymq]td\b"
    rf"|(?:{BACK})\s+\d{{1,3}}\s+(?:hours?|saat))"
)
"""What any date has of its own. Words that only point to one, "last" and "ago", are not enough."""


@cache  # compiled at the first question: most commands ask none
def _hint() -> re.Pattern[str]:
    return re.compile(_HINTED)


def may_hold_date(text: str) -> bool:
    """Whether flattened ``text`` has anything that could begin a date; cheap."""
    return _hint().search(text) is not None


def mentions(
    text: str,
    *,
    original: str,
    today: date,
    ahead: bool = False,
    old: bool = False,
) -> list[Mention]:
    """Every date expression of flattened ``text``, in order, none overlapping another.

    ``ahead``: it may look ahead, so that "in two weeks" and "in" a year to come are dates.
    ``old``: years before the earliest that a question may ask for are dates, too: "in 1878".
    What happened before the common era is what a question is about: "44 BC" is no date.
    """
    text = _before_era().sub(lambda name: "\x00" * len(name[0]), text)
    found: list[Mention] = []
    taken = bytearray(len(text))
    counting = LOOKING_AHEAD if ahead else ()
    for rule in (*counting, *CALENDAR, *NAMED, *RELATIVE, *LOOSE, *UNUSABLE):
        for match in rule.pattern.finditer(text):
            start, end = match.span()
            one = None if any(taken[start:end]) else _read(rule.read, match, today)
            if one is None or _is_dune(original, match):
                continue
            if one.needs in _CLEARED and _written_as_date(original[start:end]):
                one = mention(match, one.days, one.year, unit=one.unit)
            if ahead and one.needs == OPEN:
                one = replace(one, needs=BESIDE)
            if old and one.needs == SINCE and one.year and one.year < EARLIEST_YEAR:
                one = replace(one, needs=_IN_OR_SINCE)
            if one.needs == CAPITAL:
                continue
            taken[start:end] = b"\x01" * (end - start)
            if not (one.needs and _is_name(text, original, match)) and not _of_a_thing(text, match):
                found.append(one)
    found.sort(key=lambda one: one.start)
    return composed(text, found, today)


@cache
def _before_era() -> re.Pattern[str]:
    number = r"\d{1,6}(?:st|nd|rd|th|\.)?(?:\s+(?:century|millennium|yuzyil))?"
    month = rf"(?:\d{{1,2}}\s+)?{MONTH}\s+(?:\d{{1,2}},?\s+)?"
    return re.compile(
        rf"\b(?:{month})?(?:\d{{1,6}}\s?(?:-|–|to|and)\s?)?{number}\s?b\.?\s?c\.?(?:e\b\.?)?(?!\w)"
        # "In 2024 bc of the move": because
        r"(?!\s+(?:of|i|it|we|my|the)\b)"
        rf"|\b(?:m\.?\s?o\.?|(?:milattan|isa'dan)\s+once)\s+{number}"
    )


def _read(read: Reader, match: re.Match[str], today: date) -> Mention | None:
    try:
        return read(match, today)
    except (ValueError, OverflowError):  # "the next 999 decades" end behind the calendar
        return None


def _is_dune(original: str, match: re.Match[str]) -> bool:
    """Whether it is the hill of sand and not "düne", to yesterday, typed without its dots."""
    return _DUNE.match(original, match.start()) is not None


_DUNE = re.compile(r"dune\b(?!\s+(?:kadar|dek|de[gğ]in|g[oö]re|dair|ait)\b)", re.IGNORECASE)
_IN_OR_SINCE = frozenset(("since", "within"))
_CLEARED = (BESIDE, DAYLIKE, CAPITAL)
_NAME_AFTER = re.compile(r"[ -](?=[A-ZÇĞİÖŞÜ][a-zçğıöşü]+)(\w+)")
# Of the month it is "Mart'ın", with another i.
_MARTIN = re.compile(r"Martin\b")
_DATED_BEFORE = re.compile(
    r"\b(?:in|since|during|throughout|until|till|before|after|within|last|this|early|late|mid|of)"
    r"[ -]$"
)


def _written_as_date(words: str) -> bool:
    """Whether it looks like "12 May" or "this May"; "12 may" might be a number and a verb."""
    *first, last = words.split()
    return bool(first) and last[:1].isupper() and last[-1:].isalpha()


def _is_name(text: str, original: str, match: re.Match[str]) -> bool:
    """Whether a word that is a month or day elsewhere is a first name: "by August Wilson"."""
    start, end = match.span()
    if _MARTIN.match(original, start):
        return True
    after = _NAME_AFTER.match(original, end)
    if not (after and original[start].isupper() and text[start:end].isalpha()):
        return False
    if _hint().match(text, after.start(1)):  # "March-April", "May Day": no family name
        return False
    return not _DATED_BEFORE.search(text, max(0, start - 12), start)


_OWNED = re.compile(r"(?:\b(?:the|an?|that|our|my|your|their|his|her)|\w's)\s+$")
_THING = re.compile(r"\s+(?P<thing>[^\W\d_]{3,})")
# What stands behind a month and is a time or what was noted in it.
_NO_THING = GRAMMAR | word_set(
    "note notes entry entries journal journals diary diaries log logs page pages week weeks "
    "weekend weekends month months period quarter half day days date dates time times morning "
    "mornings afternoon evening night holiday holidays until till since versus without around"
)


def _of_a_thing(text: str, match: re.Match[str]) -> bool:
    """Whether a month alone only says which thing is meant: "the May incident"."""
    if match.groupdict().get("month") != match[0]:
        return False
    if not _OWNED.search(text, max(0, match.start() - 12), match.start()):
        return False
    after = _THING.match(text, match.end())
    if after is None or after["thing"] in _NO_THING:
        return False
    return not _hint().match(text, after.start("thing"))
