"""Holidays in English and Turkish: the names they go by, flattened, and their days in a year.

Easter is the western one. Islamic feasts follow the Umm al-Qura calendar, which agrees with the
Turkish one in most years and is a day off in the others; it is known for 1924 to 2077.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial

from dateutil.easter import easter
from hijridate import Hijri

from tools.temporal.periods.periods import Days, days_of_month, months, nth_weekday, one_day
from tools.temporal.periods.vocabulary import OWN, any_of

type Holiday = Callable[[int], Days]
"""The days of a holiday in a year; ValueError or OverflowError where it has none."""

_FIXED = (
    (1, 1, "new year's day|new years day|new year's|new years|new year|yilbasi"),
    (1, 1, "yeni yilin ilk gunu"),
    (2, 14, "valentine's day|valentines day|valentine's|sevgililer gun"),
    (3, 8, "international women's day|women's day|dunya kadinlar gun|kadinlar gun"),
    (3, 14, "pi day"),
    (3, 17, "st patrick's day|st. patrick's day|saint patrick's day"),
    (4, 1, "april fools' day|april fool's day|april fools day|april fools"),
    (4, 22, "earth day"),
    (4, 23, "ulusal egemenlik ve cocuk bayram|cocuk bayram"),
    (5, 1, "isci bayram|emek ve dayanisma gun"),
    (5, 19, "genclik ve spor bayram"),
    (6, 19, "juneteenth"),
    (7, 4, "independence day"),
    (7, 14, "bastille day"),
    (7, 15, "demokrasi ve milli birlik gun"),
    (8, 30, "zafer bayram"),
    (10, 29, "cumhuriyet bayram"),
    (10, 31, "halloween|cadilar bayram"),
    (11, 11, "armistice day|veterans day|remembrance day"),
    (11, 24, "ogretmenler gun"),
    (12, 24, "christmas eve|xmas eve|noel arifesi|noel gecesi"),
    (12, 25, "christmas day|christmas|xmas|noel gun|noel"),
    (12, 26, "boxing day|st stephen's day|st. stephen's day"),
    (12, 31, "new year's eve|new years eve|yilbasi gecesi|yilbasi aksami"),
)
_FROM_EASTER = (
    (-47, "shrove tuesday|pancake day|mardi gras"),
    (-46, "ash wednesday"),
    (-7, "palm sunday"),
    (-3, "maundy thursday"),
    (-2, "good friday"),
    (0, "easter sunday|easter day|easter|paskalya"),
    (1, "easter monday"),
    (49, "whit sunday|pentecost"),
    (50, "whit monday"),
)
_MONDAY, _THURSDAY, _SUNDAY = 0, 3, 6
# month, weekday, which one of the month (-1 the last), days after it
_NTH_WEEKDAY = (
    (5, _SUNDAY, 2, 0, "mother's day|mothers' day|mothers day|anneler gun"),
    (5, _MONDAY, -1, 0, "memorial day"),
    (6, _SUNDAY, 3, 0, "father's day|fathers' day|fathers day|babalar gun"),
    (9, _MONDAY, 1, 0, "labor day"),
    (11, _THURSDAY, 4, 0, "thanksgiving day|thanksgiving|sukran gun"),
    (11, _THURSDAY, 4, 1, "black friday|kara cuma"),
    (11, _THURSDAY, 4, 4, "cyber monday"),
)
# month and day of the Islamic year, how many days (0: the whole month)
_ISLAMIC = (
    (9, 1, 0, "ramadan|ramazan"),
    (10, 1, 3, "eid al-fitr|eid al fitr|eid ul-fitr|ramazan bayram|seker bayram"),
    (12, 10, 4, "eid al-adha|eid al adha|eid ul-adha|kurban bayram"),
)


def _fixed(year: int, *, month: int, day: int) -> Days:
    return days_of_month(year, month, day)


def _after_easter(year: int, *, days: int) -> Days:
    return one_day(easter(year) + timedelta(days=days))


def _nth_weekday(year: int, *, month: int, weekday: int, number: int, after: int) -> Days:
    day, _ = nth_weekday(months(year, month), weekday, number)
    return one_day(day + timedelta(days=after))


def _islamic(year: int, *, month: int, day: int, count: int) -> Days:
    """The first such feast that begins in ``year``; an Islamic year is eleven days shorter."""
    nearest = (year - 622) * 33 // 32
    for islamic_year in range(nearest - 1, nearest + 3):
        first = Hijri(islamic_year, month, day)
        start = date(*first.to_gregorian().datetuple())
        if start.year == year:
            return start, start + timedelta(days=count or first.month_length())
    raise ValueError("no such feast in that year")


def _named() -> Iterator[tuple[str, Holiday]]:
    for month, day, names in _FIXED:
        yield names, partial(_fixed, month=month, day=day)
    for days, names in _FROM_EASTER:
        yield names, partial(_after_easter, days=days)
    for month, weekday, number, after, names in _NTH_WEEKDAY:
        yield (
            names,
            partial(_nth_weekday, month=month, weekday=weekday, number=number, after=after),
        )
    for month, day, count, names in _ISLAMIC:
        yield names, partial(_islamic, month=month, day=day, count=count)


HOLIDAYS: Mapping[str, Holiday] = {
    name: days for names, days in _named() for name in names.split("|")
}
FEASTS = HOLIDAYS["ramazan bayram"], HOLIDAYS["kurban bayram"]
"""What "bayram" alone may mean."""
MONTH_LONG = frozenset(("ramadan", "ramazan"))

HOLIDAY = rf"(?P<holiday>{any_of(HOLIDAYS)}){OWN}"
