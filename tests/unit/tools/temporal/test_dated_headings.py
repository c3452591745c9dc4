"""A line stands under the day of its heading, or of the name of its note."""

from datetime import UTC, datetime

import pytest

from tests.support.values.event_times import OF_THE_NOTE, dated_by, days_of, told


@pytest.mark.parametrize(
    ("over", "heading", "day"),
    [
        (("Log", "2024-05-26"), "Evening", "2024-05-26"),
        (("Log", "Sunday, 26 May 2024"), "Evening", "2024-05-26"),
        (("Log", "[[2024-05-26]]"), "Evening", "2024-05-26"),
        (("2024-05-26", "Trip of 27 May 2024"), "Evening", "2024-05-26"),
        (("2024-05-26",), "27 May 2024", "2024-05-27"),
        (("Standup 2024-05-26",), "Decisions", "2024-05-26"),
        (("[1.2.0] - 2024-05-26",), "Added", "2024-05-26"),
        (("2024-W21",), "Monday", "2024-05-20"),
        (("Log", "2024_05_26"), "Evening", "2024-05-26"),
        (("2021", "July"), "July 12th", "2021-07-12"),
        (("2021",), "March 30th", "2021-03-30"),
        (("2021",), "🌱 May 3", "2021-05-03"),
    ],
)
def test_a_line_stands_under_the_nearest_heading_that_begins_with_a_day(
    over: tuple[str, ...], heading: str, day: str
) -> None:
    found = told("The wind fell.", heading=heading, over=over)
    assert (days_of(found.period), dated_by(found), found.said) == (day, "heading", "")


def test_a_heading_further_above_that_only_mentions_a_day_dates_nothing() -> None:
    found = told("The wind fell.", heading="Evening", over=("Plans for 26 May 2024",))
    assert found == OF_THE_NOTE


@pytest.mark.parametrize(
    ("path", "days", "by"),
    [
        ("2024-05-10.md", "2024-05-10", "name"),
        ("Daily/May 10th, 2024.md", "2024-05-10", "name"),
        ("2024-W19.md", "2024-05-06/2024-05-12", "name"),
        ("2023-05-08.md", "2023-05-08", "note"),
        ("1984.md", "2023-05-08", "note"),
        ("May.md", "2023-05-08", "note"),
    ],
)
def test_a_note_that_is_called_after_a_day_is_of_that_day(path: str, days: str, by: str) -> None:
    found = told("The wind fell.", path=path)
    assert (days_of(found.period), dated_by(found), found.said) == (days, by, "")


def test_the_heading_that_is_the_title_of_a_note_may_be_a_name() -> None:
    assert told("The wind fell.", path="May.md", heading="May") == OF_THE_NOTE


def test_a_journals_heading_is_the_day_of_what_stands_below_it() -> None:
    found = told("Saw a kite.", heading="2023-04-30")
    assert (days_of(found.period), dated_by(found), found.said) == ("2023-04-30", "heading", "")
    before = told("Saw a kite yesterday.", heading="Sunday, 30 April 2023")
    assert (days_of(before.period), before.said) == ("2023-04-29", "yesterday")
    assert (days_of(before.under), dated_by(before)) == ("2023-04-30", "heading")


@pytest.mark.parametrize(
    ("path", "heading", "day"),
    [
        ("Log 2021.md", "3 May", "2021-05-03"),
        ("2021/Log.md", "3 May", "2021-05-03"),
        ("Log 2021.md", "3 May 2020", "2020-05-03"),
        ("Log.md", "30 June 2023", "2023-06-30"),
    ],
)
def test_a_heading_without_a_year_is_of_that_in_the_names_of_its_note(
    path: str, heading: str, day: str
) -> None:
    found = told("Saw a kite.", heading=heading, path=path)
    assert (days_of(found.period), dated_by(found)) == (day, "heading")


@pytest.mark.parametrize(
    ("heading", "changed", "day"),
    [
        ("3 May", None, "2023-05-03"),
        ("20 December", None, "2023-12-20"),
        ("20 Aralık", None, "2023-12-20"),
        ("20 February", (2024, 8), "2024-02-20"),
        ("20 February", (2023, 6), "2023-02-20"),
        ("20 June", (2024, 8), "2023-06-20"),
        ("Friday, 7 April", (2023, 6), "2023-04-07"),
        ("Thursday, 7 April", (2023, 6), "2022-04-07"),
        ("April", (2023, 6), "2023-04-01/2023-04-30"),
    ],
)
def test_a_year_that_is_written_nowhere_is_one_in_which_the_note_was_written_or_the_nearest(
    heading: str, changed: tuple[int, int] | None, day: str
) -> None:
    modified = datetime(*changed, 1, tzinfo=UTC) if changed else None
    found = told("Saw a kite.", heading=heading, path="2021/Log 2022.md", changed=modified)
    assert (days_of(found.period), dated_by(found)) == (day, "heading without a year")


@pytest.mark.parametrize(
    ("heading", "days"),
    [
        ("April 2023", "2023-04-01/2023-04-30"),
        ("2021", "2021-01-01/2021-12-31"),
        ("Week 12, 2023", "2023-03-20/2023-03-26"),
        ("21-23 May 2022", "2022-05-21/2022-05-23"),
    ],
)
def test_a_heading_that_is_all_of_a_longer_time_dates_what_it_stands_over(
    heading: str, days: str
) -> None:
    for over, own in (((), heading), (("Log", heading), "Birds")):
        found = told("Saw a kite.", heading=own, over=over)
        assert (days_of(found.period), dated_by(found)) == (days, "heading")


def test_of_a_longer_time_over_it_a_line_names_a_part() -> None:
    found = told("Saw a kite in May.", heading="2021")
    assert (days_of(found.period), found.said) == ("2021-05-01/2021-05-31", "in May")
    assert (days_of(found.under), dated_by(found)) == ("2021-01-01/2021-12-31", "heading")


@pytest.mark.parametrize(
    "heading",
    [
        *("Plans for 2022", "Sunday", "Today", "The summer of love", "[[1984]]", "Monday 8"),
        *("Last 7 days", "2 weeks ago", "son 7 gün", "3 gün önce", "yesterday 3pm"),
    ],
)
def test_a_heading_that_says_more_than_a_longer_time_or_of_some_week_dates_nothing(
    heading: str,
) -> None:
    assert told("Saw a kite.", heading=heading) == OF_THE_NOTE
