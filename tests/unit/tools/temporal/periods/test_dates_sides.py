"""Questions that name the times of two sides, and bounds that open both ways."""

import re

import pytest

from tests.support.values.dates import NOW, day
from tools.base.domain import Period
from tools.base.errors import InputError
from tools.temporal.periods.bitemporal import find_axes
from tools.temporal.periods.question_period import find_period

# question; from the start of the earlier to the end of the later
BOTH_SIDES = [
    # with words between them
    ("compare sleep in 2023 and sleep in 2024", "2023-01-01", "2025-01-01"),
    ("differences between sleep in 2024 and sleep in 2023", "2023-01-01", "2025-01-01"),
    ("compare my notes of May 2024 with those of May 2025", "2024-05-01", "2025-06-01"),
    ("how did the harvest of 2020 compare to the harvest of 2022", "2020-01-01", "2023-01-01"),
    ("put the 2019 budget next to the 2021 budget", "2019-01-01", "2022-01-01"),
    ("was 2023 better than 2024", "2023-01-01", "2025-01-01"),
    ("What did I eat in May and drink in April?", "2025-04-01", "2025-06-01"),
    ("What did I think last spring about basil vs this spring?", "2024-03-01", "2025-06-01"),
    ("What did I think about basil in 2023 and what did I think in 2024", "2023-01-01",
     "2025-01-01"),
    ("2023'teki uyku ile 2024'teki uykuyu karşılaştır", "2023-01-01", "2025-01-01"),
    ("2023'teki uykumla 2024'teki uykumu kıyasla", "2023-01-01", "2025-01-01"),
    # beside each other
    ("what did I think last spring vs this spring", "2024-03-01", "2025-06-01"),
    ("the budget in March compared to June", "2025-03-01", "2025-07-01"),
    ("compare 2021, 2022 and 2024", "2021-01-01", "2025-01-01"),
    ("geçen ilkbahar ile bu ilkbaharı karşılaştır", "2024-03-01", "2025-06-01"),
    ("geçen yıla göre bu yıl nasıl uyudum", "2024-01-01", "2026-01-01"),
    # one side is today
    ("What do I think about notes now versus two years ago?", "2023-01-01", "2025-06-19"),
    ("what did I think in 2023 and what do I think now", "2023-01-01", "2025-06-19"),
    ("how is my sleep now compared to 2022", "2022-01-01", "2025-06-19"),
    ("how is my sleep compared to last year", "2024-01-01", "2025-06-19"),
    ("did I run more than last year", "2024-01-01", "2025-06-19"),
    ("iki yıl öncesine göre koşu alışkanlığım nasıl", "2023-01-01", "2025-06-19"),
    ("geçen yıla kıyasla koşularım", "2024-01-01", "2025-06-19"),
    ("şimdi ile iki yıl öncesi arasındaki fark", "2023-01-01", "2025-06-19"),
    # all time
    ("compare sleep before and after 2020", None, None),
    ("compare sleep before 2020 and after 2022", None, None),
    ("2020 öncesi ve sonrası uyku", None, None),
]  # fmt: skip

ONE_SIDE = [
    ("Which notes of 2023 mention Rome and the election of 2021?", "2023-01-01", "2024-01-01"),
    ("What did I think of the 2019 election in 2022 versus 2023", "2022-01-01", "2024-01-01"),
    ("the talks of last spring", "2025-03-01", "2025-06-01"),
    ("notes of 2023, none other than 2023", "2023-01-01", "2024-01-01"),
    ("what is in my notes now about 2023", "2023-01-01", "2024-01-01"),
    ("what did I write more than two years ago", "2023-01-01", "2024-01-01"),
]

OPPOSED = [
    ("after 2020 and before 2025", "2021-01-01", "2025-01-01"),
    ("sleep since March 2024 but before May 2025", "2024-03-01", "2025-05-01"),
    ("before 2025 and my notes after 2020", "2021-01-01", "2025-01-01"),
    ("2020'den sonra ve 2025'ten önce", "2021-01-01", "2025-01-01"),
    ("notes of 2020 and later", "2020-01-01", None),
    ("notes of 2020 and before", None, "2021-01-01"),
]

EXCLUSIVE = [
    "before 2020 and after 2025 about sleep",
    "notes after 2025 and before 2020",
    "sleep before 2020 or sleep after 2024",
    "notes before 2020, after 2024",
    "2020'den önce ve 2024'ten sonra uyku",
    "2024'ten sonra veya 2020'den önce",
]


@pytest.mark.parametrize(("question", "start", "end"), BOTH_SIDES + ONE_SIDE + OPPOSED)
def test_the_period_spans_what_the_question_sets_side_by_side(
    question: str, start: str | None, end: str | None
) -> None:
    found, known = find_axes(question, now=NOW)
    assert found is not None
    assert found.period == Period(start=day(start), end=day(end))
    assert question[slice(*found.span)] == found.phrase
    assert known is None


@pytest.mark.parametrize("question", EXCLUSIVE)
def test_periods_that_exclude_each_other_are_refused(question: str) -> None:
    with pytest.raises(InputError) as caught:
        find_period(question, now=NOW)
    assert set(re.findall(r"\d{4}", question)) <= set(re.findall(r"\d{4}", str(caught.value)))
    assert "\n" not in str(caught.value)
