"""Have questions read as the program itself reads them, and keep how each was read."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache

from agents.interpreter.clarification import clarification
from agents.interpreter.classifiers.head import Vector
from agents.interpreter.interpreter import Interpreter, QuestionContext, make_interpreter
from agents.interpreter.llm import Observer
from agents.interpreter.wording.concepts import Array
from agents.llm.language_model import language_model
from agents.llm.structured import StructuredModel
from evals.datasets.intents import Case, Prediction
from evals.metrics.classification import Outcome
from tools.base import guards
from tools.base.domain import Mode
from tools.base.errors import InputError
from tools.semantic.phrase_tagger import PhraseTagger
from tools.semantic.question import QuestionReader
from tools.settings.settings import ModelSettings

NOTES = 10
"""The number of notes a plan asks for; it has no bearing on how a question is read."""
AT_ONCE = 4
"""Questions under way where each waits for a model."""


def build_interpreter(
    settings: ModelSettings,
    *,
    model: StructuredModel | None = None,
    observe: Observer | None = None,
) -> Interpreter:
    """The interpreter of the program itself, its reader in this process instead of a server.

    Nothing is loaded or connected before it is asked. ``model`` takes the place of the configured
    one; ``observe`` hears each verdict of a model.
    """
    return make_interpreter(
        model
        or language_model(
            url=settings.ollama_url, name=settings.chat_model, timeout=settings.model_timeout
        ),
        read_question=_read_question,
        tag_question=_tag_question,
        name=settings.chat_model,
        observe=observe,
    )


async def _read_question(text: str) -> Vector:
    return _reader().vector(text)


async def _tag_question(text: str) -> Array:
    return _tagger().logits(text)


@cache
def _reader() -> QuestionReader:
    return QuestionReader()


@cache
def _tagger() -> PhraseTagger:
    return PhraseTagger()


async def run_cases(
    cases: Sequence[Case],
    interpret: Interpreter,
    *,
    mode: Mode,
    now: datetime,
    on_outcome: Callable[[Outcome], None] = lambda _: None,
) -> list[Outcome]:
    """The outcomes in the order of the cases; ``on_outcome`` hears each as soon as its turn is.

    A few questions are under way at once where a model reads each of them, and otherwise one, so
    that its milliseconds are its own.
    """
    context = QuestionContext(now=now, limit=NOTES, mode=mode)
    at_once = AT_ONCE if mode == "llm" else 1
    done: list[Outcome] = []
    running: deque[asyncio.Task[Outcome]] = deque()

    async def settle() -> None:
        outcome = await running.popleft()
        done.append(outcome)
        on_outcome(outcome)

    try:
        for case in cases:
            running.append(asyncio.create_task(_read(case, interpret, context)))
            if len(running) == at_once:
                await settle()
        while running:
            await settle()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    return done


async def _read(case: Case, interpret: Interpreter, context: QuestionContext) -> Outcome:
    started = time.perf_counter()
    try:
        plan = await interpret(guards.question(case.query), context)
    except InputError as error:
        prediction = Prediction(
            query=case.query,
            predicted=None,
            confidence=0.0,
            probabilities={},
            clarify=False,
            decided_by=None,
            ms=_since(started),
            error=str(error),
        )
    else:
        took = _since(started)
        prediction = Prediction(
            query=case.query,
            predicted=plan.intent,
            confidence=plan.confidence,
            probabilities=plan.probabilities,
            clarify=clarification(plan) is not None,
            decided_by=plan.decided_by,
            ms=took,
        )
    return Outcome(case=case, prediction=prediction)


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
