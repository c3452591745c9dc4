"""Readers of dates written with numbers: 2024-05-12, 12 May, Q3 24, week 7, the 1990s, 2019."""

import re
from calendar import monthrange
from datetime import date

from tools.temporal.periods.periods import (
    BESIDE,
    CAPITAL,
    DAYLIKE,
    EARLIEST_YEAR,
    OPEN,
    SINCE,
    Mention,
    Reader,
    days_of_month,
    iso_week,
    mention,
    months,
    one_day,
    quarter,
    real_month,
)
from tools.temporal.periods.rules import Rule, rules
from tools.temporal.periods.vocabulary import (
    CASE,
    DECADE,
    END,
    FREE,
    MONTH,
    MONTHS,
    NO_UNIT,
    NTH_DAY,
    ORDINAL,
    SURE_MONTHS,
    TURKISH_YEAR,
    YEAR,
    decade_of,
    ordinal_of,
)

# --- days ----------------------------------------------------------------------------------


def _iso_day(match: re.Match[str], _today: date) -> Mention:
    year, month, day = int(match["year"]), int(match["m"]), int(match["d"])
    return mention(match, lambda _: days_of_month(year, month, day), year, unit="day")


def _compact_day(match: re.Match[str], today: date) -> Mention | None:
    """20240512; most numbers of eight digits are something else."""
    try:
        day = date.fromisoformat(match["day"])
    except ValueError:
        return None
    if not EARLIEST_YEAR <= day.year <= today.year or _names_a_thing(match):
        return None
    return mention(match, lambda _: one_day(day), day.year, unit="day")


def _written_day(match: re.Match[str], today: date) -> Mention:
    """12.05.2024 is the 12th of May; 05/12/2024 is either and refused by its impossible month.

    A year of two digits needs a real day, or a word before it: "section 10.12.24".
    """
    first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
    if match["sep"] == "/" and second > 12:
        first, second = second, first
    elif match["sep"] == "/" and first <= 12 and first != second:
        second = 0
    needs = frozenset[str]()
    if year < 100:
        year = _full_year(match["year"], today)
        known = _is_day(year, second, first) and not _names_a_thing(match)
        needs = needs if known else DAYLIKE
    return mention(
        match, lambda _: days_of_month(year, second, first), year, unit="day", needs=needs
    )


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _full_year(digits: str, today: date) -> int:
    """The newest year, up to this one, that ends in these two digits."""
    year = today.year // 100 * 100 + int(digits)
    return year - 100 * (year > today.year)


def _month_day(match: re.Match[str], _today: date) -> Mention:
    month, day = MONTHS[match["month"]], _day_number(match["d"])
    last = _day_number(match["last"]) if "last" in match.re.groupindex else None
    year = int(match["year"]) if match["year"] else None
    sure = year or match["month"] in SURE_MONTHS or (last and last > day) or match["d"].isalpha()
    needs = frozenset[str]() if sure else DAYLIKE
    unit = "" if last else "day"
    return mention(
        match, lambda y: days_of_month(y, month, day, last=last), year, unit=unit, needs=needs
    )


def _day_number(words: str) -> int:
    return int(words) if words.isdigit() else ordinal_of(words)


# --- months, quarters, seasons, years ------------------------------------------------------


def _iso_month(match: re.Match[str], _today: date) -> Mention:
    year, month = int(match["year"]), int(match["m"])
    if month > 12 and month == (year + 1) % 100:  # 2023-24 is two years
        return mention(match, lambda _: months(year, 1, 24), year)
    needs = frozenset[str]() if 1 <= month <= 12 else BESIDE
    return mention(match, lambda _: real_month(year, month), year, unit="month", needs=needs)


def _written_month(match: re.Match[str], _today: date) -> Mention:
    year, month = int(match["year"]), int(match["m"])
    sure = len(match["m"]) == 2 and 1 <= month <= 12
    needs = frozenset[str]() if sure else BESIDE
    return mention(match, lambda _: real_month(year, month), year, unit="month", needs=needs)


def _month_year(match: re.Match[str], _today: date) -> Mention:
    month = MONTHS[match["month"]]
    return mention(match, lambda y: months(y, month), int(match["year"]), unit="month")


def _year_month(match: re.Match[str], _today: date) -> Mention:
    """Read "2024 May" as a month, but "in 2024 may" as a year and a verb."""
    month, year = MONTHS[match["month"]], int(match["year"])
    needs = CAPITAL if match["month"] in {"may", "march"} else frozenset[str]()
    return mention(match, lambda y: months(y, month), year, unit="month", needs=needs)


def _winter(match: re.Match[str], _today: date) -> Mention | None:
    """The winter of 2023-24 is named by both its years."""
    year = int(match["year"])
    if int(match["next"]) % 100 != (year + 1) % 100:
        return None
    return mention(match, lambda y: months(y, 12, 3), year, unit="season")


