"""Dates made of dates: the first half of last year, May of last year, geçen ayın 5'i.

The readers find "last year"; here the words beside it, or the date beside it, turn it into a
part of it, so that every part goes with every period.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from tools.date_periods import (
    IMPLIED,
    Days,
    Mention,
    beside,
    half,
    iso_week,
    longer,
    months,
    next_weekday,
    nth,
    nth_weekday,
    quarter,
    shifted,
    unit_days,
)
from tools.date_words import (
    CASE,
    COUNT,
    HOLIDAY,
    MONTHS,
    NTH_DAY,
    ORDINAL,
    OWN,
    PARTS,
    SEASONS,
    SHORT_WEEKDAYS,
    TURKISH_MONTHS,
    WEEKDAYS,
    any_of,
    count_of,
    ordinal_of,
)
from tools.date_years import with_years

type _Cut = Callable[[Days], Days]
type _Part = tuple[_Cut, str]
"""How to cut the part out of a period's days, and the unit the part is."""

_HEAD_REACH = 60


def composed(text: str, found: list[Mention], today: date) -> list[Mention]:
    """``found``, in order, with neighbours joined and parts cut; what a part covers is left out."""
    grown: list[Mention] = []
    for one in with_years(text, found):
        grown.append(one)
        while (wider := _wider(text, grown[-1], today)) is not None:
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
    for pattern, read in _HEADS:
        match = pattern.search(text, max(0, one.start - _HEAD_REACH), one.start)
        if match and (part := read(match, one)):
            return _cut(one, part, today, start=match.start(), end=one.end)
    for pattern, read in _TAILS:
        match = pattern.match(text, one.end)
        if match and (part := read(match, one)):
            return _cut(one, part, today, start=one.start, end=match.end())
    return None


def _cut(one: Mention, part: _Part, today: date, *, start: int, end: int) -> Mention:
    cut, unit = part

    def days(year: int) -> Days:
        found = cut(one.days(year))
        # "The last day of the month", said before it has come, is that of the month before.
        if one.needs == IMPLIED and found[0] > today:
            found = cut(unit_days(today, one.unit, 1))
        return found

    return replace(one, start=start, end=end, days=days, unit=unit, needs=frozenset())


def _nth(match: re.Match[str], one: Mention) -> _Part | None:
    """The second week, the last three days, the first Monday."""
    word, number = " ".join(match["unit"].split()), ordinal_of(match["nth"])
    if word in WEEKDAYS:
        known = longer(one.unit, "week")
        return (lambda whole: nth_weekday(whole, WEEKDAYS[word], number), "day") if known else None
    unit, count = PARTS[word], count_of(match["count"]) if match["count"] else 1
    if unit == "half" and one.unit == "month" and number < 3:
        return lambda whole: nth(whole, unit, number), ""
    if not longer(one.unit, unit):
        return None
    if unit == "weekend":
        return lambda whole: nth_weekday(whole, 5, number, length=2), unit
    if unit == "week" and one.unit == "year" and number > 1 and count == 1:
        return lambda whole: iso_week(whole[0].year, number), unit
    return lambda whole: nth(whole, unit, number, count=count), unit if count == 1 else ""


def _half_year(match: re.Match[str], one: Mention) -> _Part | None:
    number = int(match["half"])
    return (lambda whole: half(whole, number), "half") if one.unit == "year" else None


def _quarter(match: re.Match[str], one: Mention) -> _Part | None:
    number = int(match["q"])
    if one.unit != "year":
        return None
    return lambda whole: quarter(whole[0].year, number), "quarter"


def _named(match: re.Match[str], one: Mention) -> _Part | None:
    """Geçen yılın yazında, 2024'ün mayısında."""
    if one.unit != "year":
        return None
    if match["season"]:
        first = SEASONS[match["season"]]
        return lambda whole: months(whole[0].year, first, 3), "season"
    number = MONTHS[match["month"]]
    return lambda whole: months(whole[0].year, number), "month"


def _week_number(match: re.Match[str], one: Mention) -> _Part | None:
    parts = match.groupdict()
    week = int(parts["week"] or parts.get("nth") or 0)
    return (lambda whole: iso_week(whole[0].year, week), "week") if one.unit == "year" else None


