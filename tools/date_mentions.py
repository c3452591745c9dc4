"""The date expressions of English and Turkish: what they look like and which days they mean."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

EARLIEST_YEAR = 1900

type Days = tuple[date, date]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A date expression at ``start:end``. ``days(year)`` is half-open, ValueError if impossible.

    ``year`` is None where the text leaves it open. ``needs``, if not empty, lists the bounds one
    of which must govern it: "may" alone is no date.
    """

    start: int
    end: int
    days: Callable[[int], Days]
    year: int | None
    needs: frozenset[str] = frozenset()


def may_hold_date(text: str) -> bool:
    """Whether flattened ``text`` has anything that could begin a date; cheap."""
    return _HINT.search(text) is not None


def mentions(text: str, *, original: str, today: date) -> list[Mention]:
    """Every date expression of flattened ``text``, in order, none overlapping another."""
    found: list[Mention] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            mention = read(match, today)
            if mention.needs and _written_as_date(original[match.start() : match.end()]):
                mention = _plain(match, mention.days, mention.year)
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def _written_as_date(words: str) -> bool:
    """Whether it looks like "12 May"; "12 may" might be a number and a verb."""
    return words[:1].isdigit() and words[-1:].isalpha() and any(map(str.isupper, words))


# --- vocabulary ----------------------------------------------------------------------------


def _numbered(*lines: str, first: int = 1) -> dict[str, int]:
    return {word: n for line in lines for n, word in enumerate(line.split(), first)}


def _inverted[T](groups: dict[T, str]) -> dict[str, T]:
    return {word: meaning for meaning, words in groups.items() for word in words.split()}


_TURKISH_MONTHS = "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik"
_MONTHS = _numbered(
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "january february march april may june july august september october november december",
    _TURKISH_MONTHS,
) | {"sept": 9, "ocag": 1, "aralig": 12}
_SURE_MONTHS = frozenset(_numbered("january february july september october november december"))
_SEASONS = _inverted(
    {3: "spring ilkbahar bahar", 6: "summer yaz", 9: "autumn fall sonbahar guz", 12: "winter kis"}
)
_WEEKDAYS = _numbered(
    "monday tuesday wednesday thursday friday saturday sunday",
    "pazartesi sali carsamba persembe cuma cumartesi pazar",
    first=0,
)
_COUNTS = _numbered(
    "one two three four five six seven", "bir iki uc dort bes alti yedi", "a couple few"
) | {"an": 1, "birkac": 3}
_QUARTERS = _numbered("first second third fourth", "1st 2nd 3rd 4th", "1. 2. 3. 4.", "1 2 3 4") | (
    _numbered("ilk ikinci ucuncu dorduncu") | {"birinci": 1, "last": 4, "son": 4}
)
_UNITS = _inverted(
    {
        "day": "day gun",
        "week": "week hafta",
        "month": "month ay",
        "quarter": "quarter ceyrek",
        "year": "year yil sene",
    }
)

BESIDE = frozenset(("since", "after", "before", "until", "between", "from", "within"))
_OPEN = BESIDE - {"within", "from"}
_SINCE = frozenset(("since",))


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


CASE = r"'?(?:n?[td][ae](?:n|ki)?|n?[iu]n|y?[aeiu]|s)"
"""A Turkish case ending (or the English 's) as it follows a date: 2024'ten, martta."""

_END = rf"(?=(?:{CASE})?(?!\w))"
_MONTH = (
    rf"(?P<month>(?:{_any(_numbered(_TURKISH_MONTHS))}|ocag|aralig){_END}|(?:{_any(_MONTHS)})\b)"
)
_YEAR = rf"(?P<year>[12]\d{{3}}){_END}(?!:\d)"
_SEASON = rf"(?P<season>{_any(_SEASONS)})[iu]?"
_COUNT = rf"(?P<count>\d{{1,3}}|(?:a )?(?:couple of|few)|{_any(_COUNTS)})"
_UNIT = rf"(?P<unit>{_any(_UNITS)})s?{_END}"
_BACK = "last|past|previous|gecen|gectigimiz|onceki|son"
_FREE = r"(?<![\w.,/$€£#:-])"
_NO_UNIT = (
    r"(?!\s*(?:%|[€$£]|(?:words?|characters?|chars?|notes|pages?|times|people|users?|files?|items?"
    r"|hours?|minutes?|seconds?|days|weeks|months|years|euros?|dollars?|lira|tl|km|kg|mg|ml|mb|gb"
    r"|px|mah|calories|kcal|steps|met(?:er|re)s|miles|feet|degrees|kelime|karakter|sayfa|kisi|adet"
    r"|tane|not)\b)|[.,/:]\d|-\d(?!\d{3}\b))"
)
_HINT = re.compile(
    r"[12]\d{3}|\d[./-]\d|\bq\d|\b(?:"
    + _any(
        {*_MONTHS, *_SEASONS, *_WEEKDAYS, "today", "tonight", "yesterday", "dun", "bugun", "ago"}
        | {"last", "past", "previous", "this", "gecen", "gectigimiz", "onceki", "son", "bu", "once"}
        | {"evvelsi", "current"}
    )
    + ")"
)


