"""How long reading dates may take, in time of the processor."""

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.values.dates import NOW, WORDS
from tools.base.errors import InputError
from tools.temporal.periods.question_period import find_period


@pytest.fixture(scope="module", autouse=True)
def _patterns() -> None:  # pyright: ignore[reportUnusedFunction]
    """The first date of a process compiles the patterns; that is not what is measured here."""
    find_period("the first week of May 2024", now=NOW)


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
    st.sampled_from([" ", "  ", "-", ", ", "\t", ""]),
    st.integers(min_value=1, max_value=60),
)
@settings(deadline=None)
def test_long_noisy_text_is_read_without_delay(words: list[str], joint: str, repeated: int) -> None:
    text = joint.join(words * repeated)
    started = time.process_time()
    try:
        found = find_period(text, now=NOW)
    except InputError:
        found = None
    assert time.process_time() - started < 0.5
    assert found is None or text[slice(*found.span)] == found.phrase


@pytest.mark.parametrize(
    "noise", ["12 ", " ", "the first ", "2024-", "last week of ", "may ", "'s "]
)
def test_the_time_grows_with_the_length_alone(noise: str) -> None:
    question = noise * 4000
    started = time.process_time()
    with suppress(InputError):
        find_period(question, now=NOW)
    assert time.process_time() - started < 2


def test_a_question_without_a_date_costs_next_to_nothing() -> None:
    question = "What are the main ideas behind evergreen notes and how do they connect?"
    best = min(_seconds(question, runs=50) for _ in range(5))
    assert best / 50 < 0.001


def _seconds(question: str, *, runs: int) -> float:
    started = time.process_time()
    for _ in range(runs):
        find_period(question, now=NOW)
    return time.process_time() - started
