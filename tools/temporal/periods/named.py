"""Readers of months, seasons, holidays, weekdays and weekends by name: last March, two Fridays ago.

Where the words leave the year open it is the latest in which the days have begun.
"""

import re
from datetime import date, timedelta

from tools.temporal.periods.holidays import FEASTS, HOLIDAY, HOLIDAYS, MONTH_LONG, Holiday
from tools.temporal.periods.periods import (
    BESIDE,
    DAYLIKE,
    Days,
    Mention,
    Reader,
    latest,
    mention,
    months,
    next_weekday,
    one_day,
    unit_days,
)
from tools.temporal.periods.rules import Rule, rules
from tools.temporal.periods.vocabulary import (
    AHEAD,
    COUNT,
    END,
    FREE,
    MONTH,
    MONTHS,
    NEAR,
    NO_UNIT,
    OLDER_ONES,
    PAST_ONES,
    SEASON,
    SEASONS,
    SURE_MONTHS,
    TURKISH_YEAR,
    WEEKDAY,
    WEEKDAYS,
    WEEKEND,
    YEAR,
    any_of,
    count_of,
)


def _named_days(match: re.Match[str]) -> tuple[Holiday, str]:
    """The days, by year, of the month, season or holiday a match names, and their unit."""
    parts = match.groupdict()
    if name := parts.get("holiday"):
        return HOLIDAYS[name], "month" if name in MONTH_LONG else "day"
    if name := parts.get("season"):
        first = SEASONS[name]
        return lambda year: months(year, first, 3), "season"
    number = MONTHS[match["month"]]
    return lambda year: months(year, number), "month"


# --- months, seasons and holidays ----------------------------------------------------------


def _near_named(match: re.Match[str], today: date) -> Mention:
    """Read "last March" and "this summer": the latest one over, or the latest one begun."""
    days, unit = _named_days(match)
    near = match["near"]
    year = latest(days, today, over=near in PAST_ONES | OLDER_ONES) - (near in OLDER_ONES)
    verb = near == "this" and match["month"] in {"may", "march"}
    return mention(match, days, year, unit=unit, needs=BESIDE if verb else frozenset())


def _next_named(match: re.Match[str], today: date) -> Mention:
    days, unit = _named_days(match)
    return mention(match, days, latest(days, today) + 1, unit=unit)


def _bare_month(match: re.Match[str], _today: date) -> Mention:
    days, unit = _named_days(match)
    needs = frozenset[str]() if match["month"] in SURE_MONTHS else BESIDE
    return mention(match, days, None, unit=unit, needs=needs)


def _season(match: re.Match[str], _today: date) -> Mention:
    days, unit = _named_days(match)
    year = match.groupdict().get("year")
    needs = frozenset[str]() if year else BESIDE
    return mention(match, days, int(year) if year else None, unit=unit, needs=needs)


def _holiday(match: re.Match[str], _today: date) -> Mention:
    days, unit = _named_days(match)
    return mention(match, days, None, unit=unit, needs=DAYLIKE)


def _feast(match: re.Match[str], today: date) -> Mention:
    """Read "bayramda": the feast of the two that came last."""
    over = match["near"] in PAST_ONES

    def start(days: Holiday) -> date:
        return days(latest(days, today, over=over))[0]

    days = max(FEASTS, key=start)
    needs = frozenset[str]() if match["near"] else DAYLIKE
    return mention(match, days, latest(days, today, over=over), unit="day", needs=needs)


def _before_last(match: re.Match[str], today: date) -> Mention:
    if match["weekday"]:
        day = _weekday_back(today, match["weekday"], 2)
        return mention(match, lambda _: one_day(day), day.year, unit="day")
    if match["unit"] == "weekend":
        weekend = _latest_weekend(today, 1, over=True)
        return mention(match, lambda _: weekend, weekend[0].year, unit="weekend")
    if unit := match["unit"]:
        days = unit_days(today, unit, 2)
        return mention(match, lambda _: days, days[0].year, unit=unit)
    named, unit = _named_days(match)
    return mention(match, named, latest(named, today, over=True) - 1, unit=unit)


# --- weekdays and weekends -----------------------------------------------------------------


def _weekday(match: re.Match[str], today: date) -> Mention:
    """Without a word before it, today counts too, and something else must make it a date."""
    near, name = match["near"], match["weekday"]
    if near in PAST_ONES | OLDER_ONES:
        day = _weekday_back(today, name, 2 if near in OLDER_ONES else 1)
    else:
        day = today - timedelta(days=(today.weekday() - WEEKDAYS[name]) % 7)
    needs = frozenset[str]() if near or match["noun"] else DAYLIKE
    return mention(match, lambda _: one_day(day), day.year, unit="weekday", needs=needs)


def _weekday_ago(match: re.Match[str], today: date) -> Mention:
    day = _weekday_back(today, match["weekday"], count_of(match["count"]))
    return mention(match, lambda _: one_day(day), day.year, unit="weekday")


