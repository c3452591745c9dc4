"""The real reader of questions in this process, for tests that read a question."""

from collections.abc import Set
from datetime import UTC, datetime
from functools import cache
from typing import Any

from agents.interpreter.classifiers.head import Vector, vector_text
from agents.interpreter.interpreter import interpret_locally
from agents.interpreter.plan import parse_question, without_command
from agents.interpreter.wording.concepts import Array, Phrases, read_phrases
from tools.base.domain import QueryPlan
from tools.semantic.phrase_tagger import PhraseTagger
from tools.semantic.question import QuestionReader

_NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)


@cache
def _reader() -> QuestionReader:
    return QuestionReader()


@cache
def question_vector(question: str) -> Vector:
    """The vector that ``interpret_locally`` takes with ``question``."""
    return _reader().vector(vector_text(without_command(question)))


async def read_question(text: str) -> Vector:
    """What ``make_interpreter`` takes to get a vector."""
    return _reader().vector(text)


@cache
def _tagger() -> PhraseTagger:
    return PhraseTagger()


@cache
def question_logits(question: str) -> Array:
    """The logits that ``interpret_locally`` takes with ``question``."""
    return _tagger().logits(without_command(question))


async def tag_question(text: str) -> Array:
    """What ``make_interpreter`` takes to get logits."""
    return _tagger().logits(text)


def phrases_of(question: str, *, names: Set[str] = frozenset()) -> Phrases:
    """What a question is about, compares and excludes."""
    asked = parse_question(question, now=_NOW)
    logits = question_logits(question)
    return read_phrases(asked.text, logits, dates=asked.dates, names=names)


def interpreted(question: str, **given: Any) -> QueryPlan:
    """``interpret_locally`` with the question's logits and its vector."""
    read: dict[str, Any] = {
        "logits": question_logits(question),
        "vector": question_vector(question),
        **given,
    }
    return interpret_locally(question, **read)
