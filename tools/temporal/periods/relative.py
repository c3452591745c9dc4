"""Readers of the expressions that count from today: last week, three days ago, geçen yaz."""

import re
from datetime import date, timedelta

from tools.temporal.periods.periods import (
    DAYLIKE,
    IMPLIED,
    NOW,
    OPEN,
    Days,
    Mention,
    Reader,
    back_from,
    mention,
    months,
    one_day,
    rolling_days,
    shifted,
    unit_days,
)
from tools.temporal.periods.rules import Rule, rules
from tools.temporal.periods.vocabulary import (
    AHEAD,
    ANY_COUNT,
    BACK,
    COUNT,
    END,
    LONGER_UNITS,
    NEAR,
    NTH_DAY,
    OLDER_ONES,
    PAST_ONES,
    UNIT,
    UNITS,
    count_of,
    ordinal_of,
)


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
    """One end of a range or a comparison; alone it says nothing of when something was written."""
    return mention(match, lambda _: one_day(today), None, unit=NOW, needs=IMPLIED)


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


def _less_than_none(match: re.Match[str], today: date) -> Mention:
    def days(_: int) -> Days:
        raise ValueError("no period has fewer than no days")

    return mention(match, days, today.year)


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


def _the_unit(match: re.Match[str], today: date) -> Mention:
    unit = UNITS[match["unit"]]
    return mention(match, lambda _: unit_days(today, unit), today.year, unit=unit, needs=IMPLIED)


# --- the days and units ahead --------------------------------------------------------------

_DAYS_AHEAD = {"tomorrow": 1, "yarin": 1} | dict.fromkeys(
    ("the day after tomorrow", "day after tomorrow", "obur gun", "yarindan sonra"), 2
)


def _day_ahead(match: re.Match[str], today: date) -> Mention:
    days = unit_days(today, "day", -_DAYS_AHEAD[" ".join(match["name"].split())])
    return mention(match, lambda _: days, days[0].year, unit="day")


def _next_unit(match: re.Match[str], today: date) -> Mention | None:
    """Next week; "the next day" counts from something else than today."""
    unit, factor = _unit_of(match) if "unit" in match.re.groupindex else ("week", 1)
    if unit == "day" or factor > 1:
        return None
    days = unit_days(today, unit, -1)
    return mention(match, lambda _: days, days[0].year, unit=unit)


def _next_few(match: re.Match[str], today: date) -> Mention:
    unit, factor = _unit_of(match)
    count = count_of(match["count"]) * factor

    def days(_: int) -> Days:
        return today, shifted(today, unit, count) + timedelta(days=1)

    return mention(match, days, today.year)


# --- the forms -----------------------------------------------------------------------------

_PART_OF_DAY = (
    r"(?:\s+(?:morning|afternoon|evening|night|noon|sabah\w*|aksam\w*|gece(?!n\b)\w*|ogle\w*))?"
)

_DAY_BEFORE = (
    r"(?:the\s+)?day\s+before\s+yesterday|yesterday|today|tonight|last\s+night"
    r"|this\s+(?:morning|afternoon|evening)|evvel[sk]i\s+gun|dun|bugun|bu\s+(?:sabah|aksam|gece)"
)
_DAY_AFTER = r"(?:the\s+)?day\s+after\s+tomorrow|tomorrow|yarindan\s+sonra|obur\s+gun|yarin"
NAMED_DAY = rf"{_DAY_BEFORE}|{_DAY_AFTER}"

# "Two weeks back", but not "a few weeks back to normal".
_BACK = r"back(?=\s*(?:[?!.,;]|$)|\s+(?:i|we|he|she|they|what|who|when|where|which|how|did)\b)"

RELATIVE: tuple[Rule[Reader], ...] = rules(
    (
        _same_day,
        (
            r"\b(?:today|(?:this|the\s+same)(?:\s+same)?\s+(?P<kind>day|date|week|month|time)),?\s+"
            rf"(?:last\s+year|{COUNT}\s+{UNIT}\s+ago|in\s+(?P<year>(?:19|20)\d\d)\b)"
        ),
        (
            rf"\b(?:gecen\s+(?:yil|sene)|{COUNT}\s+{UNIT}\s+once)\s+(?:tam\s+)?"
            rf"(?:bugun|bu\s+(?:(?P<around>zaman)\w*|(?P<kind>gun|hafta|ay))){END}"
        ),
    ),
    (
        _ago,
        (
            rf"\b(?P<exactly>(?:exactly|tam)\s+)?(?:{ANY_COUNT}\s+)?{UNIT}\s+"
            rf"(?:ago|once(?:ki|si(?=$|\s)|si(?=n[ae]))?|{_BACK})(?:\b|(?<=si))"
            r"(?:\s+(?P<today>today|to\s+the\s+day|yesterday))?"
        ),
    ),
    (
        _named_day,
        (
            rf"\b(?P<name>{_DAY_BEFORE}){END}"
            # "bugünkü hali": as it is now
            rf"(?!ku\s+(?:hal|durum|anlam|sek[il]|deger|aras)){_PART_OF_DAY}{END}"
        ),
    ),
    (
        _day_ahead,
        rf"\b(?P<name>{_DAY_AFTER}){END}{_PART_OF_DAY}{END}",
    ),
    (
        _now,
        (
            r"\b(?:now|nowadays|these\s+days|at\s+the\s+moment|(?:the\s+)?present|gunumuz|su\s+an)"
            r"(?=(?:'?y?e|da|daki)?(?!\w))"
        ),
        r"\bsimdi(?=(?:ye|ki)?(?!\w))",
    ),
    (
        _to_date,
        r"\b(?:(?P<first>[ymqw])(?:ear|onth|uarter|eek)(?:\s|-)to(?:\s|-)date)\b",
        r"\b(?P<first>[ymq])td\b",
    ),
    (_last_few, rf"\b(?:the\s+)?(?:{BACK})\s+{ANY_COUNT}\s+{UNIT}"),
    (_less_than_none, rf"\b(?:the\s+)?(?:{BACK})\s+[-−]\d+\s+{UNIT}"),
    (_next_few, rf"\b(?:the\s+next|{AHEAD})\s+{ANY_COUNT}\s+{UNIT}"),
    (_last_hours, rf"\b(?:the\s+)?(?:{BACK})\s+(?P<count>\d{{1,3}})\s+(?:hours?|saat){END}"),
    (_age, rf"(?:(?<=older than )|(?<=newer than )){COUNT}\s+{UNIT}(?!\s+ago)"),
    (
        _near_unit,
        (
            r"\b(?P<over>(?:in|over|during|within)\s+the\s+(?=last|past))?(?:this\s+(?=past))?"
            rf"(?P<near>{NEAR}|son)\s+{UNIT}"
        ),
    ),
    (_next_unit, rf"\b(?:{AHEAD})\s+{UNIT}", r"\bhaftaya(?!\w)"),
    (
        _the_unit,
        r"\b(?P<unit>yil|sene|ay|hafta|ceyreg)(?=n?in\b)",
        r"\b(?P<unit>yil|ay)(?=\s+(?:bas|orta|son)(?:lar)?[iu])",
        r"(?<=\bthe )(?P<unit>year|month|week|quarter)\b",
    ),
    (_day_of_month, rf"(?<=\bthe )(?P<day>{NTH_DAY})(?=\s*(?:[?!.,;]|$))"),
)
