"""The day that a line of evidence speaks of, and the questions that ask for it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.dates import day
from tests.support.values.event_times import OF_THE_NOTE, WRITTEN, days_of, told
from tests.support.values.results import a_result
from tools.base.domain import Excerpt, Period
from tools.temporal.event_time import in_words, period_in_words, resolve_event_time


def test_an_address_is_no_date() -> None:
    linked = "The curve fell, a [phenomenon](https://d.io/article?id=10.1371/journal) known since."
    bare = "The curve fell: https://d.io/article?id=10.1371/journal"
    assert told(linked) == told(bare) == OF_THE_NOTE


@pytest.mark.parametrize(
    ("text", "days", "said"),
    [
        ("We planted the fig yesterday.", "2023-05-07", "yesterday"),
        ("The boiler was mended two days ago", "2023-05-06", "two days ago"),
        ("Last week the roof leaked.", "2023-05-01/2023-05-07", "Last week"),
        ("Met Ada last Friday", "2023-05-05", "last Friday"),
        ("Walked the ridge last weekend", "2023-05-06/2023-05-07", "last weekend"),
        ("Three weeks ago I gave up sugar", "2023-04-17/2023-04-23", "Three weeks ago"),
        ("I quit last month", "2023-04-01/2023-04-30", "last month"),
        ("Moved here last year", "2022-01-01/2022-12-31", "last year"),
        ("It opened in April", "2023-04-01/2023-04-30", "in April"),
        ("This past weekend I rested", "2023-05-06/2023-05-07", "This past weekend"),
        ("I have swum since 2016", "2016-01-01/..", "since 2016"),
        ("The mill was built in 1878.", "1878-01-01/1878-12-31", "in 1878"),
        ("Değirmen 1402'de yapıldı.", "1402-01-01/1402-12-31", "1402'de"),
        ("Choir moved from Monday to Friday on 3 March 2021.", "2021-03-03", "on 3 March 2021"),
        ("Sunday 12 September: dinner", "2021-09-12", "Sunday 12 September"),
        ("Signed on 3 March 2021", "2021-03-03", "on 3 March 2021"),
        ("Signed [on 3 March 2021](https://d.io/2019-05-06)", "2021-03-03", "on 3 March 2021"),
        ("Dün inciri diktik.", "2023-05-07", "Dün"),
        ("Kombi iki gün önce onarıldı", "2023-05-06", "iki gün önce"),
        ("Geçen hafta çatı aktı", "2023-05-01/2023-05-07", "Geçen hafta"),
        ("Geçen ay bıraktım", "2023-04-01/2023-04-30", "Geçen ay"),
    ],
)
def test_what_a_line_says_of_time_counts_from_its_note(text: str, days: str, said: str) -> None:
    found = told(text)
    assert (days_of(found.period), found.said) == (days, said)
    assert (found.under, found.ahead) == (OF_THE_NOTE.under, False)


@pytest.mark.parametrize(
    ("text", "days", "said"),
    [
        ("We go to Oslo next month", "2023-06-01/2023-06-30", "next month"),
        ("It opens in June", "2023-06-01/2023-06-30", "in June"),
        ("This summer I rest", "2023-06-01/2023-08-31", "This summer"),
        ("This weekend I rest", "2023-05-13/2023-05-14", "This weekend"),
        ("Hiking this Friday", "2023-05-12", "this Friday"),
        ("Bu hafta sonu dinleniyorum", "2023-05-13/2023-05-14", "Bu hafta sonu"),
        ("Haziranda açılıyor", "2023-06-01/2023-06-30", "Haziranda"),
        ("On 20 May I will sell the bike.", "2023-05-20", "On 20 May"),
        ("I plan to sell it in March.", "2024-03-01/2024-03-31", "in March"),
        ("The meeting is on Tuesday.", "2023-05-09", "on Tuesday"),
        ("20 Mayıs'ta bisikleti satacağım.", "2023-05-20", "20 Mayıs'ta"),
        ("Dentist in three days", "2023-05-11", "in three days"),
        ("The lease ends in two weeks.", "2023-05-22/2023-05-28", "in two weeks"),
        ("Üç gün sonra boyacı gelecek.", "2023-05-11", "Üç gün sonra"),
        ("İki hafta sonra taşınıyoruz.", "2023-05-22/2023-05-28", "İki hafta sonra"),
        (
            "The rent is due at the end of the month.",
            "2023-05-21/2023-05-31",
            "at the end of the month",
        ),
        ("It must be done by the end of the month", "../2023-05-31", "by the end of the month"),
        ("Kira ay sonunda bitiyor.", "2023-05-21/2023-05-31", "ay sonunda"),
        ("Rapor ay sonuna kadar bitmeli.", "../2023-05-31", "ay sonuna kadar"),
        ("We move in 2025.", "2025-01-01/2025-12-31", "in 2025"),
        ("2025'te taşınacağız.", "2025-01-01/2025-12-31", "2025'te"),
    ],
)
def test_a_line_that_looks_ahead_is_called_so(text: str, days: str, said: str) -> None:
    found = told(text)
    assert (days_of(found.period), found.said) == (days, said)
    assert (found.under, found.ahead) == (OF_THE_NOTE.under, True)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The piano was tuned in June.", "2022-06-01/2022-06-30"),
        ("Tuned the piano in June.", "2022-06-01/2022-06-30"),
        ("She turned forty in October", "2022-10-01/2022-10-31"),
        ("The meeting was on Tuesday.", "2023-05-02"),
        ("Piyanoyu haziranda akort ettik.", "2022-06-01/2022-06-30"),
    ],
)
def test_what_is_told_of_the_past_lies_behind_its_note(text: str, days: str) -> None:
    assert days_of(told(text).period) == days


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
    assert told(text) == OF_THE_NOTE


@pytest.mark.parametrize(
    ("written", "text", "day"),
    [
        ("2024-04-02", "Easter is on 31 March.", "2024-03-31"),
        ("2024-03-01", "Easter is on 31 March.", "2024-03-31"),
        ("2024-11-05", "Easter is on 20 April.", "2025-04-20"),
        ("2023-11-10", "The concert is on 12 June.", "2024-06-12"),
    ],
)
def test_a_day_that_is_stated_lies_near_its_note(written: str, text: str, day: str) -> None:
    moment = datetime.fromisoformat(written).replace(tzinfo=UTC)
    assert days_of(told(text, written=moment).period) == day


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
    assert told(text).said


@pytest.mark.parametrize("text", ["The fig is planted.", "It may rain.", "Due 32 May 2023"])
def test_a_line_without_a_time_stands_under_its_notes_date(text: str) -> None:
    assert told(text) == OF_THE_NOTE


def test_when_a_file_was_saved_dates_nothing() -> None:
    for text, days, said in (
        ("Saw a kite in June 2021.", "2021-06-01/2021-06-30", "in June 2021"),
        ("Saw a kite, [[2021-06-03]]", "2021-06-03", "2021-06-03"),
    ):
        found = told(text, origin="mtime")
        assert (days_of(found.period), found.said, found.under) == (days, said, Period())
    saved = a_result(created=WRITTEN)
    saved = replace(saved, metadata=replace(saved.metadata, date_origin="mtime"))
    for text in ("Saw a kite.", "Saw a kite yesterday.", "15 Aug: saw a kite", "On Friday."):
        assert resolve_event_time(saved, Excerpt(text=text, line_start=1, line_end=1)) is None
    under = Excerpt(text="Saw a kite.", line_start=1, line_end=1, heading="March 30th")
    assert resolve_event_time(saved, under) is None
    headed = told("Saw a kite.", heading="30 March 2021", origin="mtime")
    assert days_of(headed.period) == "2021-03-30"


def test_a_line_of_a_version_counts_from_that_version() -> None:
    found = told("Saw a kite yesterday.", version=datetime(2021, 1, 2, tzinfo=UTC))
    assert (days_of(found.period), found.said) == ("2021-01-01", "yesterday")
    assert days_of(found.under) == "2021-01-02"


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


# --- in words ---


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        (
            "We planted the fig yesterday.",
            {},
            "**7 May 2023** (“yesterday” in a note of 8 May 2023)",
        ),
        (
            "It opens in June",
            {},
            "**June 2023** (“in June” in a note of 8 May 2023, which looks ahead)",
        ),
        ("The fig is planted.", {}, "**8 May 2023** (the note's date)"),
        (
            "Saw a kite.",
            {"heading": "2023-04-30"},
            "**30 April 2023** (the date of its heading)",
        ),
        (
            "Saw a kite.",
            {"heading": "3 May"},
            "**3 May 2023** (the date of its heading, which names no year)",
        ),
        (
            "Saw a kite yesterday.",
            {"heading": "Sunday, 30 April 2023"},
            "**29 April 2023** (“yesterday” under the heading of 30 April 2023)",
        ),
        (
            "Saw a kite.",
            {"path": "2024-W19.md"},
            "**6 to 12 May 2024** (the date in its note's name)",
        ),
        (
            "Saw a kite yesterday.",
            {"path": "2024-05-10.md"},
            "**9 May 2024** (“yesterday” in the note of 10 May 2024)",
        ),
        ("Saw a kite in June 2021.", {"origin": "mtime"}, "**June 2021** (“in June 2021”)"),
    ],
)
def test_a_time_is_told_with_the_words_that_say_it_and_where_they_stand(
    text: str, where: dict[str, Any], words: str
) -> None:
    found = told(text, **where)
    assert in_words(found) == words
    assert in_words(found, sure=False) == words.replace("**", "")


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2023-05-07", "2023-05-08", "7 May 2023"),
        ("2023-05-01", "2023-05-08", "1 to 7 May 2023"),
        ("2023-05-30", "2023-06-02", "30 May to 1 June 2023"),
        ("2022-12-31", "2023-01-02", "31 December 2022 to 1 January 2023"),
        ("2023-05-01", "2023-06-01", "May 2023"),
        ("2023-06-01", "2023-09-01", "1 June to 31 August 2023"),
        ("2022-01-01", "2023-01-01", "2022"),
        ("2016-01-01", None, "since 2016"),
        ("2016-05-07", None, "since 7 May 2016"),
        (None, "2023-06-01", "before June 2023"),
    ],
)
def test_days_are_told_as_the_month_or_year_they_are(
    start: str | None, end: str | None, words: str
) -> None:
    assert period_in_words(Period(start=day(start), end=day(end))) == words