def _day_of_month(match: re.Match[str], one: Mention) -> _Part | None:
    """The 5th, or the 5th to the 10th, of a month."""
    if one.unit != "month":
        return None
    number = ordinal_of(match["day"])
    if not match["last"]:
        return lambda whole: nth(whole, "day", number), "day"
    last = ordinal_of(match["last"])
    return lambda whole: (nth(whole, "day", number)[0], nth(whole, "day", last)[1]), ""


def _counted_day(match: re.Match[str], one: Mention) -> _Part | None:
    number = count_of(match["count"])
    return (lambda whole: nth(whole, "day", number), "day") if one.unit == "month" else None


def _unit_around(match: re.Match[str], one: Mention) -> _Part | None:
    """The week of, or from, or up to and with a day."""
    unit, how = match["unit"], match["how"]
    if how in {"of", "containing", "around"}:
        same = unit == one.unit
        if not (same or unit == "weekend" or longer(unit, one.unit)):
            return None
        return (lambda whole: whole if same else unit_days(whole[0], unit)), unit
    if one.unit != "day" or unit == "weekend":
        return None
    if how == "ending":
        return lambda whole: (shifted(whole[1], unit, -1), whole[1]), ""
    return lambda whole: (whole[0], shifted(whole[0], unit, 1)), ""


def _week_of_day(_match: re.Match[str], one: Mention) -> _Part | None:
    return (lambda whole: unit_days(whole[0], "week"), "week") if one.unit == "day" else None


def _beside(match: re.Match[str], one: Mention) -> _Part | None:
    """The week before, three days after, the Friday before."""
    side = -1 if match["side"] in {"before", "preceding", "prior to", "once"} else 1
    word, counted = " ".join(match["unit"].split()), match.groupdict().get("count")
    if word in WEEKDAYS:
        return lambda whole: next_weekday(whole, WEEKDAYS[word], side), "day"
    unit = PARTS[word]
    if unit == "weekend":
        return lambda whole: next_weekday(whole, 5, side, length=2), unit
    count, exact = count_of(counted or "a") * side, bool(counted) and one.unit in _SINGLE
    kind = "day" if exact or unit == "day" else unit
    return lambda whole: beside(whole, unit, count, exact=exact), kind


def _weekday_of(match: re.Match[str], one: Mention) -> _Part | None:
    """Tuesday, or Tuesday to Friday, of a week; beside a day it says nothing new."""
    if one.unit == "day":
        return lambda whole: whole, "day"
    parts = match.groupdict()
    last = WEEKDAYS.get(match["weekday"])
    first = WEEKDAYS.get(parts.get("first") or "", last)
    if one.unit != "week" or first is None or last is None:
        return None

    def cut(whole: Days) -> Days:
        return whole[0] + timedelta(days=first), whole[0] + timedelta(days=last + 1)

    return cut, "day" if first == last else ""


def _same(_match: re.Match[str], one: Mention) -> _Part | None:
    return (lambda whole: whole, one.unit) if one.unit in _SINGLE else None


_SINGLE = frozenset(("day", "weekday"))
_UNIT = r"(?P<unit>day|week|weekend|month|quarter|year)"
_WEEKDAYS = any_of(WEEKDAYS)
_TO = r"\s*(?:-|–|to|and|until|through)\s*(?:the\s+)?"
_OF = r"\s+(?:of|in)\s+(?:the\s+)?(?:(?:calendar\s+)?year\s+|month\s+of\s+)?$"
_TURKISH_GAP = rf"(?:{CASE})?(?:\s+(?:yil|sene|ay|hafta|donem)\w{{0,6}})?\s+"

type _PartReader = Callable[[re.Match[str], Mention], _Part | None]


def _row(pattern: str, read: _PartReader) -> tuple[re.Pattern[str], _PartReader]:
    return re.compile(pattern), read