# --- readers -------------------------------------------------------------------------------


def _plain(match: re.Match[str], days: Callable[[int], Days], year: int | None) -> Mention:
    return Mention(start=match.start(), end=match.end(), days=days, year=year)


def _if_governed(
    match: re.Match[str],
    days: Callable[[int], Days],
    year: int | None,
    by: frozenset[str] = BESIDE,
) -> Mention:
    return Mention(start=match.start(), end=match.end(), days=days, year=year, needs=by)


def _year_of(match: re.Match[str]) -> int | None:
    return int(match["year"]) if match["year"] else None


def _day(year: int, month: int, day: int, *, last: int | None = None) -> Days:
    return date(year, month, day), date(year, month, last or day) + timedelta(days=1)


def _months(year: int, month: int, count: int = 1) -> Days:
    """``count`` calendar months from ``month``, which may lie outside 1..12 for another year."""
    first, after = year * 12 + month - 1, year * 12 + month - 1 + count
    return date(first // 12, first % 12 + 1, 1), date(after // 12, after % 12 + 1, 1)


def _real_month(year: int, month: int) -> Days:
    return date(year, month, 1), _months(year, month)[1]


def _unit_days(today: date, unit: str, back: int) -> Days:
    """The calendar day, week, month, quarter or year ``back`` of them before today's."""
    match unit:
        case "day":
            start = today - timedelta(days=back)
            return start, start + timedelta(days=1)
        case "week":
            start = today - timedelta(days=today.weekday() + 7 * back)
            return start, start + timedelta(days=7)
        case "month":
            return _months(today.year, today.month - back)
        case "quarter":
            return _months(today.year, (today.month - 1) // 3 * 3 + 1 - 3 * back, 3)
        case _:
            return _months(today.year - back, 1, 12)


def _rolling_days(today: date, unit: str, count: int) -> Days:
    """``count`` units up to and with today."""
    tomorrow = today + timedelta(days=1)
    match unit:
        case "day" | "week":
            return today - timedelta(days=count * (7 if unit == "week" else 1)), tomorrow
        case _:
            months = count * {"month": 1, "quarter": 3}.get(unit, 12)
            first, after = _months(today.year, today.month - months)
            return min(first.replace(day=1) + timedelta(today.day - 1), after), tomorrow


def _iso_day(match: re.Match[str], _today: date) -> Mention:
    year, month, day = int(match["year"]), int(match["m"]), int(match["d"])
    return _plain(match, lambda _: _day(year, month, day), year)


def _written_day(match: re.Match[str], _today: date) -> Mention:
    """12.05.2024 is the 12th of May; 05/12/2024 is either and refused by its impossible month."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
    if match["sep"] == "/" and second > 12:
        first, second = second, first
    elif match["sep"] == "/" and first <= 12 and first != second:
        second = 0
    return _plain(match, lambda _: _day(year, second, first), year)


def _iso_month(match: re.Match[str], _today: date) -> Mention:
    year, month = int(match["year"]), int(match["m"])
    make = _plain if 1 <= month <= 12 else _if_governed
    return make(match, lambda _: _real_month(year, month), year)


def _month_day(match: re.Match[str], _today: date) -> Mention:
    month, day = _MONTHS[match["month"]], int(match["d"])
    last = int(match["last"]) if "last" in match.re.groupindex else None
    year = _year_of(match)
    sure = year is not None or match["month"] in _SURE_MONTHS or (last and last > day)
    make = _plain if sure else _if_governed
    return make(match, lambda y: _day(y, month, day, last=last), year)


def _month_year(match: re.Match[str], _today: date) -> Mention:
    month = _MONTHS[match["month"]]
    return _plain(match, lambda y: _months(y, month), int(match["year"]))


def _bare_month(match: re.Match[str], _today: date) -> Mention:
    month = _MONTHS[match["month"]]
    make = _plain if match["month"] in _SURE_MONTHS else _if_governed
    return make(match, lambda y: _months(y, month), None)


def _near(match: re.Match[str], today: date, month: int, count: int) -> Mention:
    """Read "last March" and "this summer": the latest one over, or the latest one begun."""
    year = today.year if _months(today.year, month, count)[0] <= today else today.year - 1
    if match["near"] in {"last", "past", "previous", "gecen", "gectigimiz"}:
        year -= _months(year, month, count)[1] > today
    return _plain(match, lambda _: _months(year, month, count), year)


def _near_month(match: re.Match[str], today: date) -> Mention:
    return _near(match, today, _MONTHS[match["month"]], 1)


def _near_season(match: re.Match[str], today: date) -> Mention:
    return _near(match, today, _SEASONS[match["season"]], 3)


def _season(match: re.Match[str], _today: date) -> Mention:
    month, year = _SEASONS[match["season"]], _year_of(match)
    make = _plain if year else _if_governed
    return make(match, lambda y: _months(y, month, 3), year)


def _quarter(match: re.Match[str], _today: date) -> Mention:
    year, number = _year_of(match), _QUARTERS.get(match["q"], 0)
    make = _plain if year else _if_governed
    return make(match, lambda y: _real_quarter(y, number), year)


def _real_quarter(year: int, number: int) -> Days:
    if number not in range(1, 5):
        raise ValueError("a year has four quarters")
    return _months(year, number * 3 - 2, 3)


def _decade(match: re.Match[str], _today: date) -> Mention:
    year = int(match["decade"]) * 10
    return _plain(match, lambda _: _months(year, 1, 120), year)


def _named_day(match: re.Match[str], today: date) -> Mention:
    back = {"yesterday": 1, "dun": 1, "today": 0, "tonight": 0, "bugun": 0}.get(match["name"], 2)
    return _plain(match, lambda _: _unit_days(today, "day", back), today.year)


def _last_few(match: re.Match[str], today: date) -> Mention:
    words = match["count"].removeprefix("a ").removesuffix(" of")
    count = int(words) if words.isdigit() else _COUNTS[words]
    unit = _UNITS[match["unit"]]
    return _plain(match, lambda _: _rolling_days(today, unit, count), today.year)


def _ago(match: re.Match[str], today: date) -> Mention:
    words = match["count"].removeprefix("a ").removesuffix(" of")
    count = int(words) if words.isdigit() else _COUNTS[words]
    unit = _UNITS[match["unit"]]
    return _plain(match, lambda _: _unit_days(today, unit, count), today.year)


def _near_unit(match: re.Match[str], today: date) -> Mention:
    unit, near = _UNITS[match["unit"]], match["near"]
    if near in {"past", "son"} or match["over"]:
        return _plain(match, lambda _: _rolling_days(today, unit, 1), today.year)
    back = 0 if near in {"this", "current", "bu"} else 1
    return _plain(match, lambda _: _unit_days(today, unit, back), today.year)


def _weekday(match: re.Match[str], today: date) -> Mention:
    back = (today.weekday() - _WEEKDAYS[match["weekday"]]) % 7
    if match["near"] in {"last", "gecen", "gectigimiz"}:
        back = back or 7
    make = _plain if match["near"] or match["noun"] else _if_governed
    return make(match, lambda _: _unit_days(today, "day", back), today.year)


def _bare_year(match: re.Match[str], today: date) -> Mention:
    """A year outside 1900..now is mostly what the question is about, not when it was written."""
    year = int(match["year"])
    if EARLIEST_YEAR <= year <= today.year:
        return _plain(match, lambda y: _months(y, 1, 12), year)
    needed = _SINCE if year < EARLIEST_YEAR else _OPEN
    return _if_governed(match, lambda y: _months(y, 1, 12), year, needed)


type _Reader = Callable[[re.Match[str], date], Mention]


def _reader(pattern: str, read: _Reader) -> tuple[re.Pattern[str], _Reader]:
    return re.compile(pattern), read


_TURKISH_YEAR = rf"(?P<year>[12]\d{{3}})(?:{CASE})?(?:\s+yil\w{{1,5}})?"
_NTH = _any(_QUARTERS)
# The first reader that matches a stretch of text keeps it: longest forms first.
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    _reader(
        _FREE + r"(?P<year>[12]\d{3})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
        rf"(?:t\d\d:[\d:.+z-]*)?(?!-?\d){_END}",
        _iso_day,
    ),
    _reader(
        _FREE + rf"(?P<a>\d{{1,2}})(?P<sep>[./-])(?P<b>\d{{1,2}})(?P=sep){_YEAR}", _written_day
    ),
    _reader(_FREE + rf"(?P<year>[12]\d{{3}})[-/](?P<m>\d{{2}}){_END}(?![-./]\d)", _iso_month),
    _reader(
        rf"{_FREE}(?P<d>\d{{1,2}})\s*(?:-|–|to|and|ile|ve)\s*(?P<last>\d{{1,2}})\s+(?:of\s+)?"
        rf"{_MONTH}\.?(?:,?\s+{_YEAR})?",
        _month_day,
    ),
    _reader(
        rf"{_FREE}(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH}\.?(?:,?\s+{_YEAR})?",
        _month_day,
    ),
    _reader(rf"\b{_MONTH}\.?(?:,|\s+of)?\s+{_YEAR}{_NO_UNIT}", _month_year),
    _reader(rf"{_FREE}{_TURKISH_YEAR}\s+{_MONTH}", _month_year),
    _reader(
        rf"\b{_MONTH}\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s+{_YEAR})?{_NO_UNIT}{_END}",
        _month_day,
    ),
    _reader(rf"{_FREE}(?P<year>[12]\d{{3}})[\s/-]*q(?P<q>\d){_END}", _quarter),
    _reader(
        rf"\bq(?P<q>\d)(?:[\s/-]*(?:of\s+)?{_YEAR}|{_END})",
        _quarter,
    ),
    _reader(rf"\b(?P<q>{_NTH})\s+quarter(?:\s+of)?\s+(?:the\s+year\s+)?{_YEAR}", _quarter),
    _reader(rf"{_FREE}{_TURKISH_YEAR}\s+(?P<q>{_NTH})\.?\s+ceyre[kg]", _quarter),
    _reader(rf"\b{_SEASON}(?:\s+of|,)?\s+{_YEAR}{_NO_UNIT}", _season),
    _reader(rf"{_FREE}{_TURKISH_YEAR}\s+{_SEASON}{_END}", _season),
    _reader(
        rf"\b(?P<near>last|past|previous|this|gecen|gectigimiz|bu)\s+{_SEASON}{_END}", _near_season
    ),
    _reader(rf"\b(?P<near>last|past|previous|this|gecen|gectigimiz|bu)\s+{_MONTH}", _near_month),
    _reader(rf"{_FREE}(?P<decade>(?:19|20)\d)0(?:'?s|'?l[ae]r){_END}", _decade),
    _reader(
        r"\b(?P<name>(?:the\s+)?day before yesterday|yesterday|today|tonight|evvelsi gun|dun|bugun)"
        + _END,
        _named_day,
    ),
    _reader(rf"\b(?:the\s+)?(?:{_BACK})\s+{_COUNT}\s+{_UNIT}", _last_few),
    _reader(rf"\b{_COUNT}\s+{_UNIT}\s+(?:ago|once)\b", _ago),
    _reader(
        rf"\b(?P<over>(?:in|over|during|within)\s+the\s+(?=last|past))?"
        rf"(?P<near>{_BACK}|this|current|bu)\s+{_UNIT}",
        _near_unit,
    ),
    _reader(
        rf"\b(?:(?P<near>last|this|gecen|gectigimiz|bu)\s+)?(?P<weekday>{_any(_WEEKDAYS)})"
        rf"(?P<noun>\s+gun(?:u|den)\w*)?{_END}",
        _weekday,
    ),
    _reader(rf"\b(?P<season>{_any(_SEASONS)})(?P<year>){_END}", _season),
    _reader(rf"\b{_MONTH}", _bare_month),
    _reader(rf"(?:{_FREE}|(?<=\b(?:19|20)\d\d-)){_YEAR}{_NO_UNIT}", _bare_year),
)
