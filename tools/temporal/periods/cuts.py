"""What the words beside a date cut out of it: the first half, early March, the week before.

Each function reads one match beside a mention, and returns how to cut the part out of the
mention's days together with the unit the part is; None where the words mean something else.
"""

import re
from collections.abc import Callable
from datetime import timedelta

from tools.temporal.periods.periods import (
    IMPLIED,
    STRETCHED,
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
    stretch,
    unit_days,
)
from tools.temporal.periods.vocabulary import MONTHS, PARTS, SEASONS, WEEKDAYS, count_of, ordinal_of

type Cut = Callable[[Days], Days]
type Part = tuple[Cut, str]
type PartReader = Callable[[re.Match[str], Mention], Part | None]

_SINGLE = frozenset(("day", "weekday"))


def nth_part(match: re.Match[str], one: Mention) -> Part | None:
    """The second week, the first and second quarter, the last three days, the first Monday."""
    word, number = " ".join(match["unit"].split()), ordinal_of(match["nth"])
    if word in WEEKDAYS:
        known = longer(one.unit, "week")
        return (lambda whole: nth_weekday(whole, WEEKDAYS[word], number), "day") if known else None
    unit, count = PARTS[word], count_of(match["count"]) if match["count"] else 1
    if not (longer(one.unit, unit) or (unit == "half" and one.unit == "month" and number < 3)):
        return None

    def cut(whole: Days, number: int = number) -> Days:
        if unit == "weekend":
            return nth_weekday(whole, 5, number, length=2)
        if unit == "week" and one.unit == "year" and number > 1 and count == 1:
            return iso_week(whole[0].year, number)
        return nth(whole, unit, number, count=count)

    if first := match.groupdict().get("first"):
        return lambda whole: (cut(whole, ordinal_of(first))[0], cut(whole)[1]), ""
    return cut, unit if count == 1 and not (unit == "half" and one.unit == "month") else ""


def stretch_part(match: re.Match[str], one: Mention) -> Part | None:
    """Early March, mid-2023, the end of last year, mart ortası."""
    if one.unit not in STRETCHED:
        return None
    part = _STRETCHES[match["part"]]
    before = match.string[max(0, match.start() - 16) : match.start()]
    if one.needs == IMPLIED and (
        _TOWARDS.search(before) or _TURKISH_TOWARDS.match(match.string, match.end())
    ):
        return None
    if part in {"early", "late"} and _LATENESS.search(before):
        return None
    return lambda whole: stretch(whole, one.unit, part), ""


_STRETCHES = {
    "early": "early",
    "mid": "mid",
    "middle": "mid",
    "late": "late",
    "beginning": "start",
    "start": "start",
    "end": "end",
    "bas": "start",
    "orta": "mid",
    "son": "end",
}
# "By the end of the year" looks ahead; the others do not speak of a time at all: "was I late".
_TOWARDS = re.compile(r"\b(?:by|until|till|before|up to)\s+$")
_TURKISH_TOWARDS = re.compile(r"n[ae]\s+(?:kadar|dek|degin)\b")
_LATENESS = re.compile(
    r"\b(?:i|we|you|they|he|she|was|were|am|is|are|been|being|be|too|so|up|came|arrived?)\s+$"
)


def half_of_year(match: re.Match[str], one: Mention) -> Part | None:
    """H1 or H2 of a year."""
    number = int(match["half"])
    return (lambda whole: half(whole, number), "half") if one.unit == "year" else None


def quarter_of_year(match: re.Match[str], one: Mention) -> Part | None:
    """Q3 behind a year."""
    number = int(match["q"])
    if one.unit != "year":
        return None
    return lambda whole: quarter(whole[0].year, number), "quarter"


def named_part(match: re.Match[str], one: Mention) -> Part | None:
    """Geçen yılın yazında, 2024'ün mayısında."""
    if one.unit != "year":
        return None
    if match["season"]:
        first = SEASONS[match["season"]]
        return lambda whole: months(whole[0].year, first, 3), "season"
    number = MONTHS[match["month"]]
    return lambda whole: months(whole[0].year, number), "month"


def weeks_of_year(match: re.Match[str], one: Mention) -> Part | None:
    """Week 7, or weeks 10 to 12, of a year."""
    if one.unit != "year":
        return None
    last = int(match["week"])
    if first := match.groupdict().get("first"):
        return lambda whole: (
            iso_week(whole[0].year, int(first))[0],
            iso_week(whole[0].year, last)[1],
        ), ""
    return lambda whole: iso_week(whole[0].year, last), "week"


def month_of_year(match: re.Match[str], one: Mention) -> Part | None:
    """Month 5 of a year."""
    number = int(match["nth"])
    return (lambda whole: nth(whole, "month", number), "month") if one.unit == "year" else None


def days_of_it(match: re.Match[str], one: Mention) -> Part | None:
    """The 5th, or the 5th to the 10th, of a month."""
    if one.unit != "month":
        return None
    number = ordinal_of(match["day"])
    if not match["last"]:
        return lambda whole: nth(whole, "day", number), "day"
    last = ordinal_of(match["last"])
    return lambda whole: (nth(whole, "day", number)[0], nth(whole, "day", last)[1]), ""


def counted_day(match: re.Match[str], one: Mention) -> Part | None:
    """Mayısın beşi: a day of a month by a number without an ordinal ending."""
    number = count_of(match["count"])
    return (lambda whole: nth(whole, "day", number), "day") if one.unit == "month" else None


def unit_around(match: re.Match[str], one: Mention) -> Part | None:
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


def week_of_day(_match: re.Match[str], one: Mention) -> Part | None:
    """14 Nisan haftası: the week a day lies in."""
    return (lambda whole: unit_days(whole[0], "week"), "week") if one.unit == "day" else None


def beside_it(match: re.Match[str], one: Mention) -> Part | None:
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


def weekday_of_week(match: re.Match[str], one: Mention) -> Part | None:
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


def the_same(_match: re.Match[str], one: Mention) -> Part | None:
    """Words that only say more of a day: the morning of it, the name of a holiday behind it."""
    return (lambda whole: whole, one.unit) if one.unit in _SINGLE else None