def _weekday_back(today: date, name: str, count: int) -> date:
    """The ``count``-th such weekday before today."""
    return today - timedelta(days=((today.weekday() - WEEKDAYS[name]) % 7 or 7) + 7 * (count - 1))


def _next_weekday(match: re.Match[str], today: date) -> Mention:
    if match["weekday"]:
        days, unit = next_weekday(one_day(today), WEEKDAYS[match["weekday"]], 1), "weekday"
    else:
        days, unit = next_weekday(one_day(today), 5, 1, length=2), "weekend"
    return mention(match, lambda _: days, days[0].year, unit=unit)


def _weekend(match: re.Match[str], today: date) -> Mention:
    """The latest weekend begun; "last" is the latest one over."""
    near, parts = match["near"], match.groupdict()
    over = near in PAST_ONES | OLDER_ONES or "count" in parts
    back = (near in OLDER_ONES) + (count_of(parts["count"]) - 1 if parts.get("count") else 0)
    days = _latest_weekend(today, back, over=over)
    needs = frozenset[str]() if over or near or parts.get("asked") else DAYLIKE
    return mention(match, lambda _: days, days[0].year, unit="weekend", needs=needs)


def _latest_weekend(today: date, back: int, *, over: bool) -> Days:
    this = unit_days(today, "weekend")
    return unit_days(today, "weekend", back + (this[over] > today))


# --- the forms -----------------------------------------------------------------------------

_NAMED = rf"(?:{MONTH}|{SEASON}{END}(?!s\b)|{HOLIDAY})"
_BEFORE_LAST = r"week|month|year|quarter|weekend|day"
_PART_OF_DAY = (
    r"\s+(?:morning|afternoon|evening|night|sabahi|aksami|gecesi)(?!s)"
    r"(?!\s+(?:live|fever|lights|football|routines?|rituals?|club|market|school|service)\b)"
)
# "On Mondays" is a habit, "tuesdays standup" has lost its apostrophe.
_NO_HABIT = r"(?!s(?!\s+(?:stand-?up|meeting|call|session|lecture|class|talk|entry|notes?)\b)\b)"
_NO_KIND = r"(?!\s+(?:roasts?|schools?|projects?|blues|league|mass|brunch(?:es)?|routines?)\b)"
_NO_TOPIC = (
    r"(?!\s+(?:trees?|carols?|cards?|gifts?|presents?|songs?|music|movies?|films?|costumes?"
    r"|recipes?|cookies?|decorations?|shopping|markets?|part(?:y|ies)|stor(?:y|ies)|dinner|lists?"
    r"|traditions?|island|resolutions?|lights?|ideas?|eggs?|bunny|turkey)\b)"
)

NAMED: tuple[Rule[Reader], ...] = rules(
    (
        _before_last,
        (
            rf"\b(?:the\s+)?(?:(?P<unit>{_BEFORE_LAST})|{WEEKDAY}|{_NAMED})\s+before\s+last"
            rf"(?!\s+(?:{_BEFORE_LAST})\b)"
        ),
    ),
    (
        _season,
        rf"\b{SEASON}(?:\s+of|\s+in|,)?\s+{YEAR}{NO_UNIT}",
        rf"{FREE}{TURKISH_YEAR}\s+{SEASON}{END}",
    ),
    (_near_named, rf"\b(?P<near>{NEAR})\s+{_NAMED}"),
    (_next_named, rf"\b(?:{AHEAD})\s+{_NAMED}"),
    (_holiday, rf"\b{HOLIDAY}{_NO_TOPIC}"),
    (_feast, rf"\b(?:(?P<near>{NEAR})\s+)?bayram(?!i){END}"),
    (_next_weekday, rf"\b(?:this\s+coming|{AHEAD})\s+(?:{WEEKDAY}|{WEEKEND}){END}"),
    (
        _weekend,
        rf"\b(?:this\s+)?(?P<near>{NEAR})\s+{WEEKEND}{END}",
        rf"\b{COUNT}\s+(?P<near>){WEEKEND}\s+(?:ago|once)\b",
        (
            r"(?P<near>)\b(?P<asked>hafta\s?sonu)"
            r"(?=\s+(?:ne|neler|nerede|nereye|kim\w*|hangi|nasil|kac)\b)"
        ),
        rf"(?P<near>)\b{WEEKEND}(?<!s){END}(?!s\b)",
    ),
    (_weekday_ago, rf"\b{COUNT}\s+{WEEKDAY}s?\s+(?:ago|once)\b"),
    (
        _weekday,
        (
            rf"\b(?:this\s+(?=past))?(?:(?P<near>{NEAR})\s+)?{WEEKDAY}{_NO_HABIT}{_NO_KIND}"
            rf"(?P<noun>\s+gun(?:u|den)\w*|{_PART_OF_DAY})?{END}"
        ),
    ),
    (_season, rf"\b(?P<season>{any_of(SEASONS)}){END}(?!s\b)"),
    (_bare_month, rf"\b{MONTH}"),
)
