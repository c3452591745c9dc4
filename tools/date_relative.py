"""Readers of the expressions that count from today: last week, three days ago, geçen yaz."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from tools.date_periods import (
    BESIDE,
    DAYLIKE,
    IMPLIED,
    OPEN,
    Days,
    Mention,
    back_from,
    days_of_month,
    latest,
    mention,
    months,
    one_day,
    rolling_days,
    unit_days,
)
from tools.date_words import (
    BACK,
    COUNT,
    END,
    HOLIDAY,
    HOLIDAYS,
    LONGER_UNITS,
    MONTH,
    MONTHS,
    NEAR,
    NTH_DAY,
    OLDER_ONES,
    PAST_ONES,
    SEASON,
    SEASONS,
    UNIT,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    WEEKEND,
    count_of,
    ordinal_of,
)

type Reader = Callable[[re.Match[str], date], Mention | None]


def reader(pattern: str, read: Reader) -> tuple[re.Pattern[str], Reader]:
    """A row of a table of readers."""
    return re.compile(pattern), read


def named_days(match: re.Match[str]) -> tuple[Callable[[int], Days], str]:
    """The days of the month, season or holiday a match names, and their unit."""
    parts = match.groupdict()
    if name := parts.get("holiday"):
        month, day = HOLIDAYS[name]
        return lambda year: days_of_month(year, month, day), "day"
    if name := parts.get("season"):
        first = SEASONS[name]
        return lambda year: months(year, first, 3), "season"
    number = MONTHS[match["month"]]
    return lambda year: months(year, number), "month"


def _unit_of(match: re.Match[str]) -> tuple[str, int]:
    """The calendar unit and how many of it the word stands for: a fortnight is two weeks."""
    return LONGER_UNITS.get(match["unit"]) or (UNITS[match["unit"]], 1)


# --- days ----------------------------------------------------------------------------------

_DAYS_BACK = {"yesterday": 1, "dun": 1, "last night": 1, "dun gece": 1} | dict.fromkeys(
    ("the day before yesterday", "day before yesterday", "evvelsi gun", "evvelki gun"), 2
)


def _named_day(match: re.Match[str], today: date) -> Mention:
    back = _DAYS_BACK.get(" ".join(match["name"].split()), 0)
    return mention(match, lambda _: unit_days(today, "day", back), today.year, unit="day")


def _now(match: re.Match[str], today: date) -> Mention:
    """The end of a range; alone it says nothing of when something was written."""
    return mention(match, lambda _: one_day(today), None, needs=IMPLIED)


def _weekday(match: re.Match[str], today: date) -> Mention:
    back = (today.weekday() - WEEKDAYS[match["weekday"]]) % 7
    near = match["near"]
    if near in PAST_ONES:
        back = back or 7
    elif near in OLDER_ONES:
        back = (back or 7) + 7
    needs = frozenset[str]() if near or match["noun"] else DAYLIKE
    return mention(
        match, lambda _: unit_days(today, "day", back), today.year, unit="weekday", needs=needs
    )


def _day_of_month(match: re.Match[str], today: date) -> Mention:
    """Read "on the 5th": of the latest month in which it has begun.

    A word needs "on": "differ from the first" is no date.
    """
    number = ordinal_of(match["day"])
    needs = DAYLIKE - {"within"} if match["day"][0].isdigit() else frozenset(("on",))

    def days(_: int) -> Days:
        for back in range(3):
            start, end = months(today.year, today.month - back)
            day = start + timedelta(days=number - 1)
            if day < end and day <= today:
                return one_day(day)
        raise ValueError("no such day")

    return mention(match, days, today.year, unit="day", needs=needs)


def _same_day(match: re.Match[str], today: date) -> Mention:
    """Read "this day last year": today, or its week or month, moved back."""
    parts = match.groupdict()
    unit, count = "year", 1
    if words := parts.get("count"):
        unit, factor = _unit_of(match)
        count = count_of(words) * factor
    elif parts.get("year"):
        count = today.year - int(match["year"])
    day = back_from(today, unit, count)
    whole = {"week": "week", "hafta": "week", "month": "month", "ay": "month", "time": "month"}
    kind = whole.get(parts.get("kind") or "", "month" if parts.get("around") else "day")
    return mention(match, lambda _: unit_days(day, kind), day.year, unit=kind)


# --- units ---------------------------------------------------------------------------------


def _last_few(match: re.Match[str], today: date) -> Mention:
    unit, factor = _unit_of(match)
    count = count_of(match["count"]) * factor
    return mention(match, lambda _: rolling_days(today, unit, count), today.year)


def _to_date(match: re.Match[str], today: date) -> Mention:
    """Year to date: from the start of the unit up to and with today."""
    unit = {"w": "week", "m": "month", "q": "quarter"}.get(match["first"], "year")
    start, end = unit_days(today, unit)[0], today + timedelta(days=1)
    return mention(match, lambda _: (start, end), today.year)


def _last_hours(match: re.Match[str], today: date) -> Mention:
    count = -(-int(match["count"]) // 24)
    return mention(match, lambda _: rolling_days(today, "day", count), today.year)


def _ago(match: re.Match[str], today: date) -> Mention | None:
    if not match["count"] and match["unit"] not in LONGER_UNITS:
        return None
    unit, factor = _unit_of(match)
    count = count_of(match["count"] or "a") * factor
    if match["today"] or match["exactly"]:
        day = back_from(today - timedelta(days=match["today"] == "yesterday"), unit, count)
        return mention(match, lambda _: one_day(day), day.year, unit="day")
    year = back_from(today, unit, count).year
    return mention(match, lambda _: unit_days(today, unit, count), year, unit=unit)


def _age(match: re.Match[str], today: date) -> Mention:
    """Read "older than two weeks": the day that long ago is the bound."""
    unit, factor = _unit_of(match)
    day = back_from(today, unit, count_of(match["count"]) * factor)
    return mention(match, lambda _: one_day(day), day.year, unit="day", needs=OPEN)


def _near_unit(match: re.Match[str], today: date) -> Mention | None:
    """Last week is a week of the calendar, the past week ends with today.

    "My last day at work", "geçen gün" (the other day) and "filmin son günü" are no dates.
    """
    (unit, factor), near = _unit_of(match), match["near"]
    if unit == "day" and near in PAST_ONES - {"past"}:
        return None
    if near == "son" and _GENITIVE.search(match.string, max(0, match.start() - 8), match.start()):
        return None
    this = near in {"this", "current", "bu"}
    if match["unit"] == "decade" and this:
        return mention(match, lambda _: unit_days(today, "decade"), today.year, unit="decade")
    if near in {"past", "son"} or match["over"] or (factor > 1 and not this):
        return mention(match, lambda _: rolling_days(today, unit, factor), today.year)
    back = 2 if near in OLDER_ONES else int(not this)
    return _unit_back(match, today, unit, back)


_GENITIVE = re.compile(r"\w[iu]n\s$")


def _unit_back(match: re.Match[str], today: date, unit: str, back: int) -> Mention:
    year = unit_days(today, unit, back)[0].year
    return mention(match, lambda _: unit_days(today, unit, back), year, unit=unit)


def _weekend(match: re.Match[str], today: date) -> Mention:
    """The latest weekend begun; "last" is the latest one over."""
    near, parts = match["near"], match.groupdict()
    over = near in PAST_ONES | OLDER_ONES or "count" in parts
    back = (near in OLDER_ONES) + (count_of(parts["count"]) - 1 if parts.get("count") else 0)
    days = _latest_weekend(today, back, over=over)
    needs = frozenset[str]() if over or near else DAYLIKE
    return mention(match, lambda _: days, days[0].year, unit="weekend", needs=needs)


def _latest_weekend(today: date, back: int, *, over: bool) -> Days:
    this = unit_days(today, "weekend")
    return unit_days(today, "weekend", back + (this[over] > today))


# --- months, seasons and holidays ----------------------------------------------------------


def _near_named(match: re.Match[str], today: date) -> Mention:
    """Read "last March" and "this summer": the latest one over, or the latest one begun."""
    days, unit = named_days(match)
    near = match["near"]
    year = latest(days, today, over=near in PAST_ONES | OLDER_ONES) - (near in OLDER_ONES)
    verb = near == "this" and match["month"] in {"may", "march"}
    return mention(match, days, year, unit=unit, needs=BESIDE if verb else frozenset())


def _before_last(match: re.Match[str], today: date) -> Mention:
    if match["weekday"]:
        back = (today.weekday() - WEEKDAYS[match["weekday"]]) % 7 or 7
        day = today - timedelta(days=back + 7)
        return mention(match, lambda _: one_day(day), day.year, unit="day")
    if match["unit"] == "weekend":
        weekend = _latest_weekend(today, 1, over=True)
        return mention(match, lambda _: weekend, weekend[0].year, unit="weekend")
    if match["unit"]:
        return _unit_back(match, today, match["unit"], 2)
    days, unit = named_days(match)
    return mention(match, days, latest(days, today, over=True) - 1, unit=unit)


def _the_unit(match: re.Match[str], today: date) -> Mention:
    unit = UNITS[match["unit"]]
    return mention(match, lambda _: unit_days(today, unit), today.year, unit=unit, needs=IMPLIED)


_NAMED = rf"(?:{MONTH}|{SEASON}{END}(?!s\b)|{HOLIDAY})"
# "On Mondays" is a habit, "tuesdays standup" has lost its apostrophe.
_NO_HABIT = r"(?!s(?!\s+(?:stand-?up|meeting|call|session|lecture|class|talk|entry|notes?)\b)\b)"
_TOPIC = r"(?!\s+(?:roasts?|schools?|projects?|blues|league|mass|brunch(?:es)?|routines?)\b)"
_TIME_OF_DAY = r"(?:\s+(?:morning|afternoon|evening|night|noon|sabah\w*|aksam\w*|gece\w*|ogle\w*))?"
_UNIT_WORDS = r"week|month|year|quarter|weekend|day"

RELATIVE: tuple[tuple[re.Pattern[str], Reader], ...] = (
    reader(
        r"\b(?:today|(?:this|the\s+same)(?:\s+same)?\s+(?P<kind>day|date|week|month|time)),?\s+"
        rf"(?:last\s+year|{COUNT}\s+{UNIT}\s+ago|in\s+(?P<year>(?:19|20)\d\d)\b)",
        _same_day,
    ),
    reader(
        rf"\b(?:gecen\s+(?:yil|sene)|{COUNT}\s+{UNIT}\s+once)\s+(?:tam\s+)?"
        rf"(?:bugun|bu\s+(?:(?P<around>zaman)\w*|(?P<kind>gun|hafta|ay))){END}",
        _same_day,
    ),
    reader(
        rf"\b(?:the\s+)?(?:(?P<unit>{_UNIT_WORDS})|{WEEKDAY}|{_NAMED})\s+before\s+last"
        rf"(?!\s+(?:{_UNIT_WORDS})\b)",
        _before_last,
    ),
    reader(rf"\b(?P<near>{NEAR})\s+{_NAMED}", _near_named),
    reader(
        rf"\b(?P<exactly>(?:exactly|tam)\s+)?(?:{COUNT}\s+)?{UNIT}\s+(?:ago|once)\b"
        r"(?:\s+(?P<today>today|to\s+the\s+day|yesterday))?",
        _ago,
    ),
    reader(
        r"\b(?P<name>(?:the\s+)?day\s+before\s+yesterday|yesterday|today|tonight|last\s+night"
        r"|this\s+(?:morning|afternoon|evening)|evvel[sk]i\s+gun|dun|bugun|bu\s+(?:sabah|aksam|gece))"
        + END
        + r"(?!ku\s+(?:hal|durum|anlam|sek[il]|deger|aras))"  # "bugünkü hali": as it is now
        + _TIME_OF_DAY
        + END,
        _named_day,
    ),
    reader(r"\b(?:now|(?:the\s+)?present|gunumuz|simdi)(?=(?:'?y?e)?(?!\w))", _now),
    reader(r"\b(?:(?P<first>[ymqw])(?:ear|onth|uarter|eek)(?:\s|-)to(?:\s|-)date)\b", _to_date),
    reader(r"\b(?P<first>[ymq])td\b", _to_date),
    reader(rf"\b(?:the\s+)?(?:{BACK})\s+{COUNT}\s+{UNIT}", _last_few),
    reader(rf"\b(?:the\s+)?(?:{BACK})\s+(?P<count>\d{{1,3}})\s+(?:hours?|saat){END}", _last_hours),
    reader(rf"(?:(?<=older than )|(?<=newer than )){COUNT}\s+{UNIT}(?!\s+ago)", _age),
    reader(rf"\b(?:this\s+)?(?P<near>{NEAR})\s+{WEEKEND}{END}", _weekend),
    reader(rf"\b{COUNT}\s+(?P<near>){WEEKEND}\s+(?:ago|once)\b", _weekend),
    reader(rf"(?P<near>)\b{WEEKEND}(?<!s){END}(?!s\b)", _weekend),
    reader(
        rf"\b(?P<over>(?:in|over|during|within)\s+the\s+(?=last|past))?(?:this\s+(?=past))?"
        rf"(?P<near>{NEAR}|son)\s+{UNIT}",
        _near_unit,
    ),
    reader(
        rf"\b(?:this\s+(?=past))?(?:(?P<near>{NEAR})\s+)?{WEEKDAY}{_NO_HABIT}{_TOPIC}(?P<noun>\s+gun(?:u|den)\w*)?"
        + END,
        _weekday,
    ),
    reader(r"\b(?P<unit>yil|sene|ay|hafta|ceyreg)(?=n?in\b)", _the_unit),
    reader(r"(?<=\bthe )(?P<unit>year|month|week|quarter)\b", _the_unit),
    reader(rf"(?<=\bthe )(?P<day>{NTH_DAY})(?=\s*(?:[?!.,;]|$))", _day_of_month),
)
