"""What is no date, what is refused as one, and that nothing else ever goes wrong."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.values.dates import NOW, WORDS
from tools.base.errors import InputError
from tools.temporal.periods.bitemporal import find_axes
from tools.temporal.periods.question_period import find_period

NOT_DATES = [
    "What is Zettelkasten?",
    "May I link notes twice?",
    "Why may habits fail?",
    "You may march for 12 hours",
    "How do soldiers march on Rome?",
    "a summary of 500 characters",
    "texts of 2000 words",
    "Does a note of 2000 characters still count as atomic?",
    "How does the spring framework work?",
    "Why do leaves fall?",
    "the second law of thermodynamics",
    "version 3.12 of Python",
    "What is 1.5.9 about?",
    "port 8080 and room 2024a1",
    "Who ruled France in 1789?",
    "What should be done in 2040?",
    "call 1234-2023",
    "Sunday is a rest day",
    "What is an 80/20 rule?",
    "What is a 12-factor app?",
    "the note “Goals 2024” and nothing else",
    "What does [[2024-05-12]] link to?",
    'Who wrote "1984"?',
    "before I met her and after the move",
    "Bu kitap neden önemli?",
    "Ekim nasıl yapılır?",
    "mart kedisi nedir",
    "son derece önemli bir fikir",
    "Which last words mattered?",
    "€2000 a month",
    "How much is $1999?",
    "the ratio 2000:1",
    "Is Mark right about the past?",
    # a number that names or counts something
    "How do I install SQL Server 2022?",
    "the footnote on page 1984",
    "article 2013 of the law",
    "coins from 2000 BC",
    "oda 2019 nerede",
    "2020 model araba",
    "2017 sayılı kanun",
    # names
    "works by August Wilson",
    "letters from April Henry",
    "Who is June Carter?",
    "Nisan Hanım kim",
    "Ekim Devrimi nedir",
    # words that also belong to dates
    "notes on spring cleaning",
    "notes on Sunday roasts",
    "What do I do on Mondays?",
    "What do I cook on weekends?",
    "How this may change",
    "What mattered in my early twenties?",
    "a Christmas tree in every room",
    "Halloween costume ideas",
    "on the 5th floor",
    "How does it differ from the first?",
    "the fifth element",
    "the best book of the year",
    "the second half of the match",
    "week 12 of the course",
    "H2 headings in markdown",
    "my last day at work",
    "pazar yeri nerede",
    "cuma namazı nasıl kılınır",
    "mart önceliklerim nedir",
    "yılbaşı ağacı nasıl süslenir",
    "kitabın ilk yarısı",
    "filmin son günü",
    "bu ayna neden kırık",
    "geçen gün ne dedi",
    # parts, holidays and numbers that are none
    "at the end of the day",
    "the end of the book",
    "What do I want by the end of the year?",
    "yıl sonuna kadar ne yapmalıyım",
    "film sonunda ne oldu",
    "18th century novels",
    "Easter eggs in Excel",
    "nevruz bayramında ne pişer",
    "Ramazan Bey kim",
    "Saturday Night Live",
    "a few weeks back to normal",
    "learn Rust in three days",
    "the next day",
    "invoice 20240512",
    "version 10.12.24",
    "on second thought",
    "in 1899",
    "year 0001",
    "the 99999 bug",
    "9999 steps",
    "port 8080",
    "error 404 since the update",
    "why can I not log in since 8080 is blocked",
    "ticket 4711-10-12",
    "the year 0 problem",
    "2.5 years ago",
    # before the common era
    "who ruled in 44 BC",
    "who was killed in March 44 BC",
    "coins of 2000 B.C.",
    "MÖ 2000 yılında ne oldu",
    "milattan önce 44",
]

REFUSED = [
    "since 2024-13-45",
    "What changed since 2024-13-45?",
    "on 2024-02-30",
    "What happened on 2023-02-29?",
    "since 31 February 2024",
    "on 45 May 2024",
    "since 2024-13",
    "on 05/06/2024",
    "Q5 2024 results",
    "from 2024 to 2022",
    "2024-13-45'ten beri",
    "2024'ten 2022'ye kadar",
    "since 2199-99-99",
    "2025-W60 notes",
    "the 31st of April 2025",
    "999 decades ago",
    "month 13 of 2024",
    "notes from year 0",
    "0 yılından notlar",
    "notes from 0000-01-01",
    "notes before 0001-01-01",
    "notes from 9999-12-31",
    "until 9999-12-31",
    "31.12.9999'dan beri",
    "since 5550-01-01",
    "notes since 99999",
    "since 9999 sleep",
    "9999'dan beri",
    "last 999999999 days",
    "son 999999999 gün",
    "last -5 days",
    "son -5 gün",
    "last 3000 years",
    "next 999999999 days",
    "1000000 years ago",
    "1000000 yıl önce",
]


@pytest.mark.parametrize(
    "question",
    [
        "What happened in the May incident?",
        "What did we learn from the March release?",
        "What caused the January outage?",
        "What changed since the April migration?",
        "What did Ada's June talk say?",
        "Mayıs kesintisinde ne oldu?",
        "Haziran sürümünden sonra ne değişti?",
        "What did I read in three days?",
        "What is Dune about?",
        "İki hafta sonra ne oldu?",
    ],
)
def test_a_month_that_names_a_thing_or_a_duration_is_no_period(question: str) -> None:
    assert find_period(question, now=NOW) is None


@pytest.mark.parametrize(
    "question",
    [
        "What did I write in the May journal?",
        "What happened in the March of 2020?",
        "What did I do in the May and June?",
        "What do I remember of the September 2023 retreat?",
        "What did I do in the May of last year?",
        "Mayıs ayında ne oldu?",
    ],
)
def test_a_month_that_is_a_time_stays_one(question: str) -> None:
    assert find_period(question, now=NOW) is not None


@pytest.mark.parametrize("question", NOT_DATES)
def test_ordinary_words_and_numbers_are_no_dates(question: str) -> None:
    assert find_period(question, now=NOW) is None


@pytest.mark.parametrize("question", REFUSED)
def test_an_impossible_date_is_refused_with_examples(question: str) -> None:
    with pytest.raises(InputError) as caught:
        find_period(question, now=NOW)
    message = str(caught.value)
    assert "\n" not in message
    assert all(example in message for example in ("2024-05", "May 2024", "since 12 May 2024"))


@pytest.mark.parametrize(
    ("question", "understood"),
    [
        ("from June 2024 to May 2023", ["from June 2024 to May 2023", "2024-06-01", "2023-05-31"]),
        ("2024'ten 2022'ye kadar", ["2024-01-01", "2022-12-31"]),
        ("on 31 February", ["31 February", "no calendar"]),
    ],
)
def test_a_refusal_says_what_was_understood(question: str, understood: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        find_period(question, now=NOW)
    assert all(part in str(caught.value) for part in understood)


@given(st.text(alphabet=st.sampled_from("0123456789-/. '’maytoinsce ÜİıŞğ[]\"q"), max_size=60))
@settings(deadline=None)
def test_any_text_gives_a_sound_period_none_or_a_refusal(text: str) -> None:
    try:
        found = find_period(text, now=NOW)
    except InputError:
        return
    if found is not None:
        start, end = found.period.start, found.period.end
        assert not (start and end) or start < end
        assert text[slice(*found.span)] == found.phrase


ANY_TIME = st.datetimes(
    timezones=st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join)), ANY_TIME)
def test_nothing_but_a_refusal_is_ever_raised(text: str, now: datetime) -> None:
    try:
        found, known = find_axes(text, now=now)
    except InputError:
        return
    for one in (found, known):
        assert one is None or text[slice(*one.span)] == one.phrase
    assert found is not None or known is None
