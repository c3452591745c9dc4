"""What a reply to a question back means."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.clarification import clarification
from agents.interpreter.interpreter import interpret_locally
from agents.interpreter.plan import with_reading
from graphs.query.replies import agreed, check_number, chosen
from tools.base.domain import Clarification, ClarificationOption, QueryPlan, QuestionReading
from tools.base.errors import InputError

PLAN = interpret_locally("Tell me about basil", now=datetime(2025, 6, 18, tzinfo=UTC))
ASKED = Clarification(
    question="Which of these do you want?",
    options=(
        ClarificationOption(number=1, label="A short answer", intent="factual"),
        ClarificationOption(number=2, label="A timeline", intent="temporal"),
    ),
)
WITH_WHAT = Clarification(question="What should basil be compared with?", options=())


def comparison() -> QueryPlan:
    return replace(PLAN, intent="comparative", confidence=1.0, subjects=("basil",))


@pytest.mark.parametrize("reply", ["2", " 2 ", 2])
def test_a_number_takes_the_options_intent(reply: object) -> None:
    plan = chosen(PLAN, ASKED, reply)
    assert plan is not None
    assert (plan.intent, plan.decided_by, plan.confidence) == ("temporal", "user", 1.0)
    assert (plan.format, plan.query) == ("timeline", PLAN.query)
    assert clarification(plan) is None


@pytest.mark.parametrize("reply", ["", "3", "0", "-1", "two", "1.0", None, True, "1 or 2", []])
def test_anything_else_chooses_nothing(reply: object) -> None:
    assert chosen(PLAN, ASKED, reply) is None


def test_a_subject_completes_a_comparison() -> None:
    plan = chosen(comparison(), WITH_WHAT, "  Thai basil ")
    assert plan is not None
    assert plan.subjects == ("basil", "Thai basil")
    assert clarification(plan) is None


@pytest.mark.parametrize("reply", ["", "   ", "[]{}$;|", "\x1b[31m"])
def test_a_reply_without_a_word_is_no_subject(reply: str) -> None:
    assert chosen(comparison(), WITH_WHAT, reply) is None


@given(st.text(max_size=150))
def test_a_subject_never_carries_what_a_query_could_trip_over(reply: str) -> None:
    plan = chosen(comparison(), WITH_WHAT, reply)
    if plan is not None:
        assert not set(plan.subjects[-1]) & set('<>{}()[]\\/`"$;|\n\x1b')
        assert len(plan.subjects[-1]) <= 100


@pytest.mark.parametrize("reply", ["1", 1, "y", "Yes", " YES ", True, "e", "Evet"])
def test_a_yes_in_two_languages(reply: object) -> None:
    assert agreed(reply) is True


@pytest.mark.parametrize("reply", ["2", 2, "n", "No", False, "h", "hayır", "Hayır"])
def test_a_no_in_two_languages(reply: object) -> None:
    assert agreed(reply) is False


@pytest.mark.parametrize("reply", ["", "maybe", "12", None, "3", {}, "yes no"])
def test_neither_yes_nor_no(reply: object) -> None:
    assert agreed(reply) is None


@pytest.mark.parametrize("reply", ["HAYIR", "hayir"])
def test_a_no_in_turkish_capitals_or_without_accents(reply: str) -> None:
    assert agreed(reply) is False


@given(st.integers(1, 9), st.integers(-20, 20))
def test_only_numbers_of_options_pass(options: int, number: int) -> None:
    if 1 <= number <= options:
        check_number(f" {number} ", options=options)
    else:
        with pytest.raises(InputError, match=rf"\b1\b.*\b{options}\b"):
            check_number(str(number), options=options)


@pytest.mark.parametrize("reply", ["", "one", "1.0", "²", "1\n2", "\x1b[31m1", "x" * 500])
def test_a_reply_that_is_no_number_is_refused_in_one_short_line(reply: str) -> None:
    with pytest.raises(InputError) as caught:
        check_number(reply, options=2)
    message = str(caught.value)
    assert "\n" not in message
    assert "\x1b" not in message
    assert len(message) < 150


@given(st.text(alphabet="0123٢² -+_", max_size=3))
def test_a_reply_that_passes_chooses(reply: str) -> None:
    try:
        check_number(reply, options=len(ASKED.options))
    except InputError:
        return
    assert chosen(PLAN, ASKED, reply) is not None


def test_a_plan_kept_without_a_reading_is_read_anew() -> None:
    kept = replace(PLAN, reading=QuestionReading())
    assert with_reading(kept) == replace(PLAN, reading=replace(PLAN.reading, compared=()))