_HEADS = (
    _row(
        rf"\b(?P<nth>{ORDINAL})\s+(?:{COUNT}\s+)?(?:full\s+|calendar\s+)?"
        rf"(?P<unit>day|week|weekend|month|quarter|year|half|{_WEEKDAYS})s?{_OF}",
        _nth,
    ),
    _row(
        r"\b(?:h|half\s)?(?P<half>[12])(?:(?<=h[12])|(?<=half\s[12])|h)"
        r"[\s/-]*(?:of\s+(?:the\s+)?(?:year\s+)?)?$",
        _half_year,
    ),
    _row(r"\b(?P<week>\d{1,2})(?:\.|'?[iu]nc[iu])\s+hafta(?:si)?,?\s+$", _week_number),
    _row(
        rf"\b(?P<day>{NTH_DAY})(?:{_TO}(?P<last>{NTH_DAY}))?\s+(?:day\s+)?of\s+(?:the\s+)?(?:month\s+of\s+)?$",
        _day_of_month,
    ),
    _row(
        r"\b(?:(?:calendar\s+|iso\s+)?week|wk|cw|kw|w)[\s.-]?(?P<week>\d{1,2})(?:\s+(?:of|in)|,)?"
        r"[\s/-]+(?:the\s+)?(?:year\s+)?$",
        _week_number,
    ),
    _row(
        rf"\b{_UNIT}\s+(?P<how>of|containing|around|starting|beginning|commencing|ending|from)\s+"
        r"(?:on\s+|with\s+|in\s+)?(?:the\s+)?$",
        _unit_around,
    ),
    _row(
        rf"\bthe\s+(?P<unit>day|week|weekend|month|quarter|year|{_WEEKDAYS})\s+"
        r"(?P<side>before|after|following|preceding|prior to)\s+(?:the\s+)?$",
        _beside,
    ),
    _row(rf"\b{COUNT}\s+{_UNIT}s?\s+(?P<side>before|after|prior to)\s+(?:the\s+)?$", _beside),
    _row(
        rf"\b(?:(?P<first>{_WEEKDAYS}){_TO})?(?P<weekday>{_WEEKDAYS}|{any_of(SHORT_WEEKDAYS)})(?:\.?,|\.|\s+of)?\s+(?:the\s+)?$",
        _weekday_of,
    ),
    _row(r"\b(?:morning|afternoon|evening|night)\s+of\s+(?:the\s+)?$", _same),
)
_TAILS = (
    _row(
        rf"{_TURKISH_GAP}(?P<nth>{ORDINAL})\s+(?:{COUNT}\s+)?"
        rf"(?P<unit>yari(?:yil)?|ceyre[kg]|hafta\s?sonu|hafta|ay|gun|{_WEEKDAYS}){OWN}",
        _nth,
    ),
    _row(
        rf"(?:'s|,)?\s+(?P<nth>{ORDINAL})\s+(?P<count>(?!))?(?P<unit>half|quarter)\b",
        _nth,
    ),
    _row(
        rf"'s\s+(?P<nth>{ORDINAL})\s+(?:{COUNT}\s+)?"
        rf"(?P<unit>half|quarter|weekend|week|month|day|{_WEEKDAYS})s?\b",
        _nth,
    ),
    _row(
        rf"{_TURKISH_GAP}(?:(?P<season>{any_of(SEASONS)})|(?P<month>{TURKISH_MONTHS})){OWN}",
        _named,
    ),
    _row(r"(?:'s)?[\s/-]*h(?P<half>[12])\b", _half_year),
    _row(r"(?:'s)?[\s/-]+q(?P<q>[1-4])\b", _quarter),
    _row(
        rf"(?:{CASE})?(?:\s+yil\w{{0,4}})?,?\s+(?:(?:week|wk|cw|w)\s?(?P<week>\d{{1,2}})\b"
        rf"|(?P<nth>\d{{1,2}})(?:\.|'?[iu]nc[iu])\s+hafta{OWN})",
        _week_number,
    ),
    _row(
        rf"{_TURKISH_GAP}(?!an?\b|ay){COUNT}(?:'?s?[iu]|'?y[iu])(?=(?:{CASE}|n[aeiu])?(?!\w))",
        _counted_day,
    ),
    _row(rf"\s+hafta(?:si)(?=(?:{CASE}|n[aeiu])?(?!\w))", _week_of_day),
    _row(
        rf"'?[td][ae]n\s+(?P<side>once|sonra)ki\s+(?P<unit>hafta\s?sonu|gun|hafta|ay|yil|{_WEEKDAYS})"
        + OWN,
        _beside,
    ),
    _row(
        rf"'?[td][ae]n\s+{COUNT}\s+(?P<unit>gun|hafta|ay|yil)\s+(?P<side>once|sonra)\b",
        _beside,
    ),
    _row(
        rf"(?:{CASE})?,?\s+\(?(?:on\s+)?(?P<weekday>{_WEEKDAYS})\)?(?!s\b){OWN}",
        _weekday_of,
    ),
    _row(rf"\s+{HOLIDAY}", _same),
)
