"""Having questions read: order, how many at once, what is refused, and what counts as asked."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agents.interpreter.interpreter import QuestionContext, make_interpreter
from evals.datasets.intents import Case
from evals.interpretation.intents import AT_ONCE, run_cases
from evals.metrics.classification import Outcome
from tests.support.questions.reading import read_question, tag_question
from tools.base.domain import Mode, QueryPlan
from tools.base.errors import InputError

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
CASES = [Case(query=f"question {number}") for number in range(12)]
_local = make_interpreter(None, read_question=read_question, tag_question=tag_question)


class Waiting:
    """An interpreter whose later questions are ready first."""

    def __init__(self) -> None:
        self.running = self.most = 0

    async def __call__(self, question: str, context: QuestionContext) -> QueryPlan:
        self.running += 1
        self.most = max(self.most, self.running)
        for _ in range(20 - int(question.split()[1])):
            await asyncio.sleep(0)
        self.running -= 1
        return await _local(question, replace(context, mode="local"))


@pytest.mark.parametrize(("mode", "most"), [("local", 1), ("auto", 1), ("llm", AT_ONCE)])
async def test_outcomes_come_in_order_and_few_at_once(mode: Mode, most: int) -> None:
    interpret, heard = Waiting(), list[str]()

    def hear(outcome: Outcome) -> None:
        heard.append(outcome.prediction.query)

    outcomes = await run_cases(CASES, interpret, mode=mode, now=NOW, on_outcome=hear)
    assert [one.case for one in outcomes] == CASES
    assert heard == [case.query for case in CASES]
    assert interpret.most == most


async def test_a_refused_question_says_why_and_the_others_are_read() -> None:
    cases = [
        Case(query="What did I write on 2024-02-31?", intent="temporal"),
        Case(query="x" * 2001, intent="factual"),
        Case(query="What is sleep?", intent="factual"),
    ]
    outcomes = await run_cases(cases, _local, mode="local", now=NOW)
    date, long, fine = (one.prediction for one in outcomes)
    assert (date.predicted, date.decided_by, date.probabilities) == (None, None, {})
    assert "2024-02-31" in (date.error or "")
    assert "2001 characters" in (long.error or "")
    assert (fine.predicted, fine.error) == ("factual", None)
    assert [one.right for one in outcomes] == [False, False, True]


async def test_a_missing_reading_and_a_missing_side_are_both_asked_back() -> None:
    cases = [Case(query="Tell me about sleep"), Case(query="compare Zettelkasten")]
    outcomes = await run_cases(cases, _local, mode="local", now=NOW)
    assert [outcome.prediction.clarify for outcome in outcomes] == [True, True]


async def test_a_failure_ends_the_run_and_leaves_nothing_running() -> None:
    class Broken(Waiting):
        async def __call__(self, question: str, context: QuestionContext) -> QueryPlan:
            if question == "question 3":
                raise ZeroDivisionError
            return await super().__call__(question, context)

    before = asyncio.all_tasks()
    with pytest.raises(ZeroDivisionError):
        await run_cases(CASES, Broken(), mode="auto", now=NOW)
    assert asyncio.all_tasks() == before


async def test_a_questions_time_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions that take 0, 1, 2 … seconds, the refused ones too, by a clock of the test's own."""
    now = 100.0
    monkeypatch.setattr("evals.interpretation.intents.time.perf_counter", lambda: now)

    async def take(question: str, context: QuestionContext) -> QueryPlan:
        nonlocal now
        number = int(question.split()[1])
        plan = await _local(question, context)
        now += number
        if number % 2:
            raise InputError("no")
        return plan

    outcomes = await run_cases(CASES, take, mode="local", now=NOW)
    assert [one.prediction.ms for one in outcomes] == [1000 * n for n in range(len(CASES))]
