"""The date expressions of English and Turkish: what they look like and which days they mean."""

import re
from datetime import date

from tools.date_parts import composed
from tools.date_periods import (
    BESIDE,
    DAYLIKE,
    EARLIEST_YEAR,
    IMPLIED,
    OPEN,
    SINCE,
    Mention,
    days_of_month,
    iso_week,
    mention,
    months,
    quarter,
    real_month,
)
from tools.date_relative import RELATIVE, Reader, named_days, reader
from tools.date_words import (
    CASE,
    DECADE,
    END,
    FREE,
    HINT,
    HOLIDAY,
    MONTH,
    MONTHS,
    NO_UNIT,
    NTH_DAY,
    ORDINAL,
    SEASON,
    SEASONS,
    SURE_MONTHS,
    TURKISH_YEAR,
    YEAR,
    any_of,
    decade_of,
    ordinal_of,
)


def may_hold_date(text: str) -> bool:
    """Whether flattened ``text`` has anything that could begin a date; cheap."""
    return HINT.search(text) is not None


def mentions(text: str, *, original: str, today: date) -> list[Mention]:
    """Every date expression of flattened ``text``, in order, none overlapping another."""
    found: list[Mention] = []
    taken = bytearray(len(text))
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            start, end = match.span()
            one = None if any(taken[start:end]) else read(match, today)
            if one is None:
                continue
            if one.needs in _CLEARED and _written_as_date(original[start:end]):
                one = mention(match, one.days, one.year, unit=one.unit)
            if one.needs == _CAPITAL:
                continue
            taken[start:end] = b"\x01" * (end - start)
            if not (one.needs and _is_name(text, original, match)):
                found.append(one)
    found.sort(key=lambda one: one.start)
    return composed(text, found, today)


_CAPITAL = frozenset(("capital",))
_CLEARED = (BESIDE, DAYLIKE, _CAPITAL)
_NAME_AFTER = re.compile(r"[ -](?=[A-ZÇĞİÖŞÜ][a-zçğıöşü]+)(\w+)")
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
    after = _NAME_AFTER.match(original, end)
    if not (after and original[start].isupper() and text[start:end].isalpha()):
        return False
    if HINT.match(text, after.start(1)):  # "March-April", "May Day": no family name
        return False
    return not _DATED_BEFORE.search(text, max(0, start - 12), start)


# --- days ----------------------------------------------------------------------------------


def _iso_day(match: re.Match[str], _today: date) -> Mention:
    year, month, day = int(match["year"]), int(match["m"]), int(match["d"])
    return mention(match, lambda _: days_of_month(year, month, day), year, unit="day")


