"""The language that an answer speaks: its set phrases, numbers and days, and how to go on.

Phrases stand in the code in English; ``voices/LANGUAGE.po`` (GNU gettext) has them in another
language, and a language is there as soon as its file is. Each task and thread speaks one of them.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache
from pathlib import Path

from tools.text.phrase_file import Phrases, read_phrases

VOICES = Path(__file__).with_name("voices")
ENGLISH = "en"
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)
_to_program: ContextVar[bool] = ContextVar("to_program", default=False)


def set_language(language: str) -> None:
    """Have all that follows in this task speak a language; without a file for it English."""
    known = language == ENGLISH or language in available_languages()
    _language.set(language if known else ENGLISH)


@cache
def load(language: str) -> None:
    """Read from disk, once, what a language is spoken with; it blocks."""
    if language in available_languages():
        _phrases(language)


@contextmanager
def use_language(language: str) -> Generator[None]:
    """Have all within speak a language, as ``set_language`` does."""
    token = _language.set(ENGLISH)
    try:
        set_language(language)
        yield
    finally:
        _language.reset(token)


@cache
def available_languages() -> frozenset[str]:
    """The languages there are (ISO 639-1)."""
    return frozenset((ENGLISH, *(file.stem for file in VOICES.glob("*.po"))))


@contextmanager
def speak_to_program(whether: bool) -> Generator[None]:
    """Have all within name tools and arguments where it would name commands and options."""
    token = _to_program.set(whether)
    try:
        yield
    finally:
        _to_program.reset(token)


def way(command: str, *, tool: str) -> str:
    """How to go on, as whoever reads it can: by a command or an option, or by a tool."""
    return tool if _to_program.get() else command


def translate(phrase: str, **values: object) -> str:
    """A set phrase in the language spoken, its ``{places}`` filled with the values."""
    language = _language.get()
    if language != ENGLISH:
        phrase = _phrases(language).one(phrase)
    return phrase.format(**values) if values else phrase


def counted(count: int, one: str, many: str = "") -> str:
    """``1 note`` or ``2,000 notes``; ``many`` where it is not ``one`` with an s behind it."""
    return f"{number(count)} {things(count, one, many)}"


def things(count: int, one: str, many: str = "") -> str:
    """The word for so many things."""
    language, many = _language.get(), many or f"{one}s"
    if language != ENGLISH:
        return _phrases(language).some(one, many, count)
    return one if count == 1 else many


def number(value: int) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,}".replace(",", translate(","))


def day(value: date) -> str:
    """``7 May 2023``."""
    return translate(
        "{day} {month} {year}", day=value.day, month=_month_name(value), year=value.year
    )


def stamp(value: date) -> str:
    """``2023-05-07``: in English not as either side of the ocean writes it, lest it be misread."""
    if _language.get() == ENGLISH:
        return f"{value:%Y-%m-%d}"
    return translate("{year}-{month}-{day}", year=value.year, month=value.month, day=value.day)


def stamp_of(said: str) -> str:
    """The same for a year, month or day as ISO 8601 writes them."""
    if _language.get() == ENGLISH or len(said) == len("2023"):
        return said
    whole = len(said) == len("2023-05-07")
    return stamp(date.fromisoformat(said)) if whole else month(date.fromisoformat(f"{said}-01"))


def moment(value: datetime) -> str:
    """``2023-05-07 18:20``."""
    return f"{stamp(value)} {value:%H:%M}"


def month(value: date) -> str:
    """``May 2023``."""
    return translate("{month} {year}", month=_month_name(value), year=value.year)


def day_of_year(value: date) -> str:
    """``7 May``."""
    return translate("{day} {month}", day=value.day, month=_month_name(value))


def _month_name(value: date) -> str:
    return translate(MONTHS[value.month - 1])


@cache
def _phrases(language: str) -> Phrases:
    return read_phrases(VOICES / f"{language}.po")
