"""Exact match of parameters and dates."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.interpreter import Interpreter, QuestionContext, make_interpreter
from evals.interpretation.parameters import (
    Check,
    DateCase,
    ParameterCase,
    check_dates,
    check_parameters,
    share,
    shares,
)
from evals.metrics.classification import Share
from tests.support.questions.reading import read_question, tag_question
from tools.base.domain import QueryPlan
from tools.base.errors import InputError

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
_local = make_interpreter(None, read_question=read_question, tag_question=tag_question)


def reading(**plan: Any) -> Interpreter:
    """An interpreter that finds these parameters in every question."""

    async def interpret(question: str, context: QuestionContext) -> QueryPlan:
        found = await _local(question, context)
        return found if question == "Zettelkasten" else replace(found, **plan)

    return interpret


def case(**expected: object) -> ParameterCase:
    fields = {"query": "Compare A and B", "language": "en", "intent": "comparative", **expected}
    return ParameterCase.model_validate(fields)


async def verdicts(expected: ParameterCase, **found: Any) -> dict[str, bool]:
    checks = await check_parameters([expected], reading(**found), now=NOW)
    return {check.name: check.right for check in checks}


async def test_names_match_in_any_order_and_case_but_all_of_them() -> None:
    expected = case(concepts=["Spaced Repetition", "PARA"], subjects=["A", "B"])
    same = await verdicts(expected, concepts=("para", "spaced repetition"), subjects=("B", "A"))
    assert same == {"threshold": True, "concepts": True, "subjects": True}
    fewer = await verdicts(expected, concepts=("para",), subjects=("A", "B", "C"))
    assert (fewer["concepts"], fewer["subjects"]) == (False, False)


async def test_what_is_absent_is_not_looked_at() -> None:
    assert set(await verdicts(case())) == {"threshold"}
    assert await verdicts(case(concepts=[]), concepts=()) == {"threshold": True, "concepts": True}


@pytest.mark.parametrize(
    ("found", "right"),
    [(("sleep", "TEA"), True), (("sleep",), False), ((), False), (("sleep", "tea", "mud"), False)],
)
async def test_what_is_ruled_out_is_all_that_and_nothing_else(
    found: tuple[str, ...], right: bool
) -> None:
    expected = case(excluded=["Tea", "Sleep"])
    assert (await verdicts(expected, excluded=found))["excluded"] is right
    assert (await verdicts(case(excluded=[]), excluded=found))["excluded"] is (found == ())


async def test_no_threshold_means_that_of_the_intent() -> None:
    usual = await _local("x", QuestionContext(now=NOW, limit=1, forced_intent="comparative"))
    assert (await verdicts(case(), similarity_threshold=usual.similarity_threshold))["threshold"]
    assert not (await verdicts(case(), similarity_threshold=0.81))["threshold"]
    assert (await verdicts(case(threshold=0.8), similarity_threshold=0.8))["threshold"]


async def test_a_refused_question_is_wrong_in_all_that_was_looked_at() -> None:
    async def refuse(question: str, context: QuestionContext) -> QueryPlan:
        raise InputError("this date cannot be used")

    checks = await check_parameters([case(concepts=["a"])], refuse, now=NOW)
    assert [(check.name, check.right) for check in checks] == [
        ("threshold", False),
        ("concepts", False),
    ]
    assert "cannot be used" in checks[0].found


async def test_dates_are_right_when_both_ends_of_the_plans_period_are() -> None:
    async def checked(query: str, start: date | None, end: date | None) -> Check:
        dated = DateCase(query=query, language="en", now=NOW, start=start, end=end, kind="k")
        return (await check_dates([dated], _local))[0]

    assert (await checked("notes of May 2024", date(2024, 5, 1), date(2024, 6, 1))).right
    assert (await checked("What is sleep?", None, None)).right
    late = await checked("notes of May 2024", date(2024, 5, 1), date(2024, 6, 2))
    assert (late.right, late.found) == (False, "2024-05-01 to 2024-06-01")
    assert (await checked("notes since May 2024", date(2024, 5, 1), None)).right
    refused = await checked("notes of 2024-02-31", date(2024, 2, 29), date(2024, 3, 1))
    assert (refused.right, refused.found[:9]) == (False, "refused: ")
    both = "What did I think in 2022 about the 2019 election?"
    assert (await checked(both, date(2019, 1, 1), date(2020, 1, 1))).right


async def test_an_unusable_date_may_be_refused_or_passed_over() -> None:
    cases = [
        DateCase(query=query, language="en", now=NOW, start=None, end=None, kind="refused")
        for query in ("notes of 2024-02-31", "notes of 1899", "notes of 2024-02-28")
    ]
    checks = await check_dates(cases, _local)
    assert [check.right for check in checks] == [True, True, False]


@given(
    st.lists(
        st.builds(
            Check,
            query=st.just("q"),
            language=st.sampled_from(["en", "tr"]),
            name=st.sampled_from(["day", "week"]),
            expected=st.just("e"),
            found=st.just("f"),
            right=st.booleans(),
        ),
        min_size=1,
    )
)
def test_the_groups_add_up_to_all(checks: list[Check]) -> None:
    groups = shares(checks).values()
    whole = Share(hits=sum(g.hits for g in groups), count=sum(g.count for g in groups))
    assert whole == share(checks)
