"""Dates in questions: the period that is found and where it stands."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.values.dates import NOW, ZONE, day
from tools.base.domain import Period
from tools.temporal.periods.question_period import find_period

# question, start, end, phrase
FOUND: list[tuple[str, str | None, str | None, str]] = [
    # ISO and numeric
    ("What did I write on 2024-05-12?", "2024-05-12", "2024-05-13", "on 2024-05-12"),
    ("notes of 2024/5/3", "2024-05-03", "2024-05-04", "2024/5/3"),
    ("meeting 12.05.2024 minutes", "2024-05-12", "2024-05-13", "12.05.2024"),
    ("What happened on 25/12/2024?", "2024-12-25", "2024-12-26", "on 25/12/2024"),
    ("What happened on 12/25/2024?", "2024-12-25", "2024-12-26", "on 12/25/2024"),
    ("What changed in 2024-05?", "2024-05-01", "2024-06-01", "in 2024-05"),
    ("log 2024-02-29T10:15", "2024-02-29", "2024-03-01", "2024-02-29T10:15"),
    # years and decades
    ("What did I learn in 2024?", "2024-01-01", "2025-01-01", "in 2024"),
    ("my 2023 goals", "2023-01-01", "2024-01-01", "2023"),
    ("Which books did I read during 2022", "2022-01-01", "2023-01-01", "during 2022"),
    ("design trends of the 1990s", "1990-01-01", "2000-01-01", "the 1990s"),
    ("music in the 2010's", "2010-01-01", "2020-01-01", "in the 2010's"),
    # any year may be asked for
    ("letters from 1856 to 1857", "1856-01-01", "1858-01-01", "from 1856 to 1857"),
    ("What was built since 1850?", "1850-01-01", None, "since 1850"),
    ("What is due on 2 May 2031?", "2031-05-02", "2031-05-03", "on 2 May 2031"),
    ("What is planned in March 2027?", "2027-03-01", "2027-04-01", "in March 2027"),
    # months and days
    ("What did I write in May 2024?", "2024-05-01", "2024-06-01", "in May 2024"),
    ("the sept 2023 retreat", "2023-09-01", "2023-10-01", "the sept 2023"),
    ("December of 2021 decisions", "2021-12-01", "2022-01-01", "December of 2021"),
    ("on 12 May 2025 what was decided", "2025-05-12", "2025-05-13", "on 12 May 2025"),
    ("What did we decide on May 12, 2025?", "2025-05-12", "2025-05-13", "on May 12, 2025"),
    ("March 3rd 2024 standup", "2024-03-03", "2024-03-04", "March 3rd 2024"),
    ("the 3rd of March 2024", "2024-03-03", "2024-03-04", "the 3rd of March 2024"),
    ("notes from 12 May", "2025-05-12", "2025-05-13", "from 12 May"),
    ("What was said 12 May?", "2025-05-12", "2025-05-13", "12 May"),
    ("What was decided on 20 December?", "2024-12-20", "2024-12-21", "on 20 December"),
    ("What happened on 29 February?", "2024-02-29", "2024-03-01", "on 29 February"),
    ("What did I learn in March?", "2025-03-01", "2025-04-01", "in March"),
    ("What did I learn in may", "2025-05-01", "2025-06-01", "in may"),
    ("What did I learn in August?", "2024-08-01", "2024-09-01", "in August"),
    ("september notes on focus", "2024-09-01", "2024-10-01", "september"),
    ("the talks of last March", "2025-03-01", "2025-04-01", "last March"),
    ("the talks of last June", "2024-06-01", "2024-07-01", "last June"),
    ("the workshop 12-14 May 2024", "2024-05-12", "2024-05-15", "12-14 May 2024"),
    ("between 3 and 9 March 2024", "2024-03-03", "2024-03-10", "between 3 and 9 March 2024"),
    # quarters and seasons
    ("Q2 2024 review", "2024-04-01", "2024-07-01", "Q2 2024"),
    ("What did we ship in Q1?", "2025-01-01", "2025-04-01", "in Q1"),
    ("2023-Q4 report", "2023-10-01", "2024-01-01", "2023-Q4"),
    ("the third quarter of 2022", "2022-07-01", "2022-10-01", "the third quarter of 2022"),
    ("What did I read in spring 2023?", "2023-03-01", "2023-06-01", "in spring 2023"),
    ("winter 2023 plans", "2023-12-01", "2024-03-01", "winter 2023"),
    ("What did I plant last summer?", "2024-06-01", "2024-09-01", "last summer"),
    ("What did I plant this summer?", "2025-06-01", "2025-09-01", "this summer"),
    ("Which hikes did I do in autumn?", "2024-09-01", "2024-12-01", "in autumn"),
    # relative
    ("What did I write yesterday?", "2025-06-17", "2025-06-18", "yesterday"),
    ("What did I write today?", "2025-06-18", "2025-06-19", "today"),
    ("the day before yesterday I wrote", "2025-06-16", "2025-06-17", "the day before yesterday"),
    ("What did I do this week?", "2025-06-16", "2025-06-23", "this week"),
    ("What did I do last week?", "2025-06-09", "2025-06-16", "last week"),
    ("What did I learn last month?", "2025-05-01", "2025-06-01", "last month"),
    ("What did I learn last year?", "2024-01-01", "2025-01-01", "last year"),
    ("What did I learn last quarter?", "2025-01-01", "2025-04-01", "last quarter"),
    ("notes of the last 7 days", "2025-06-11", "2025-06-19", "the last 7 days"),
    ("in the past two weeks", "2025-06-04", "2025-06-19", "in the past two weeks"),
    ("over the last three months", "2025-03-18", "2025-06-19", "over the last three months"),
    ("over the last year", "2024-06-18", "2025-06-19", "over the last year"),
    ("the last couple of days", "2025-06-16", "2025-06-19", "the last couple of days"),
    ("What did I write 3 days ago?", "2025-06-15", "2025-06-16", "3 days ago"),
    ("What did I believe two months ago?", "2025-04-01", "2025-05-01", "two months ago"),
    ("a year ago", "2024-01-01", "2025-01-01", "a year ago"),
    ("the call last Tuesday", "2025-06-17", "2025-06-18", "last Tuesday"),
    ("the call last Wednesday", "2025-06-11", "2025-06-12", "last Wednesday"),
    ("What did I eat on Monday?", "2025-06-16", "2025-06-17", "on Monday"),
    # bounds
    ("How has X changed since 2024?", "2024-01-01", None, "since 2024"),
    ("How has X changed since March?", "2025-03-01", None, "since March"),
    ("since spring 2023 what changed", "2023-03-01", None, "since spring 2023"),
    ("everything since last week", "2025-06-09", None, "since last week"),
    ("from March 2024 onwards", "2024-03-01", None, "from March 2024 onwards"),
    ("starting in 2021", "2021-01-01", None, "starting in 2021"),
    ("What did I think before 2023?", None, "2023-01-01", "before 2023"),
    ("What did I think prior to May 2024", None, "2024-05-01", "prior to May 2024"),
    ("What did I learn after 2023?", "2024-01-01", None, "after 2023"),
    ("after March 2024 what changed", "2024-04-01", None, "after March 2024"),
    ("What was true until 2022?", None, "2023-01-01", "until 2022"),
    ("goals to reach until 2030", None, "2031-01-01", "until 2030"),
    ("What did I know as of 2024-05-12?", None, "2024-05-13", "as of 2024-05-12"),
    # ranges
    ("between 2021 and 2023", "2021-01-01", "2024-01-01", "between 2021 and 2023"),
    ("between March and May 2024", "2024-03-01", "2024-06-01", "between March and May 2024"),
    ("between January and March", "2025-01-01", "2025-04-01", "between January and March"),
    ("between October and March", "2024-10-01", "2025-04-01", "between October and March"),
    ("from 2020 to 2022", "2020-01-01", "2023-01-01", "from 2020 to 2022"),
    ("from May to March 2024", "2023-05-01", "2024-04-01", "from May to March 2024"),
    ("from 12 May 2024 until 3 June", "2024-05-12", "2024-06-04", "from 12 May 2024 until 3 June"),
    ("2021-2023 in review", "2021-01-01", "2024-01-01", "2021-2023"),
    ("March–May 2024", "2024-03-01", "2024-06-01", "March–May 2024"),
    ("Compare 2022 and 2024", "2022-01-01", "2025-01-01", "2022 and 2024"),
    # Turkish
    ("dün ne yazdım?", "2025-06-17", "2025-06-18", "dün"),
    ("bugün ne öğrendim", "2025-06-18", "2025-06-19", "bugün"),
    ("geçen hafta ne yazdım?", "2025-06-09", "2025-06-16", "geçen hafta"),
    ("geçen ay neler okudum", "2025-05-01", "2025-06-01", "geçen ay"),
    ("bu yıl ne öğrendim", "2025-01-01", "2026-01-01", "bu yıl"),
    ("BU YIL ne öğrendim", "2025-01-01", "2026-01-01", "BU YIL"),
    ("son 7 gün", "2025-06-11", "2025-06-19", "son 7 gün"),
    ("son üç ayda ne değişti", "2025-03-18", "2025-06-19", "son üç ayda"),
    ("3 gün önce ne yazdım", "2025-06-15", "2025-06-16", "3 gün önce"),
    ("Zettelkasten 2024'ten beri nasıl değişti?", "2024-01-01", None, "2024'ten beri"),
    ("2024’ten bu yana", "2024-01-01", None, "2024’ten bu yana"),
    ("2023'te ne yazdım", "2023-01-01", "2024-01-01", "2023'te"),
    ("2023 yılında ne yazdım", "2023-01-01", "2024-01-01", "2023 yılında"),
    ("Mart 2024 notları", "2024-03-01", "2024-04-01", "Mart 2024"),
    ("2024 Mart ayında ne oldu", "2024-03-01", "2024-04-01", "2024 Mart ayında"),
    ("martta ne yazdım", "2025-03-01", "2025-04-01", "martta"),
    ("Ocak'tan beri", "2025-01-01", None, "Ocak'tan beri"),
    ("Ocak ile Mart arasında ne okudum", "2025-01-01", "2025-04-01", "Ocak ile Mart arasında"),
    ("Aralık ayında ne yazdım?", "2024-12-01", "2025-01-01", "Aralık ayında"),
    ("ARALIK ayında ne yazdım?", "2024-12-01", "2025-01-01", "ARALIK ayında"),
    ("12 Mayıs 2025'te ne oldu", "2025-05-12", "2025-05-13", "12 Mayıs 2025'te"),
    ("2023'ten 2024'e kadar", "2023-01-01", "2025-01-01", "2023'ten 2024'e kadar"),
    ("2022'den önce ne düşünüyordum", None, "2022-01-01", "2022'den önce"),
    ("2022'den sonra", "2023-01-01", None, "2022'den sonra"),
    ("Mayıs 2024'e kadar", None, "2024-06-01", "Mayıs 2024'e kadar"),
    ("geçen yaz ne okudum", "2024-06-01", "2024-09-01", "geçen yaz"),
    ("2023 baharında", "2023-03-01", "2023-06-01", "2023 baharında"),
    ("2024 ikinci çeyreği", "2024-04-01", "2024-07-01", "2024 ikinci çeyreği"),
    ("pazartesi günü ne konuştuk", "2025-06-16", "2025-06-17", "pazartesi günü"),
    # the two of "between" and of a list come in any order
    ("between May 2024 and March 2024", "2024-03-01", "2024-06-01",
     "between May 2024 and March 2024"),
    ("between 2024-05-12 and 2024-05-11", "2024-05-11", "2024-05-13",
     "between 2024-05-12 and 2024-05-11"),
    ("Compare 2024 and 2022", "2022-01-01", "2025-01-01", "2024 and 2022"),
    ("2023 ile 2021 arasında", "2021-01-01", "2024-01-01", "2023 ile 2021 arasında"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "start", "end", "phrase"), FOUND)
def test_finds_the_period_and_where_it_stands(
    question: str, start: str | None, end: str | None, phrase: str
) -> None:
    found = find_period(question, now=NOW)
    assert found is not None
    assert found.period == Period(start=day(start), end=day(end))
    assert found.phrase == phrase
    assert question[slice(*found.span)] == phrase


DAYS = st.dates(min_value=date(1900, 1, 1), max_value=NOW.date())


@given(DAYS, st.sampled_from(["%Y-%m-%d", "%-d %B %Y", "%B %-d, %Y", "%d.%m.%Y"]))
@settings(deadline=None)
def test_every_way_to_write_a_day_means_that_day(wanted: date, form: str) -> None:
    found = find_period(f"What did I note on {wanted.strftime(form)}?", now=NOW)
    assert found is not None
    start = datetime(wanted.year, wanted.month, wanted.day, tzinfo=ZONE)
    assert found.period == Period(start=start, end=start + timedelta(days=1))


@given(DAYS)
@settings(deadline=None)
def test_before_and_since_meet_and_leave_no_gap(wanted: date) -> None:
    before = find_period(f"before {wanted.isoformat()}", now=NOW)
    since = find_period(f"since {wanted.isoformat()}", now=NOW)
    assert before is not None
    assert since is not None
    assert before.period.end == since.period.start
    assert before.period.start is None
    assert since.period.end is None


@given(DAYS, st.integers(min_value=1, max_value=365))
@settings(deadline=None)
def test_rolling_periods_end_with_today_and_hold_at_least_their_length(
    today: date, count: int
) -> None:
    now = datetime(today.year + 1, today.month, min(today.day, 28), 9, tzinfo=ZONE)
    found = find_period(f"in the last {count} days", now=now)
    assert found is not None
    assert found.period.start is not None
    assert found.period.end is not None
    assert found.period.start <= now - timedelta(days=count)
    assert now < found.period.end <= now + timedelta(days=1)
