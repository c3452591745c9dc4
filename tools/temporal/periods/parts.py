"""Dates made of dates: the first half of last year, May of last year, geçen ayın 5'i.

The readers find "last year"; here the words beside it, or the date beside it, turn it into a
part of it, so that every part goes with every period.
"""

from dataclasses import replace
from datetime import date

from tools.temporal.periods.cuts import (
    Part,
    PartReader,
    beside_it,
    counted_day,
    days_of_it,
    half_of_year,
    month_of_year,
    named_part,
    nth_part,
    quarter_of_year,
    stretch_part,
    the_same,
    unit_around,
    week_of_day,
    weekday_of_week,
    weeks_of_year,
)
from tools.temporal.periods.holidays import HOLIDAY
from tools.temporal.periods.periods import IMPLIED, Days, Mention, unit_days
from tools.temporal.periods.rules import Rule, rules
from tools.temporal.periods.vocabulary import (
    CASE,
    COUNT,
    NTH_DAY,
    ORDINAL,
    OWN,
    SEASONS,
    SHORT_WEEKDAYS,
    TURKISH_MONTHS,
    WEEKDAYS,
    any_of,
)
from tools.temporal.periods.years import with_years

_HEAD_REACH = 60
_DEEPEST = 6
"""Parts within parts: "the morning of the last day of the first week of May"; noise has more."""


def composed(text: str, found: list[Mention], today: date) -> list[Mention]:
    """``found``, in order, with neighbours joined and parts cut; what a part covers is left out."""
    grown: list[Mention] = []
    for one in with_years(text, found):
        grown.append(one)
        for _ in range(_DEEPEST):
            if (wider := _wider(text, grown[-1], today)) is None:
                break
            grown[-1] = wider
    kept: list[Mention] = []
    for one in grown:
        while kept and kept[-1].end > one.start and _length(kept[-1]) < _length(one):
            kept.pop()
        if not kept or kept[-1].end <= one.start:
            kept.append(one)
    return kept


def _length(one: Mention) -> int:
    return one.end - one.start


# --- a part of the date beside it ----------------------------------------------------------


def _wider(text: str, one: Mention, today: date) -> Mention | None:
    """``one`` with the words before or after it that cut a part out of it, or None."""
    if not one.unit:
        return None
    for rule in _HEADS:
        match = rule.pattern.search(text, max(0, one.start - _HEAD_REACH), one.start)
        if match and (part := rule.read(match, one)):
            return _cut(one, part, today, start=match.start(), end=one.end)
    for rule in _TAILS:
        match = rule.pattern.match(text, one.end)
        if match and (part := rule.read(match, one)):
            return _cut(one, part, today, start=one.start, end=match.end())
    return None


def _cut(one: Mention, part: Part, today: date, *, start: int, end: int) -> Mention:
    cut, unit = part

    def days(year: int) -> Days:
        found = cut(one.days(year))
        # "The last day of the month", said before it has come, is that of the month before.
        if one.needs == IMPLIED and found[0] > today:
            found = cut(unit_days(today, one.unit, 1))
        return found

    return replace(one, start=start, end=end, days=days, unit=unit, needs=frozenset())


# --- the forms -----------------------------------------------------------------------------

_UNIT = r"(?P<unit>day|week|weekend|month|quarter|year)"
_WEEKDAYS = any_of(WEEKDAYS)
_TO = r"\s*(?:-|–|to|and|until|through)\s*(?:the\s+)?"
_OF = r"\s+(?:of|in)\s+(?:the\s+)?(?:(?:calendar\s+)?year\s+|month\s+of\s+)?$"
_TURKISH_GAP = rf"(?:{CASE})?(?:\s+(?:yil|sene|ay|hafta|donem)\w{{0,6}})?\s+"

_PART = r"(?P<part>early|mid(?!dle)|late)(?:[\s-]+(?:in|of))?"
_POINT = r"(?:the\s+)?(?:very\s+)?(?P<part>beginning|start|middle|end)\s+of"
_WEEK = r"(?:(?:calendar\s+|iso\s+)?weeks?|wk|cw|kw|w)[\s.-]?"
_NTH_WEEK = (
    r"(?:(?P<first>\d{1,2})\.?\s*(?:-|–|ile|ve)\s*)?(?P<week>\d{1,2})(?:\.|'?[iu]nc[iu])"
    r"\s+hafta(?:lar)?"
)

