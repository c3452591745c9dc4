"""One moment from what a person types."""

from datetime import datetime, timedelta

import pytest

from tests.support.values.dates import NOW, ZONE
from tools.base.errors import InputError
from tools.temporal.periods.moments import read_moment, read_start


def end_of(text: str) -> datetime:
    """The last moment of a day in the zone of NOW."""
    midnight = datetime.fromisoformat(text).replace(tzinfo=ZONE)
    return midnight + timedelta(days=1) - timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-05-20T18:00", "2024-05-20T18:00+03:00"),
        ("2024-05-20 18:00:30", "2024-05-20T18:00:30+03:00"),
        ("2024-05-20T18:00+01:00", "2024-05-20T18:00+01:00"),
        ("2024-05-20T18", "2024-05-20T18:00+03:00"),
        ("20240520T1800", "2024-05-20T18:00+03:00"),
        ("2024-05-20T18:00Z", "2024-05-20T18:00+00:00"),
        (" 2024-05-20T00:00 ", "2024-05-20T00:00+03:00"),
    ],
)
def test_a_timestamp_is_that_moment(text: str, moment: str) -> None:
    assert read_moment(text, now=NOW) == datetime.fromisoformat(moment)


@pytest.mark.parametrize(
    ("text", "last_day"),
    [
        ("2024-05-20", "2024-05-20"),
        ("20240520", "2024-05-20"),
        ("20 May 2024", "2024-05-20"),
        ("March 2024", "2024-03-31"),
        ("in March 2024", "2024-03-31"),
        ("2024", "2024-12-31"),
        ("2024-02", "2024-02-29"),
        ("2024-W21", "2024-05-26"),
        ("yesterday", "2025-06-17"),
        ("last summer", "2024-08-31"),
        ("last month", "2025-05-31"),
        ("dün", "2025-06-17"),
        ("Mart 2024", "2024-03-31"),
        ("geçen ay", "2025-05-31"),
        ("2024 yazında", "2024-08-31"),
        ("20 Mayıs 2024", "2024-05-20"),
        ("20 Mayıs 2024 tarihinde", "2024-05-20"),
        ("on 20 May, 2024.", "2024-05-20"),
        ("sometime in the summer of 2023", "2023-08-31"),
        ("by May 2024", "2024-05-31"),
        ("before 2024", "2023-12-31"),
        ("from March to May 2024", "2024-05-31"),
        ("2022-2023", "2023-12-31"),
        ("between March and May 2024", "2024-05-31"),
        ("after 2021 and before 2024", "2023-12-31"),
        ("Mart 2024'ten Mayıs 2024'e kadar", "2024-05-31"),
        ("2022 ile 2023 arasında", "2023-12-31"),
    ],
)
def test_a_date_or_a_period_means_its_end(text: str, last_day: str) -> None:
    assert read_moment(text, now=NOW) == end_of(last_day)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "tea",
        "2024-13-45",
        "soonish",
        "x" * 300,
        "1' OR 1",
        "9999-12-31",
        "0001-01-01T00:00",
    ],
)
def test_nonsense_is_refused_in_one_line_with_examples(text: str) -> None:
    with pytest.raises(InputError, match="2024-05") as caught:
        read_moment(text, now=NOW)

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


SEVERAL = [
    "yesterday tomorrow",
    "tomorrow yesterday",
    "yesterday and tomorrow",
    "yesterday or today",
    "2023 2024",
    "2022, 2023 and 2024",
    "2023 vs 2024",
    "2024-05-20, 2024-05-21",
    "2024-05-20 2024-05-21",
    "2024-05-20T18:00 tomorrow",
    "dün yarın",
    "before and after 2020",
]
WITH_WORDS = [
    "2024-05-20 18:00 tea",
    "20 May 2024 at 18:00",
    "yesterday at noon",
    "May 2024 tea",
    "tea in May 2024",
    "not May 2024",
    "geçen ay kahve",
]


def refusal(text: str) -> str:
    """What is said of a moment and of a start that cannot be used, but for the text itself."""
    said: set[str] = set()
    for read in (read_moment, read_start):
        with pytest.raises(InputError) as caught:
            read(text, now=NOW)
        said.add(str(caught.value))
    (line,) = said
    return line.replace(repr(text), "")


@pytest.mark.parametrize("text", SEVERAL + WITH_WORDS)
def test_two_dates_or_words_beside_one_are_refused_in_one_line_with_examples(text: str) -> None:
    assert "2024-05-20" in refusal(text)
    assert "\n" not in refusal(text)


def test_two_dates_are_told_apart_from_words_beside_one() -> None:
    (several,) = {refusal(text) for text in SEVERAL}
    (with_words,) = {refusal(text) for text in WITH_WORDS}
    assert several != with_words


def test_a_period_that_goes_on_means_now_and_one_that_always_was_has_no_start() -> None:
    assert read_moment("since May 2024", now=NOW) == NOW
    assert read_start("until May 2024", now=NOW) is None
