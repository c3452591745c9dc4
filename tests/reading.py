"""The real reader of questions in this process, for tests that read a question."""

from functools import cache

from agents.intents import Vector, vector_text
from tools.semantic.question import QuestionReader


@cache
def _reader() -> QuestionReader:
    return QuestionReader()


@cache
def question_vector(question: str) -> Vector:
    """The vector that ``interpret_locally`` takes with ``question``."""
    return _reader().vector(vector_text(question))


async def read_question(text: str) -> Vector:
    """What ``make_interpreter`` takes to get a vector."""
    return _reader().vector(text)
