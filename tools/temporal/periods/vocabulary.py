"""The vocabulary of dates in English and Turkish, flattened, and the patterns built from it."""

import re
from collections.abc import Iterable


def numbered(*lines: str, first: int = 1) -> dict[str, int]:
    """Each word of each line with its place in the line."""
    return {word: n for line in lines for n, word in enumerate(line.split(), first)}


def inverted[T](groups: dict[T, str]) -> dict[str, T]:
    """The words of each group with the group's meaning; ``_`` stands for a space."""
    return {
        word.replace("_", " "): meaning
        for meaning, words in groups.items()
        for word in words.split()
    }


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of ``words``, the longest first.

    Words that begin alike stand together: where none of them begins they are passed at once.
    """
    by_letter: dict[str, list[str]] = {}
    for word in sorted((re.escape(word) for word in words), key=len, reverse=True):
        by_letter.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_letter.items())


# --- months, seasons, weekdays -------------------------------------------------------------

_TURKISH_MONTHS = "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik"
MONTHS = numbered(
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "january february march april may june july august september october november december",
    _TURKISH_MONTHS,
) | {"sept": 9, "ocag": 1, "aralig": 12}
SURE_MONTHS = frozenset(numbered("january february july september october november december"))
SEASONS = inverted(
    {3: "spring ilkbahar bahar", 6: "summer yaz", 9: "autumn fall sonbahar guz", 12: "winter kis"}
)
WEEKDAYS = numbered(
    "monday tuesday wednesday thursday friday saturday sunday",
    "pazartesi sali carsamba persembe cuma cumartesi pazar",
    first=0,
)
SHORT_WEEKDAYS = ("mon", "tues", "tue", "wed", "thurs", "thur", "thu", "fri", "sat", "sun")

# --- numbers -------------------------------------------------------------------------------

_SMALL = numbered(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen",
    "bir iki uc dort bes alti yedi sekiz dokuz on",
)
_TENS = {
    word: 10 * n
    for word, n in numbered(
        "twenty thirty forty fifty sixty seventy eighty ninety hundred",
        "yirmi otuz kirk elli altmis yetmis seksen doksan yuz",
        first=2,
    ).items()
}
_VAGUE = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 5, "birkac": 3}
_NUMBERS = _SMALL | _TENS | {"of": 0} | _VAGUE
_ORDINALS = numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci dokuzuncu onuncu",
) | {"thirtieth": 30, "yirminci": 20, "otuzuncu": 30, "ilk": 1, "opening": 1}
LAST = frozenset(("last", "final", "closing", "latter", "son"))


def count_of(words: str) -> int:
    """What a match of COUNT means: ``14``, ``twenty-one``, ``on iki``, ``a couple of``."""
    if words[-1].isdigit():
        return int(re.sub("[.,]", "", words))
    numbers = [_NUMBERS[word] for word in re.split(r"[\s-]+", words)]
    return max(numbers) if words.startswith(("a ", "an ")) else sum(numbers)


def ordinal_of(words: str) -> int:
    """What a match of ORDINAL means: ``9th``, ``9.``, ``ninth``, ``twenty-first``; -1 is last."""
    if words in LAST:
        return -1
    if words[0].isdigit():
        return int(re.sub(r"\D", "", words))
    tens, _, ones = re.sub(r"\s", "-", words).rpartition("-")
    return _NUMBERS.get(tens, 0) + _ORDINALS[ones]


_COUNT_WORDS = (
    r"(?:a\s)?(?:couple|few|several)(?:\sof)?|birkac"
    rf"|(?:{any_of(_TENS)}|on)(?:[\s-](?:{any_of(_SMALL)}))?|{any_of(_SMALL)}|an?"
)
COUNT = rf"(?P<count>(?<!\d[.,])\d{{1,3}}|{_COUNT_WORDS})"
ANY_COUNT = rf"(?P<count>(?<!\d[.,])(?:\d{{1,3}}(?:[.,]\d{{3}})+|\d{{1,12}})(?!\d)|{_COUNT_WORDS})"
"""A count of units that may be beyond every calendar: 1,000 days, 3000 years."""
WORD_ORDINAL = rf"(?:(?:twenty|thirty|yirmi|otuz)[\s-]|on\s(?=\w+nc[iu]\b))?(?:{any_of(_ORDINALS)})"
ORDINAL = rf"\d{{1,2}}(?:st|nd|rd|th|\.|'?[iu]nc[iu])|{any_of(LAST)}|{WORD_ORDINAL}"
NTH_DAY = rf"\d{{1,2}}(?:st|nd|rd|th)|{WORD_ORDINAL}"

# --- units ---------------------------------------------------------------------------------

UNITS = inverted(
    {
        "day": "day gun",
        "week": "week hafta",
        "month": "month ay",
        "quarter": "quarter ceyrek ceyreg",
        "year": "year yil sene",
    }
)
PARTS = (
    UNITS
    | {"half": "half", "yari": "half", "yariyil": "half"}
    | {"weekend": "weekend", "hafta sonu": "weekend", "haftasonu": "weekend"}
)
LONGER_UNITS = {
    "half year": ("month", 6),
    "half a year": ("month", 6),
    "fortnight": ("week", 2),
    "decade": ("year", 10),
    "yarim yil": ("month", 6),
    "on yil": ("year", 10),
}
PAST_ONES = frozenset(("last", "past", "previous", "gecen", "gectigimiz", "onceki"))
OLDER_ONES = frozenset(("evvelki",))
BACK = any_of(PAST_ONES | {"son"})
AHEAD = r"(?<!the )next|(?:up)?coming|gelecek|onumuzdeki"
NEAR = any_of(PAST_ONES | OLDER_ONES | {"this", "current", "bu"})

# --- decades -------------------------------------------------------------------------------

_ENGLISH_DECADES = numbered(
    "twenties thirties forties fifties sixties seventies eighties nineties", first=2
) | {"noughties": 0, "aughts": 0}
_TURKISH_DECADES = numbered("yirmi otuz kirk elli altmis yetmis seksen doksan", first=2)
DECADES = _ENGLISH_DECADES | _TURKISH_DECADES


def decade_of(words: str, *, latest: int) -> int:
    """The first year of ``nineties``, ``70s``, ``doksan``: the newest such decade by ``latest``."""
    tens = int(words[0]) if words[0].isdigit() else DECADES[words]
    year = latest // 100 * 100 + 10 * tens
    return year if year <= latest else year - 100


# --- patterns ------------------------------------------------------------------------------

CASE = r"'?(?:n?[td][ae](?:n|ki)?|n?[iu]n|y?[aeiu]|k[iu]|s)"
"""A Turkish case ending (or the English 's) as it follows a date: 2024'ten, martta."""

END = rf"(?=(?:{CASE})?(?!\w))"
OWN = rf"(?:s?[iu])?(?=(?:{CASE}|n[aeiu])?(?!\w))"
"""The end of a Turkish word that belongs to the one before it: (yılın) yarı-sı-nda."""

FREE = r"(?<![\w.,/$€£#:-])"
NO_UNIT = (
    r"(?!\s*(?:%|[€$£]|(?:words?|characters?|chars?|notes|pages?|times|people|users?|files?|items?"
    r"|hours?|minutes?|seconds?|days|weeks|months|years|euros?|dollars?|lira|tl|km|kg|mg|ml|mb|gb"
    r"|px|mah|calories|kcal|steps|met(?:er|re)s|miles|feet|degrees|lines|rows|results|entries"
    r"|points|tokens|followers|subscribers|students|members|copies|b\.?c\.?e?|sq|rpm|mhz|watts?"
    r"|kelime|karakter|sayfa|kisi|adet|tane|not|satir|adim|model|metre|saat|dakika|puan|derece"
    r"|numara\w*|no'?lu|sayili)\b)|[.,/:]\d|-\d(?!\d{3}\b))"
)
YEAR = rf"(?P<year>[12]\d{{3}}){END}(?!:\d)"
TURKISH_YEAR = rf"(?P<year>[12]\d{{3}})(?:{CASE})?(?:\s+(?:yil|sene)\w{{1,5}})?"
TURKISH_MONTHS = rf"{any_of(_TURKISH_MONTHS.split())}|ocag|aralig"
MONTH = rf"(?P<month>(?:{TURKISH_MONTHS}){END}|(?:{any_of(MONTHS)})\b)"
SEASON = rf"(?P<season>{any_of(SEASONS)})[iu]?"
WEEKDAY = rf"(?P<weekday>{any_of(WEEKDAYS)})"
UNIT = rf"(?P<unit>{any_of({*UNITS, *LONGER_UNITS})})s?{END}"
WEEKEND = r"(?:weekends?|hafta\s?sonu)"
DECADE = (
    rf"(?:(?<=the\s)|(?<=early\s)|(?<=late\s)|(?<=mid-)|(?<=mid\s))"
    rf"(?P<words>(?:{any_of(_ENGLISH_DECADES)})|'?\d0'?s)\b(?!\s+degrees)"
    r"|(?<!\w)'(?P<short>\d0)s\b"
    rf"|\b(?P<turkish>{any_of(_TURKISH_DECADES)}|\d0'?)(?:l[iu]\s+yillar|l[ae]r){END}"
)
