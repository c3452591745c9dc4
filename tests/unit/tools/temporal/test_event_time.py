"""The day that a line of evidence speaks of, and the questions that ask for it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_result
from tools.base.domain import DateOrigin, Excerpt, NoteMetadata
from tools.temporal.event_time import in_words, resolve_event_time

WRITTEN = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def told(
    text: str,
    *,
    written: datetime = WRITTEN,
    heading: str | None = None,
    over: tuple[str, ...] = (),
    origin: DateOrigin = "frontmatter",
    version: datetime | None = None,
    path: str = "a.md",
    changed: datetime | None = None,
    question: str = "",
) -> str:
    excerpt = Excerpt(
        text=text, line_start=1, line_end=1, heading=heading, over=over, version=version
    )
    metadata = NoteMetadata(
        created_date=written, modified_date=changed, building_block=None, date_origin=origin
    )
    found = resolve_event_time(a_result(path, metadata=metadata), excerpt, question=question)
    assert found is not None
    return in_words(found)


def test_an_address_is_no_date() -> None:
    linked = "The curve fell, a [phenomenon](https://d.io/article?id=10.1371/journal) known since."
    bare = "The curve fell: https://d.io/article?id=10.1371/journal"
    assert told(linked) == told(bare) == "**8 May 2023** (the note's date)"


@pytest.mark.parametrize(
    ("link", "days", "said"),
    [
        ("[[2024-05-26]]", "26 May 2024", "2024-05-26"),
        ("[[Daily/2024-05-26|that Sunday]]", "26 May 2024", "2024-05-26"),
        ("[[2024-05-26#Evening]]", "26 May 2024", "2024-05-26"),
        ("[[2024-05-26 Sun]]", "26 May 2024", "2024-05-26"),
        ("[[2024_05_26]]", "26 May 2024", "2024-05-26"),
        ("[[May 26th, 2024]]", "26 May 2024", "May 26th, 2024"),
        ("[[26 Mayıs 2024]]", "26 May 2024", "26 Mayıs 2024"),
        ("[[2024-W21]]", "20 to 26 May 2024", "2024-W21"),
        ("[[2024-05]]", "May 2024", "2024-05"),
        ("[[2024-05-26]], in fact on 25 May 2024", "25 May 2024", "on 25 May 2024"),
    ],
)
def test_a_link_to_the_note_of_a_day_names_it(link: str, days: str, said: str) -> None:
    expected = f"**{days}** (“{said}” in a note of 8 May 2023, which looks ahead)"
    assert told(f"First harvest, {link}") == expected


def test_a_link_to_a_day_says_the_year_of_the_same_day_in_words() -> None:
    linked = "The probe died in the night to 9 November; see [[2021-11-09]]."
    assert told(linked).startswith("**9 November 2021** (“9 November”")
    asked = "When did the probe die?"  # of which only the first clause tells
    assert told(linked, question=asked).startswith("**9 November 2021** (“9 November”")
    assert told("It froze on 28 February; see [[2020-02-28]].").startswith("**28 February 2020** ")
    other = "The probe died in the night to 9 November; see [[2021-11-10]]."
    assert "2021" not in told(other)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Done yesterday, as on [[2021-05-07]].", "7 May 2023"),
        ("On 9 November 2022, a year after [[2021-11-09]].", "9 November 2022"),
        ("It froze in November 2022; see [[2021-11]].", "November 2022"),
    ],
)
def test_a_year_that_is_said_is_not_taken_from_a_link(text: str, days: str) -> None:
    assert told(text).startswith(f"**{days}** ")


def test_a_note_that_was_continued_does_not_look_ahead() -> None:
    written = "**26 May 2024** (“on 2024-05-26” in a note of 8 May 2023)"
    assert told("I repotted the basil on [[2024-05-26]].") == written
    assert told("I repotted the basil on 2024-05-26.") == written


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
    assert told(f"I finished {link}") == "**8 May 2023** (the note's date)"


@pytest.mark.parametrize(
    ("over", "heading", "day"),
    [
        (("Log", "2024-05-26"), "Evening", "26 May 2024"),
        (("Log", "Sunday, 26 May 2024"), "Evening", "26 May 2024"),
        (("Log", "[[2024-05-26]]"), "Evening", "26 May 2024"),
        (("2024-05-26", "Trip of 27 May 2024"), "Evening", "26 May 2024"),
        (("2024-05-26",), "27 May 2024", "27 May 2024"),
        (("Standup 2024-05-26",), "Decisions", "26 May 2024"),
        (("[1.2.0] - 2024-05-26",), "Added", "26 May 2024"),
        (("2024-W21",), "Monday", "20 May 2024"),
        (("Log", "2024_05_26"), "Evening", "26 May 2024"),
        (("2021", "July"), "July 12th", "12 July 2021"),
        (("2021",), "March 30th", "30 March 2021"),
        (("2021",), "🌱 May 3", "3 May 2021"),
    ],
)
def test_a_line_stands_under_the_nearest_heading_that_begins_with_a_day(
    over: tuple[str, ...], heading: str, day: str
) -> None:
    told_under = told("The wind fell.", heading=heading, over=over)
    assert told_under == f"**{day}** (the date of its heading)"


def test_a_heading_further_above_that_only_mentions_a_day_dates_nothing() -> None:
    said = told("The wind fell.", heading="Evening", over=("Plans for 26 May 2024",))
    assert said == "**8 May 2023** (the note's date)"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("2024-05-10.md", "**10 May 2024** (the date in its note's name)"),
        ("Daily/May 10th, 2024.md", "**10 May 2024** (the date in its note's name)"),
        ("2024-W19.md", "**6 to 12 May 2024** (the date in its note's name)"),
        ("2023-05-08.md", "**8 May 2023** (the note's date)"),
        ("1984.md", "**8 May 2023** (the note's date)"),
        ("May.md", "**8 May 2023** (the note's date)"),
    ],
)
def test_a_note_that_is_called_after_a_day_is_of_that_day(path: str, said: str) -> None:
    assert told("The wind fell.", path=path) == said


def test_the_heading_that_is_the_title_of_a_note_may_be_a_name() -> None:
    assert (
        told("The wind fell.", path="May.md", heading="May") == "**8 May 2023** (the note's date)"
    )


def test_the_folder_of_a_link_does_not_say_that_it_comes_again() -> None:
    assert told("Cut the hay [[Daily/2024-05-26|then]]").startswith("**26 May 2024**")


@pytest.mark.parametrize(
    ("text", "days", "said"),
    [
        ("We planted the fig yesterday.", "7 May 2023", "yesterday"),
        ("The boiler was mended two days ago", "6 May 2023", "two days ago"),
        ("Last week the roof leaked.", "1 to 7 May 2023", "Last week"),
        ("Met Ada last Friday", "5 May 2023", "last Friday"),
        ("Walked the ridge last weekend", "6 to 7 May 2023", "last weekend"),
        ("Three weeks ago I gave up sugar", "17 to 23 April 2023", "Three weeks ago"),
        ("I quit last month", "April 2023", "last month"),
        ("Moved here last year", "2022", "last year"),
        ("It opened in April", "April 2023", "in April"),
        ("This past weekend I rested", "6 to 7 May 2023", "This past weekend"),
        ("I have swum since 2016", "since 2016", "since 2016"),
        ("The mill was built in 1878.", "1878", "in 1878"),
        ("Değirmen 1402'de yapıldı.", "1402", "1402'de"),
        ("Choir moved from Monday to Friday on 3 March 2021.", "3 March 2021", "on 3 March 2021"),
        ("Sunday 12 September: dinner", "12 September 2021", "Sunday 12 September"),
        ("Signed on 3 March 2021", "3 March 2021", "on 3 March 2021"),
        ("Signed [on 3 March 2021](https://d.io/2019-05-06)", "3 March 2021", "on 3 March 2021"),
        ("Dün inciri diktik.", "7 May 2023", "Dün"),
        ("Kombi iki gün önce onarıldı", "6 May 2023", "iki gün önce"),
        ("Geçen hafta çatı aktı", "1 to 7 May 2023", "Geçen hafta"),
        ("Geçen ay bıraktım", "April 2023", "Geçen ay"),
    ],
)
def test_what_a_line_says_of_time_counts_from_its_note(text: str, days: str, said: str) -> None:
    assert told(text) == f"**{days}** (“{said}” in a note of 8 May 2023)"


@pytest.mark.parametrize(
    ("text", "days", "said"),
    [
        ("We go to Oslo next month", "June 2023", "next month"),
        ("It opens in June", "June 2023", "in June"),
        ("This summer I rest", "1 June to 31 August 2023", "This summer"),
        ("This weekend I rest", "13 to 14 May 2023", "This weekend"),
        ("Hiking this Friday", "12 May 2023", "this Friday"),
        ("Bu hafta sonu dinleniyorum", "13 to 14 May 2023", "Bu hafta sonu"),
        ("Haziranda açılıyor", "June 2023", "Haziranda"),
        ("On 20 May I will sell the bike.", "20 May 2023", "On 20 May"),
        ("I plan to sell it in March.", "March 2024", "in March"),
        ("The meeting is on Tuesday.", "9 May 2023", "on Tuesday"),
        ("20 Mayıs'ta bisikleti satacağım.", "20 May 2023", "20 Mayıs'ta"),
        ("Dentist in three days", "11 May 2023", "in three days"),
        ("The lease ends in two weeks.", "22 to 28 May 2023", "in two weeks"),
        ("Üç gün sonra boyacı gelecek.", "11 May 2023", "Üç gün sonra"),
        ("İki hafta sonra taşınıyoruz.", "22 to 28 May 2023", "İki hafta sonra"),
        (
            "The rent is due at the end of the month.",
            "21 to 31 May 2023",
            "at the end of the month",
        ),
        ("It must be done by the end of the month", "before June 2023", "by the end of the month"),
        ("Kira ay sonunda bitiyor.", "21 to 31 May 2023", "ay sonunda"),
        ("Rapor ay sonuna kadar bitmeli.", "before June 2023", "ay sonuna kadar"),
        ("We move in 2025.", "2025", "in 2025"),
        ("2025'te taşınacağız.", "2025", "2025'te"),
    ],
)
def test_a_line_that_looks_ahead_is_called_so(text: str, days: str, said: str) -> None:
    assert told(text) == f"**{days}** (“{said}” in a note of 8 May 2023, which looks ahead)"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The piano was tuned in June.", "June 2022"),
        ("Tuned the piano in June.", "June 2022"),
        ("She turned forty in October", "October 2022"),
        ("The meeting was on Tuesday.", "2 May 2023"),
        ("Piyanoyu haziranda akort ettik.", "June 2022"),
    ],
)
def test_what_is_told_of_the_past_lies_behind_its_note(text: str, days: str) -> None:
    assert told(text).startswith(f"**{days}** ")


@pytest.mark.parametrize(
    "text",
    [
        "Wrote the book in three days.",
        "I read the book in three days.",
        "I saw her for the first time in two years.",
        "She runs three times in two weeks.",
        "İki hafta sonra taşındık.",
        "Toplantıdan iki gün sonra dönecek.",
        "The 2025 plan is ready.",
    ],
)
def test_a_duration_or_what_follows_something_else_is_no_day(text: str) -> None:
    assert told(text) == "**8 May 2023** (the note's date)"


@pytest.mark.parametrize(
    ("written", "text", "day"),
    [
        ("2024-04-02", "Easter is on 31 March.", "31 March 2024"),
        ("2024-03-01", "Easter is on 31 March.", "31 March 2024"),
        ("2024-11-05", "Easter is on 20 April.", "20 April 2025"),
        ("2023-11-10", "The concert is on 12 June.", "12 June 2024"),
    ],
)
def test_a_day_that_is_stated_lies_near_its_note(written: str, text: str, day: str) -> None:
    moment = datetime.fromisoformat(written).replace(tzinfo=UTC)
    assert told(text, written=moment).startswith(f"**{day}** ")


@pytest.mark.parametrize(
    "text",
    [
        "The shop is open on weekdays.",
        "I run every Monday and Thursday.",
        "The gym opens at seven on weekdays and at nine on weekends.",
        "Every year in June we go camping.",
        "The backup runs daily.",
        "In winter the pipes freeze.",
        "birthday:: 1 May",
        "Her birthday is 9 November; see [[2024-11-09]].",
        "Doğum günü 1 Mayıs",
        "Yıl dönümü: 4 Temmuz",
        "Her salı toplantı var.",
        "Salıları koşuyorum.",
        "Hafta sonları açık.",
    ],
)
def test_what_comes_again_is_on_no_day(text: str) -> None:
    excerpt = Excerpt(text=text, line_start=1, line_end=1, heading=None, block_id=None)
    assert resolve_event_time(a_result(created=WRITTEN), excerpt) is None


@pytest.mark.parametrize(
    "text",
    [
        "We celebrate Mum's birthday on Sunday.",
        "Order the birthday cake by 15 May.",
        "Birthday trip to Rome in May.",
    ],
)
def test_what_is_done_for_a_birthday_is_on_a_day(text: str) -> None:
    assert "“" in told(text)


@pytest.mark.parametrize("text", ["The fig is planted.", "It may rain.", "Due 32 May 2023"])
def test_a_line_without_a_time_stands_under_its_notes_date(text: str) -> None:
    assert told(text) == "**8 May 2023** (the note's date)"


def test_a_journals_heading_is_the_day_of_what_stands_below_it() -> None:
    assert (
        told("Saw a kite.", heading="2023-04-30") == "**30 April 2023** (the date of its heading)"
    )
    assert told("Saw a kite yesterday.", heading="Sunday, 30 April 2023") == (
        "**29 April 2023** (“yesterday” under the heading of 30 April 2023)"
    )


@pytest.mark.parametrize(
    ("path", "heading", "day"),
    [
        ("Log 2021.md", "3 May", "3 May 2021"),
        ("2021/Log.md", "3 May", "3 May 2021"),
        ("Log 2021.md", "3 May 2020", "3 May 2020"),
        ("Log.md", "30 June 2023", "30 June 2023"),
    ],
)
def test_a_heading_without_a_year_is_of_that_in_the_names_of_its_note(
    path: str, heading: str, day: str
) -> None:
    assert told("Saw a kite.", heading=heading, path=path) == (
        f"**{day}** (the date of its heading)"
    )


@pytest.mark.parametrize(
    ("heading", "changed", "day"),
    [
        ("3 May", None, "3 May 2023"),
        ("20 December", None, "20 December 2023"),
        ("20 Aralık", None, "20 December 2023"),
        ("20 February", (2024, 8), "20 February 2024"),
        ("20 February", (2023, 6), "20 February 2023"),
        ("20 June", (2024, 8), "20 June 2023"),
        ("Friday, 7 April", (2023, 6), "7 April 2023"),
        ("Thursday, 7 April", (2023, 6), "7 April 2022"),
        ("April", (2023, 6), "April 2023"),
    ],
)
def test_a_year_that_is_written_nowhere_is_one_in_which_the_note_was_written_or_the_nearest(
    heading: str, changed: tuple[int, int] | None, day: str
) -> None:
    modified = datetime(*changed, 1, tzinfo=UTC) if changed else None
    assert told("Saw a kite.", heading=heading, path="2021/Log 2022.md", changed=modified) == (
        f"**{day}** (the date of its heading, which names no year)"
    )


@pytest.mark.parametrize(
    ("heading", "days"),
    [
        ("April 2023", "April 2023"),
        ("2021", "2021"),
        ("Week 12, 2023", "20 to 26 March 2023"),
        ("21-23 May 2022", "21 to 23 May 2022"),
    ],
)
def test_a_heading_that_is_all_of_a_longer_time_dates_what_it_stands_over(
    heading: str, days: str
) -> None:
    dated = f"**{days}** (the date of its heading)"
    assert told("Saw a kite.", heading=heading) == dated
    assert told("Saw a kite.", heading="Birds", over=("Log", heading)) == dated


def test_of_a_longer_time_over_it_a_line_names_a_part() -> None:
    said = told("Saw a kite in May.", heading="2021")
    assert said == "**May 2021** (“in May” under the heading of 2021)"


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
    assert told("Saw a kite.", heading=heading) == "**8 May 2023** (the note's date)"


def test_when_a_file_was_saved_dates_nothing() -> None:
    assert told("Saw a kite in June 2021.", origin="mtime") == "**June 2021** (“in June 2021”)"
    assert told("Saw a kite, [[2021-06-03]]", origin="mtime") == "**3 June 2021** (“2021-06-03”)"
    saved = a_result(created=WRITTEN)
    saved = replace(saved, metadata=replace(saved.metadata, date_origin="mtime"))
    for text in ("Saw a kite.", "Saw a kite yesterday.", "15 Aug: saw a kite", "On Friday."):
        assert resolve_event_time(saved, Excerpt(text=text, line_start=1, line_end=1)) is None
    under = Excerpt(text="Saw a kite.", line_start=1, line_end=1, heading="March 30th")
    assert resolve_event_time(saved, under) is None
    assert told("Saw a kite.", heading="30 March 2021", origin="mtime").startswith("**30 March")


def test_a_line_of_a_version_counts_from_that_version() -> None:
    then = datetime(2021, 1, 2, tzinfo=UTC)
    assert told("Saw a kite yesterday.", version=then) == (
        "**1 January 2021** (“yesterday” in a note of 2 January 2021)"
    )


def test_without_any_date_nothing_is_said() -> None:
    excerpt = Excerpt(text="Yesterday.", line_start=1, line_end=1, heading=None, block_id=None)
    assert resolve_event_time(a_result(), excerpt) is None


@given(
    text=st.text(max_size=80) | st.from_regex(r"(last|next|bu|this) (\w{3,8}) \d{0,5}"),
    written=st.datetimes(
        min_value=datetime(1950, 1, 1),  # noqa: DTZ001 (hypothesis wants naive bounds)
        max_value=datetime(2090, 1, 1),  # noqa: DTZ001
        timezones=st.just(UTC),
    ),
)
def test_any_line_of_a_dated_note_has_whole_days_in_one_line(text: str, written: datetime) -> None:
    excerpt = Excerpt(text=text, line_start=1, line_end=1, heading=text, block_id=None)
    found = resolve_event_time(a_result(created=written), excerpt)
    assert found is not None
    assert "\n" not in in_words(found)
    start, end = found.period.start, found.period.end
    assert start or end
    if start and end:
        assert end - start >= timedelta(days=1)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When was the dry run?", "in March"),
        ("When was the cutover?", "in April"),
        ("When was the party?", "in March"),
    ],
)
def test_of_several_times_in_a_line_that_of_what_is_asked_is_meant(question: str, day: str) -> None:
    text = "A dry run in March, cutover on a Saturday night in April."
    excerpt = Excerpt(text=text, line_start=1, line_end=1, heading=None, block_id=None)
    found = resolve_event_time(a_result(created=WRITTEN), excerpt, question=question)
    assert found is not None
    assert found.said == day


def test_a_habit_is_never_of_a_notes_date() -> None:
    line = Excerpt(text="Open from 7:30.", line_start=1, line_end=1, heading=None, block_id=None)
    for question in ("When is the office open?", "When does it open?", "Ofis ne zaman açılıyor?"):
        assert resolve_event_time(a_result(created=WRITTEN), line, question=question) is None


def test_of_two_sentences_that_on_what_is_asked_is_meant() -> None:
    text = "The windmill was built in 1878. The barn was built in 1911."
    line = Excerpt(text=text, line_start=1, line_end=1, heading=None, block_id=None)
    found = resolve_event_time(
        a_result(created=WRITTEN), line, question="When was the windmill built?"
    )
    assert found is not None
    assert found.said == "in 1878"