def _quarter(match: re.Match[str], today: date) -> Mention:
    """Read "Q3 2024", "Q3 24", "4Q23"; "Q3" alone needs a word before it."""
    number, parts = int(match["q"]), match.groupdict()
    year = _full_year(parts["yy"], today) if parts.get("yy") else int(parts["year"] or 0) or None
    needs = frozenset[str]() if year else BESIDE
    return mention(match, lambda y: quarter(y, number), year, unit="quarter", needs=needs)


def _half(match: re.Match[str], today: date) -> Mention:
    number, year = int(match["half"]), _full_year(match["yy"], today)
    return mention(match, lambda y: months(y, number * 6 - 5, 6), year, unit="half")


def _nth_quarter(match: re.Match[str], _today: date) -> Mention:
    number = ordinal_of(match["q"])
    return mention(
        match, lambda y: quarter(y, 4 if number < 0 else number), None, unit="quarter", needs=BESIDE
    )


def _iso_week(match: re.Match[str], _today: date) -> Mention:
    year, week, weekday = int(match["year"]), int(match["week"]), int(match["weekday"] or 0)
    unit = "day" if weekday else "week"
    return mention(match, lambda _: iso_week(year, week, weekday), year, unit=unit)


def _decade(match: re.Match[str], today: date) -> Mention | None:
    if _OF_SOMEONE.search(match.string, max(0, match.start() - 16), match.start()):
        return None
    parts = match.groupdict()
    if digits := parts.get("decade"):
        year = int(digits) * 10
    else:
        words = parts["words"] or parts["short"] or parts["turkish"]
        year = decade_of(words.strip("'"), latest=today.year)
    return mention(match, lambda _: months(year, 1, 120), year, unit="decade")


def _century(match: re.Match[str], _today: date) -> Mention | None:
    """A century before the earliest year is what the question is about: "19th century novels"."""
    first = ordinal_of(match["nth"]) * 100 - 99
    if first < EARLIEST_YEAR:
        return None
    return mention(match, lambda _: months(first, 1, 1200), first, unit="century")


def _fiscal_year(match: re.Match[str], today: date) -> Mention:
    """As the calendar year of the same number: the text does not say when it begins."""
    year = _full_year(match["yy"], today) if match["yy"] else int(match["year"])
    return mention(match, lambda y: months(y, 1, 12), year, unit="year")


def _bare_year(match: re.Match[str], today: date) -> Mention | None:
    """A year outside 1900..now is mostly what the question is about, not when it was written."""
    year = int(match["year"])
    if _names_a_thing(match):
        return None
    needs = OPEN if year > today.year else SINCE if year < EARLIEST_YEAR else frozenset[str]()
    return mention(match, lambda y: months(y, 1, 12), year, unit="year", needs=needs)


def _short_year(match: re.Match[str], today: date) -> Mention:
    """Read "'24" behind a month, a season or a word such as "in"."""
    year = _full_year(match["yy"], today)
    return mention(match, lambda y: months(y, 1, 12), year, unit="year", needs=BESIDE)


def _names_a_thing(match: re.Match[str]) -> bool:
    return bool(_NUMBERED.search(match.string, max(0, match.start() - 24), match.start()))


# --- the forms -----------------------------------------------------------------------------

_OF_SOMEONE = re.compile(r"(?:\b(?:my|your|his|her|our|their)|'s)\s+(?:early\s|late\s|mid[\s-])?$")
# Nouns whose number names one of them: room 2019, Windows Server 2019, RFC 2119.
_NUMBERED = re.compile(
    r"\b(?:rooms?|server|rfc|iso|din|port|version|windows|office|studio|exchange|sharepoint|access"
    r"|excel|autocad|matlab|model|flight|train|bus|line|pages?|chapter|section|paragraph|article"
    r"|issue|ticket|bug|task|pr|pull request|commit|number|no|nr|suite|gate|apartment|apt|flat"
    r"|building|box|highway|route|act|law|regulation|directive|resolution|code|pin|unit|channel"
    r"|invoice|order|case|error|id|item|figure|table|step|level|area|zone|catch|agenda|about"
    r" the number|oda|daire|kapi|numara|hat|sefer|surum|sayfa|madde|kanun|yasa|bolum|sinif|salon"
    r"|ucus|otobus|hata|kod|fatura|siparis)[.:]?\s+(?:no\.?\s+|number\s+)?$"
)
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?"
_TO_DAY = r"\s*(?:-|–|—|to|until|till|through|and|ile|ve)\s*(?:the\s+)?"
_NEXT = r"\d{4}|\d\d"
_LAST = r"(?P<last>\d{1,2})(?:st|nd|rd|th|\.)?"

