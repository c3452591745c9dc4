"""Set phrases, numbers and days in the language of a question."""

from datetime import UTC, date, datetime
from gettext import GNUTranslations
from io import BytesIO
from string import Formatter
from typing import get_args

import pytest
from babel.dates import format_date, format_skeleton
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from tests.support.checks.phrases import phrases, stands_in_code
from tools.base.domain import INTENTS, EventKind
from tools.text.phrase_file import read_phrases
from tools.text.voice import (
    VOICES,
    available_languages,
    counted,
    day,
    day_of_year,
    moment,
    month,
    number,
    stamp,
    stamp_of,
    translate,
    use_language,
)

_MAY = date(2023, 5, 7)
_SOURCES = ("semantic", "text", "graph")
_OF_COMMANDS = frozenset(
    {
        "call",
        "change",
        "changed note",
        "character",
        "community",
        "contradiction",
        "day",
        "fact that a model read out of notes",
        "file of watches",
        "file was",
    }
    | {
        "half line",
        "line",
        "older line",
        "unknown argument",
        "write",
        "indexed note",
        "note is",
        "note was",
        "part",
        "passage",
        "passage has",
        "passage was",
    }
    | {"question", "reading of questions", "relation", "step", "text of notes as they were seen"}
    | {"decision", "suggested link"}
    | {"thread", "thread of questions", "thread that cannot be read was deleted", "vector"}
    | {"vector of this vault is", "version"}
)
"""What is counted by commands that answer no question: they speak English."""


def test_english_is_what_stands_in_the_code() -> None:
    assert translate("since {day}", day="May") == "since May"
    assert counted(1, "note") == "1 note"
    assert counted(2000, "note") == "2,000 notes"
    assert counted(2, "leaf", "leaves") == "2 leaves"
    assert (day(_MAY), month(_MAY), stamp(_MAY)) == ("7 May 2023", "May 2023", "2023-05-07")


def test_turkish_phrases_numbers_and_days() -> None:
    with use_language("tr"):
        assert translate("Not in your notes") == "Notlarınızda yok"
        assert counted(2000, "note") == "2.000 not"
        assert (day(_MAY), month(_MAY), stamp(_MAY)) == ("7 Mayıs 2023", "Mayıs 2023", "7.5.2023")
        assert [stamp_of(said) for said in ("2023", "2023-05", "2023-05-07")] == [
            "2023",
            "Mayıs 2023",
            "7.5.2023",
        ]
        assert moment(datetime(2023, 5, 7, 18, 20, tzinfo=UTC)) == "7.5.2023 18:20"
    assert translate("Not in your notes") == "Not in your notes"


def test_a_language_without_a_file_is_answered_in_english() -> None:
    with use_language("xx"):
        assert (translate("Answer"), number(12345)) == ("Answer", "12,345")


def test_a_phrase_that_a_language_lacks_is_english() -> None:
    with use_language("tr"):
        assert translate("No such phrase {name}", name="x") == "No such phrase x"


@pytest.mark.parametrize("language", sorted(available_languages() - {"en"}))
def test_a_language_has_every_phrase_with_the_same_places(language: str) -> None:
    with (VOICES / f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language, abort_invalid=True)
    known = {
        str(message.id if isinstance(message.id, str) else message.id[0]): message
        for message in catalog
        if message.id
    }
    assert (
        not ({*phrases(), *INTENTS, *_SOURCES, *get_args(EventKind)} - _OF_COMMANDS) - known.keys()
    )
    assert not {phrase for phrase in known if not stands_in_code(phrase)}
    for phrase, message in known.items():
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        for form in forms:
            assert form
            assert _places(str(form)) == _places(phrase)


@pytest.mark.parametrize("language", sorted(available_languages() - {"en"}))
def test_a_language_writes_numbers_and_days_as_cldr_has_them(language: str) -> None:
    with use_language(language):
        for value in (0, 7, 999, 1000, 12345, 9876543):
            assert number(value) == format_decimal(value, locale=language)
        for at in range(1, 13):
            value = date(2023, at, 2 * at)
            assert stamp(value) == format_skeleton("yMd", value, locale=language)
            for written, pattern in (
                (day(value), "d MMMM y"),
                (month(value), "MMMM y"),
                (day_of_year(value), "d MMMM"),
            ):
                assert written == format_date(value, pattern, locale=language)


@pytest.mark.parametrize("language", sorted(available_languages() - {"en"}))
def test_a_file_of_phrases_is_read_as_gettext_reads_it(language: str) -> None:
    compiled = BytesIO()
    with (VOICES / f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language)
    write_mo(compiled, catalog)
    compiled.seek(0)
    expected, phrases = GNUTranslations(compiled), read_phrases(VOICES / f"{language}.po")
    assert len(phrases.forms) == len(catalog)
    for message in filter(lambda message: message.id, catalog):
        if isinstance(message.id, str):
            assert phrases.one(message.id) == expected.gettext(message.id)
        else:
            one, many = message.id
            for count in (0, 1, 2, 5, 11, 21):
                assert phrases.some(one, many, count) == expected.ngettext(one, many, count)


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
