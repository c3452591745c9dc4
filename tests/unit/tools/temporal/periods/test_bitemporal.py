"""Two dates in one question: when it was true, and when it was known."""

from datetime import UTC, datetime

import pytest

from agents.interpreter.plan import choose
from tests.support.questions.reading import interpreted
from tests.support.values.dates import NOW, day
from tools.base.domain import Period
from tools.temporal.periods.bitemporal import find_axes
from tools.temporal.periods.question_period import find_period

# question; first day and day after the last of what was true; the moment by which it was known
TWO_AXES = [
    ("What did I believe in March about what happened in January?",
     "2025-01-01", "2025-02-01", "2025-04-01"),
    ("What did I think in 2022 about the 2019 election?",
     "2019-01-01", "2020-01-01", "2023-01-01"),
    ("In 2022, what did I think about the 2019 election?",
     "2019-01-01", "2020-01-01", "2023-01-01"),
    ("What did I think about the 2019 election in 2022?",
     "2019-01-01", "2020-01-01", "2023-01-01"),
    ("my view in 2022 on the 2019 election",
     "2019-01-01", "2020-01-01", "2023-01-01"),
    ("As known on 1 May, what was true in April?",
     "2025-04-01", "2025-05-01", "2025-05-02"),
    ("What was true in April as known on 1 May?",
     "2025-04-01", "2025-05-01", "2025-05-02"),
    ("What did we know as of 1 May about what happened in April?",
     "2025-04-01", "2025-05-01", "2025-05-02"),
    ("What did I believe happened in January, back in March?",
     "2025-01-01", "2025-02-01", "2025-04-01"),
    ("What did I write yesterday about last week's meeting?",
     "2025-06-09", "2025-06-16", "2025-06-18"),
    ("What did I write in May about the trip from 3 to 5 April?",
     "2025-04-03", "2025-04-06", "2025-06-01"),
    ("What did I think in 2022 and 2023 about the 2019 election?",
     "2019-01-01", "2020-01-01", "2024-01-01"),
    ("Martta ocak ayında olanlar hakkında ne düşünüyordum?",
     "2025-01-01", "2025-02-01", "2025-04-01"),
    ("2022'de 2019 seçimi hakkında ne düşünüyordum?",
     "2019-01-01", "2020-01-01", "2023-01-01"),
    ("2019 seçimi hakkında 2022'de ne yazdım?",
     "2019-01-01", "2020-01-01", "2023-01-01"),
    ("1 Mayıs'ta bilindiği kadarıyla nisanda ne doğruydu?",
     "2025-04-01", "2025-05-01", "2025-05-02"),
    ("2023'te 2021 ile 2022 arasında olanlar hakkında ne biliyordum?",
     "2021-01-01", "2023-01-01", "2024-01-01"),
    ("geçen ay geçen yıl yaşananlar hakkında ne yazdım?",
     "2024-01-01", "2025-01-01", "2025-06-01"),
]  # fmt: skip

ONE_AXIS = [
    "What did I believe in March?",
    "What happened in January?",
    "What did I think about money in 2019 and 2020?",
    "How did my view of the budget change between March and June?",
    "What did I think about the budget in March compared to June?",
    "What did I write about in May and June?",
    "Compare what I thought in 2022 with what I thought in 2023",
    "Do I know what happened on 3 May at the offsite last year?",
    "2022 ile 2023 arasında ne düşünüyordum?",
    "2022'den 2023'e kadar ne yazdım?",
    "What is known about evergreen notes?",
]


@pytest.mark.parametrize(("question", "start", "end", "known"), TWO_AXES)
def test_two_dates_are_two_axes_where_the_words_say_which_is_which(
    question: str, start: str, end: str, known: str
) -> None:
    found, moment = find_axes(question, now=NOW)
    assert found is not None
    assert moment is not None
    assert found.period == Period(start=day(start), end=day(end))
    assert moment.period.end == day(known)
    for one in (found, moment):
        assert question[slice(*one.span)] == one.phrase


@pytest.mark.parametrize("question", ONE_AXIS)
def test_otherwise_there_is_the_one_period(question: str) -> None:
    assert find_axes(question, now=NOW) == (find_period(question, now=NOW), None)


def test_belief_that_still_lasts_has_no_moment() -> None:
    _, moment = find_axes("What have I thought since 2022 about the 2019 election?", now=NOW)
    assert moment is not None
    assert moment.period.end is None


def test_the_plan_carries_both_and_is_about_neither() -> None:
    now = datetime(2025, 6, 18, tzinfo=UTC)
    plan = interpreted("What did I think in 2022 about the 2019 election?", now=now)
    assert plan.start_date == datetime(2019, 1, 1, tzinfo=UTC)
    assert plan.end_date == datetime(2020, 1, 1, tzinfo=UTC)
    assert plan.known_at == datetime(2023, 1, 1, tzinfo=UTC)
    assert plan.concepts == ("2019 election",)


def test_another_reading_keeps_both_axes() -> None:
    now = datetime(2025, 6, 18, tzinfo=UTC)
    plan = interpreted(
        "What did I think in March 2024 about the budget and the plan of January 2024?", now=now
    )
    chosen = choose(plan, "comparative")
    assert (chosen.start_date, chosen.known_at) == (plan.start_date, plan.known_at)
    assert chosen.known_at == datetime(2024, 4, 1, tzinfo=UTC)
    assert "March" not in " ".join(chosen.subjects)
