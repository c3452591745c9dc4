"""A line that links to the note of a day speaks of that day."""

import pytest

from tests.support.values.event_times import OF_THE_NOTE, days_of, told


@pytest.mark.parametrize(
    ("link", "days", "said"),
    [
        ("[[2024-05-26]]", "2024-05-26", "2024-05-26"),
        ("[[Daily/2024-05-26|that Sunday]]", "2024-05-26", "2024-05-26"),
        ("[[2024-05-26#Evening]]", "2024-05-26", "2024-05-26"),
        ("[[2024-05-26 Sun]]", "2024-05-26", "2024-05-26"),
        ("[[2024_05_26]]", "2024-05-26", "2024-05-26"),
        ("[[May 26th, 2024]]", "2024-05-26", "May 26th, 2024"),
        ("[[26 Mayıs 2024]]", "2024-05-26", "26 Mayıs 2024"),
        ("[[2024-W21]]", "2024-05-20/2024-05-26", "2024-W21"),
        ("[[2024-05]]", "2024-05-01/2024-05-31", "2024-05"),
        ("[[2024-05-26]], in fact on 25 May 2024", "2024-05-25", "on 25 May 2024"),
    ],
)
def test_a_link_to_the_note_of_a_day_names_it(link: str, days: str, said: str) -> None:
    found = told(f"First harvest, {link}")
    assert (days_of(found.period), found.said) == (days, said)
    assert (found.under, found.ahead) == (OF_THE_NOTE.under, True)


def test_a_link_to_a_day_says_the_year_of_the_same_day_in_words() -> None:
    linked = "The probe died in the night to 9 November; see [[2021-11-09]]."
    for asked in ("", "When did the probe die?"):  # of which only the first clause tells
        found = told(linked, question=asked)
        assert (days_of(found.period), found.said) == ("2021-11-09", "9 November")
    froze = told("It froze on 28 February; see [[2020-02-28]].")
    assert days_of(froze.period) == "2020-02-28"
    other = told("The probe died in the night to 9 November; see [[2021-11-10]].")
    assert not days_of(other.period).startswith("2021")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Done yesterday, as on [[2021-05-07]].", "2023-05-07"),
        ("On 9 November 2022, a year after [[2021-11-09]].", "2022-11-09"),
        ("It froze in November 2022; see [[2021-11]].", "2022-11-01/2022-11-30"),
    ],
)
def test_a_year_that_is_said_is_not_taken_from_a_link(text: str, days: str) -> None:
    assert days_of(told(text).period) == days


def test_a_note_that_was_continued_does_not_look_ahead() -> None:
    for day in ("[[2024-05-26]]", "2024-05-26"):
        found = told(f"I repotted the basil on {day}.")
        assert (days_of(found.period), found.said) == ("2024-05-26", "on 2024-05-26")
        assert (found.under, found.ahead) == (OF_THE_NOTE.under, False)


@pytest.mark.parametrize(
    "link",
    [
        "[[1984]]",
        "[[Trip 2024]]",
        "[[May]]",
        "[[2024-02-31]]",
        "![[2024-05-26]]",
        "[[Mr. May 2024]]",
    ],
)
def test_a_link_to_another_note_names_no_day(link: str) -> None:
    assert told(f"I finished {link}") == OF_THE_NOTE


def test_the_folder_of_a_link_does_not_say_that_it_comes_again() -> None:
    assert days_of(told("Cut the hay [[Daily/2024-05-26|then]]").period) == "2024-05-26"