def _written_day(match: re.Match[str], _today: date) -> Mention:
    """12.05.2024 is the 12th of May; 05/12/2024 is either and refused by its impossible month."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
    if match["sep"] == "/" and second > 12:
        first, second = second, first
    elif match["sep"] == "/" and first <= 12 and first != second:
        second = 0
    short = year < 100
    return mention(
        match,
        lambda _: days_of_month(year + 2000 * short, second, first),
        year + 2000 * short,
        unit="day",
        needs=DAYLIKE if short else frozenset(),
    )


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
    needs = _CAPITAL if match["month"] in {"may", "march"} else frozenset[str]()
    return mention(match, lambda y: months(y, month), year, unit="month", needs=needs)


def _bare_month(match: re.Match[str], _today: date) -> Mention:
    month = MONTHS[match["month"]]
    needs = frozenset[str]() if match["month"] in SURE_MONTHS else BESIDE
    return mention(match, lambda y: months(y, month), None, unit="month", needs=needs)


def _season(match: re.Match[str], _today: date) -> Mention:
    month, year = SEASONS[match["season"]], int(match["year"]) if match["year"] else None
    needs = frozenset[str]() if year else BESIDE
    return mention(match, lambda y: months(y, month, 3), year, unit="season", needs=needs)


def _winter(match: re.Match[str], _today: date) -> Mention | None:
    """The winter of 2023-24 is named by both its years."""
    year = int(match["year"])
    if int(match["next"]) % 100 != (year + 1) % 100:
        return None
    return mention(match, lambda y: months(y, 12, 3), year, unit="season")


def _holiday(match: re.Match[str], _today: date) -> Mention:
    days, unit = named_days(match)
    return mention(match, days, None, unit=unit, needs=DAYLIKE)


def _quarter(match: re.Match[str], _today: date) -> Mention:
    year, number = int(match["year"]) if match["year"] else None, int(match["q"])
    needs = frozenset[str]() if year else BESIDE
    return mention(match, lambda y: quarter(y, number), year, unit="quarter", needs=needs)


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


def _bare_year(match: re.Match[str], today: date) -> Mention | None:
    """A year outside 1900..now is mostly what the question is about, not when it was written."""
    year = int(match["year"])
    if _NUMBERED.search(match.string, max(0, match.start() - 24), match.start()):
        return None
    needs = OPEN if year > today.year else SINCE if year < EARLIEST_YEAR else frozenset[str]()
    return mention(match, lambda y: months(y, 1, 12), year, unit="year", needs=needs)


def _short_year(match: re.Match[str], today: date) -> Mention:
    """Read "'24" behind a month or a season."""
    year = today.year // 100 * 100 + int(match["yy"])
    year -= 100 * (year > today.year)
    return mention(match, lambda y: months(y, 1, 12), year, unit="year", needs=IMPLIED)


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
_LAST = r"(?P<last>\d{1,2})(?:st|nd|rd|th|\.)?"
_TOPIC = (
    r"(?!\s+(?:trees?|carols?|cards?|gifts?|presents?|songs?|music|movies?|films?|costumes?"
    r"|recipes?|cookies?|decorations?|shopping|markets?|part(?:y|ies)|stor(?:y|ies)|dinner|lists?"
    r"|traditions?|island|resolutions?|lights?|ideas?)\b)"
)
# The first reader that matches a stretch of text keeps it: longest forms first.
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    reader(
        FREE + r"(?P<year>[12]\d{3})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
        rf"(?:t\d\d:[\d:.+z-]*)?(?!-?\d){END}",
        _iso_day,
    ),
    reader(FREE + rf"(?P<a>\d{{1,2}})(?P<sep>[./-])(?P<b>\d{{1,2}})(?P=sep){YEAR}", _written_day),
    reader(
        FREE + rf"(?P<a>\d\d)(?P<sep>[./])(?P<b>\d\d)(?P=sep)(?P<year>\d\d){END}(?![.,:/]\d)",
        _written_day,
    ),
    reader(
        r"\b(?P<season>winter)(?:\s+of|,)?\s+(?P<year>[12]\d{3})\s?[-/–]\s?(?P<next>\d{4}|\d\d)"
        + END,
        _winter,
    ),
    reader(
        rf"{FREE}(?P<year>[12]\d{{3}})\s?[-/–]\s?(?P<next>\d{{4}}|\d\d)(?:{CASE})?\s+(?:winter|kis[iu]?)"
        + END,
        _winter,
    ),
    reader(FREE + rf"(?P<year>[12]\d{{3}})[-/](?P<m>\d{{2}}){END}(?![-./]\d)", _iso_month),
    reader(
        FREE + rf"(?P<year>[12]\d{{3}})[\s-]*w(?P<week>\d{{1,2}})(?:-(?P<weekday>[1-7]))?{END}",
        _iso_week,
    ),
    reader(FREE + rf"(?P<m>\d{{1,2}})[/-]{YEAR}{NO_UNIT}", _written_month),
    reader(FREE + rf"(?P<m>0[1-9]|1[0-2])\.{YEAR}{NO_UNIT}", _written_month),
    reader(
        rf"{FREE}{_DAY}{_TO_DAY}{_LAST}\s+(?:of\s+)?{MONTH}\.?(?:,?\s+{YEAR})?",
        _month_day,
    ),
    reader(
        rf"\b{MONTH}\.?\s+(?:the\s+)?{_DAY}{_TO_DAY}{_LAST}(?!\d)(?:,?\s+{YEAR})?{NO_UNIT}{END}",
        _month_day,
    ),
    reader(rf"{FREE}{_DAY}(?:\s?[-./]?\s?|\s+of\s+){MONTH}\.?[\s,./-]+{YEAR}", _month_day),
    reader(rf"{FREE}{_DAY}(?:\s+(?:of\s+)?|-){MONTH}\.?(?P<year>){END}", _month_day),
    reader(rf"\b(?P<d>{NTH_DAY})\s+of\s+{MONTH}\.?(?:,?\s+{YEAR})?", _month_day),
    reader(rf"{FREE}(?P<year>[12]\d{{3}})[\s,./-]+{MONTH}[\s./-]+{_DAY}{END}{NO_UNIT}", _month_day),
    reader(rf"{FREE}(?P<year>[12]\d{{3}})[\s,]+{_DAY}\s+{MONTH}", _month_day),
    reader(rf"\b{MONTH}\.?(?:,|\s+of|\s+in)?[\s/-]+{YEAR}{NO_UNIT}", _month_year),
    reader(rf"{FREE}{TURKISH_YEAR}[\s-]+{MONTH}", _year_month),
    reader(
        rf"\b{MONTH}\.?\s+(?:the\s+)?{_DAY}(?!\d)(?:,?\s+{YEAR})?{NO_UNIT}{END}",
        _month_day,
    ),
    reader(
        rf"\b{MONTH}\s+(?:the\s+)?(?P<d>{NTH_DAY})(?:,?\s+{YEAR}|(?P<none>)(?=\s*(?:[?!.,;]|$)))",
        _month_day,
    ),
    reader(rf"{FREE}(?P<year>[12]\d{{3}})[\s/-]*q(?P<q>\d){END}", _quarter),
    reader(rf"\bq(?P<q>\d)(?:[\s/-]*(?:of\s+)?{YEAR}|{END})", _quarter),
    reader(rf"\b{SEASON}(?:\s+of|\s+in|,)?\s+{YEAR}{NO_UNIT}", _season),
    reader(rf"{FREE}{TURKISH_YEAR}\s+{SEASON}{END}", _season),
    reader(rf"{FREE}(?P<decade>(?:19|20)\d)0(?:'?s|'?l[ae]r|'?l[iu]\s+yillar){END}", _decade),
    reader(DECADE, _decade),
    *RELATIVE,
    reader(rf"\b(?P<q>{ORDINAL})\s+(?:quarter(?!\s+(?:of|note))|ceyre[kg]){END}", _nth_quarter),
    reader(rf"\b{HOLIDAY}{_TOPIC}", _holiday),
    reader(rf"\b(?P<season>{any_of(SEASONS)})(?P<year>){END}(?!s\b)", _season),
    reader(rf"\b{MONTH}", _bare_month),
    reader(
        rf"(?:{FREE}|(?<=\b(?:19|20)\d\d-)|(?<=\bmid-)){YEAR}{NO_UNIT}",
        _bare_year,
    ),
    reader(rf"(?:(?<=\bpre-)|(?<=\bpost-)){YEAR}", _bare_year),
    reader(rf"(?:(?<=\bmy )|(?<=\bour )){YEAR}(?=\s+notes\b)", _bare_year),
    reader(r"(?<!\w)'(?P<yy>\d\d)(?![\w'])", _short_year),
)