# Before the date.
_HEADS: tuple[Rule[PartReader], ...] = rules(
    (stretch_part, rf"\b{_PART}[\s-]+(?:the\s+)?$", rf"\b{_POINT}\s+(?:the\s+)?$"),
    (
        nth_part,
        rf"\b(?:(?P<first>{ORDINAL}){_TO})?(?P<nth>{ORDINAL})\s+(?:{COUNT}\s+)?"
        rf"(?:full\s+|calendar\s+)?(?P<unit>day|week|weekend|month|quarter|year|half|{_WEEKDAYS})s?"
        + _OF,
    ),
    (
        half_of_year,
        (
            r"\b(?:h|half\s)?(?P<half>[12])(?:(?<=h[12])|(?<=half\s[12])|h)"
            r"[\s/-]*(?:of\s+(?:the\s+)?(?:year\s+)?)?$"
        ),
    ),
    (
        weeks_of_year,
        rf"\b{_NTH_WEEK}(?:si)?,?\s+$",
        (
            rf"\b{_WEEK}(?:(?P<first>\d{{1,2}}){_TO})?(?P<week>\d{{1,2}})(?:\s+(?:of|in)|,)?"
            r"[\s/-]+(?:the\s+)?(?:year\s+)?$"
        ),
    ),
    (month_of_year, rf"\bmonth\s+(?P<nth>\d{{1,2}})(?:{_OF}|,?\s+$)"),
    (
        days_of_it,
        (
            rf"\b(?P<day>{NTH_DAY})(?:{_TO}(?P<last>{NTH_DAY}))?\s+(?:day\s+)?of\s+(?:the\s+)?"
            r"(?:month\s+of\s+)?$"
        ),
    ),
    (
        unit_around,
        (
            rf"\b{_UNIT}\s+(?P<how>of|containing|around|starting|beginning|commencing|ending|from)\s+"
            r"(?:on\s+|with\s+|in\s+)?(?:the\s+)?$"
        ),
    ),
    (
        beside_it,
        (
            rf"\bthe\s+(?P<unit>day|week|weekend|month|quarter|year|{_WEEKDAYS})\s+"
            r"(?P<side>before|after|following|preceding|prior to)\s+(?:the\s+)?$"
        ),
        rf"\b{COUNT}\s+{_UNIT}s?\s+(?P<side>before|after|prior to)\s+(?:the\s+)?$",
    ),
    (
        weekday_of_week,
        (
            rf"\b(?:(?P<first>{_WEEKDAYS}){_TO})?(?P<weekday>{_WEEKDAYS}|{any_of(SHORT_WEEKDAYS)})"
            r"(?:\.?,|\.|\s+of)?\s+(?:the\s+)?$"
        ),
    ),
    (the_same, r"\b(?:morning|afternoon|evening|night)\s+of\s+(?:the\s+)?$"),
)
# After it.
_TAILS: tuple[Rule[PartReader], ...] = rules(
    (
        nth_part,
        (
            rf"{_TURKISH_GAP}(?:(?P<first>{ORDINAL})\s+(?:ve|ile)\s+)?(?P<nth>{ORDINAL})\s+"
            rf"(?:{COUNT}\s+)?"
            rf"(?P<unit>yari(?:yil)?|ceyre[kg]|hafta\s?sonu|hafta|ay|gun|{_WEEKDAYS}){OWN}"
        ),
        rf"(?:'s|,)?\s+(?P<nth>{ORDINAL})\s+(?P<count>(?!))?(?P<unit>half|quarter)\b",
        (
            rf"'s\s+(?P<nth>{ORDINAL})\s+(?:{COUNT}\s+)?"
            rf"(?P<unit>half|quarter|weekend|week|month|day|{_WEEKDAYS})s?\b"
        ),
    ),
    (
        stretch_part,
        rf"{_TURKISH_GAP}(?P<part>bas|orta|son)(?:lar)?s?[iu](?=(?:{CASE}|n[aeiu])?(?!\w))",
    ),
    (
        named_part,
        rf"{_TURKISH_GAP}(?:(?P<season>{any_of(SEASONS)})|(?P<month>{TURKISH_MONTHS})){OWN}",
    ),
    (half_of_year, r"(?:'s)?[\s/-]*h(?P<half>[12])\b"),
    (quarter_of_year, r"(?:'s)?[\s/-]+q(?P<q>[1-4])\b"),
    (
        weeks_of_year,
        r",?\s+(?:weeks?|wk|cw|w)\s?(?P<week>\d{1,2})\b",
        rf"(?:{CASE})?(?:\s+yil\w{{0,4}})?,?\s+{_NTH_WEEK}{OWN}",
    ),
    (
        counted_day,
        rf"{_TURKISH_GAP}(?!an?\b|ay){COUNT}(?:'?s?[iu]|'?y[iu])(?=(?:{CASE}|n[aeiu])?(?!\w))",
    ),
    (week_of_day, rf"\s+hafta(?:si)(?=(?:{CASE}|n[aeiu])?(?!\w))"),
    (
        beside_it,
        (
            r"'?[td][ae]n\s+(?P<side>once|sonra)ki\s+"
            rf"(?P<unit>hafta\s?sonu|gun|hafta|ay|yil|{_WEEKDAYS}){OWN}"
        ),
        rf"'?[td][ae]n\s+{COUNT}\s+(?P<unit>gun|hafta|ay|yil)\s+(?P<side>once|sonra)\b",
    ),
    (
        weekday_of_week,
        rf"(?:{CASE})?,?\s+\(?(?:on\s+)?(?P<weekday>{_WEEKDAYS})\)?(?!s\b){OWN}",
    ),
    (the_same, rf"\s+{HOLIDAY}"),
)