CALENDAR: tuple[Rule[Reader], ...] = rules(
    (
        _iso_day,
        FREE + r"(?P<year>[12]\d{3})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
        rf"(?:t\d\d:[\d:.+z-]*)?(?!-?\d){END}",
    ),
    (_compact_day, rf"{FREE}(?P<day>(?:19|20)\d\d[01]\d[0-3]\d){END}"),
    (
        _written_day,
        FREE + rf"(?P<a>\d{{1,2}})(?P<sep>[./-])(?P<b>\d{{1,2}})(?P=sep){YEAR}",
        FREE + rf"(?P<a>\d\d)(?P<sep>[./])(?P<b>\d\d)(?P=sep)(?P<year>\d\d){END}(?![.,:/]\d)",
    ),
    (
        _winter,
        rf"\b(?P<season>winter)(?:\s+of|,)?\s+(?P<year>[12]\d{{3}})\s?[-/–]\s?(?P<next>{_NEXT}){END}",
        (
            rf"{FREE}(?P<year>[12]\d{{3}})\s?[-/–]\s?(?P<next>{_NEXT})(?:{CASE})?\s+"
            rf"(?:winter|kis[iu]?){END}"
        ),
    ),
    (_iso_month, FREE + rf"(?P<year>[12]\d{{3}})[-/](?P<m>\d{{2}}){END}(?![-./]\d)"),
    (
        _iso_week,
        FREE + rf"(?P<year>[12]\d{{3}})[\s-]*w(?P<week>\d{{1,2}})(?:-(?P<weekday>[1-7]))?{END}",
    ),
    (
        _written_month,
        FREE + rf"(?P<m>\d{{1,2}})[/-]{YEAR}{NO_UNIT}",
        FREE + rf"(?P<m>0[1-9]|1[0-2])\.{YEAR}{NO_UNIT}",
    ),
    (
        _month_day,
        rf"{FREE}{_DAY}{_TO_DAY}{_LAST}\s+(?:of\s+)?{MONTH}\.?(?:,?\s+{YEAR})?",
        rf"\b{MONTH}\.?\s+(?:the\s+)?{_DAY}{_TO_DAY}{_LAST}(?!\d)(?:,?\s+{YEAR})?{NO_UNIT}{END}",
        rf"{FREE}{_DAY}(?:\s?[-./]?\s?|\s+of\s+){MONTH}\.?[\s,./-]+{YEAR}",
        rf"{FREE}{_DAY}(?:\s+(?:of\s+)?|-){MONTH}\.?(?P<year>){END}",
        rf"\b(?P<d>{NTH_DAY})\s+of\s+{MONTH}\.?(?:,?\s+{YEAR})?",
        rf"{FREE}(?P<year>[12]\d{{3}})[\s,./-]+{MONTH}[\s./-]+{_DAY}{END}{NO_UNIT}",
        rf"{FREE}(?P<year>[12]\d{{3}})[\s,]+{_DAY}\s+{MONTH}",
    ),
    (_month_year, rf"\b{MONTH}\.?(?:,|\s+of|\s+in)?[\s/-]+{YEAR}{NO_UNIT}"),
    (_year_month, rf"{FREE}{TURKISH_YEAR}[\s-]+{MONTH}"),
    (
        _month_day,
        rf"\b{MONTH}\.?\s+(?:the\s+)?{_DAY}(?!\d)(?:,?\s+{YEAR})?{NO_UNIT}{END}",
        rf"\b{MONTH}\s+(?:the\s+)?(?P<d>{NTH_DAY})(?:,?\s+{YEAR}|(?P<none>)(?=\s*(?:[?!.,;]|$)))",
    ),
    (
        _quarter,
        rf"{FREE}(?P<year>[12]\d{{3}})[\s/-]*q(?P<q>\d){END}",
        rf"\bq(?P<q>\d)(?:[\s/-]*(?:of\s+)?{YEAR}|[\s/-]*'?(?P<yy>\d\d)(?![\d:]){NO_UNIT}|{END})",
        rf"{FREE}(?P<q>[1-4])q[\s/-]*(?:{YEAR}|'?(?P<yy>\d\d)(?!\w))",
    ),
    (
        _half,
        r"\bh(?P<half>[12])\s?[/']?\s?(?P<yy>\d\d)(?!\w)" + NO_UNIT,
        rf"{FREE}(?P<half>[12])h\s?'?(?P<yy>\d\d)(?!\w){NO_UNIT}",
    ),
    (_fiscal_year, rf"\bfy[\s-]?'?(?:{YEAR}|(?P<yy>\d\d)(?!\w))"),
    (_decade, rf"{FREE}(?P<decade>(?:19|20)\d)0(?:'?s|'?l[ae]r|'?l[iu]\s+yillar){END}", DECADE),
    (_century, rf"\b(?P<nth>{ORDINAL})[\s-]+(?:century|yuzyil){END}"),
)
"""Days, months, weeks and quarters written with their numbers."""

LOOSE: tuple[Rule[Reader], ...] = rules(
    (_nth_quarter, rf"\b(?P<q>{ORDINAL})\s+(?:quarter(?!\s+(?:of|note))|ceyre[kg]){END}"),
    (
        _bare_year,
        rf"(?:{FREE}|(?<=\b(?:19|20)\d\d-)|(?<=\bmid-)){YEAR}{NO_UNIT}",
        rf"(?:(?<=\bpre-)|(?<=\bpost-)){YEAR}",
        rf"(?:(?<=\bmy )|(?<=\bour )){YEAR}(?=\s+notes\b)",
    ),
    (_short_year, r"(?<!\w)'(?P<yy>\d\d)(?![\w'])"),
)
"""Quarters and years alone, once no longer date has taken them."""
