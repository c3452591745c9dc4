"""The reader of questions: its fast network against the exact one, and what of a text it reads."""

import numpy as np
import pytest

from tests.support.checks.encoder_reference import reference_vectors
from tools.base.errors import StorageError
from tools.semantic import minilm
from tools.semantic.encoder_graph import adapted
from tools.semantic.question import ADAPTERS, MAX_TOKENS, QuestionReader

QUESTIONS = (
    "When did I move to Izmir?",
    "why did the roof leak",
    "difference between tea and coffee",
    "Which of my notes mention Örebro, naïve café and 東京?",
    "x",
)


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader()


def test_whole_numbers_come_near_the_exact_vectors(reader: QuestionReader) -> None:
    with np.load(ADAPTERS) as kept:
        exact = reference_vectors(QUESTIONS, adapted(minilm.weights(), kept))
    fast = np.stack([reader.vector(question) for question in QUESTIONS])
    assert np.abs((fast**2).sum(axis=1) - 1.0).max() < 1e-5
    assert (fast * exact).sum(axis=1).min() > 0.97


def test_questions_are_read_otherwise_than_passages(reader: QuestionReader) -> None:
    [passage] = reference_vectors(QUESTIONS[:1])
    assert float(reader.vector(QUESTIONS[0]) @ passage) < 0.9


def test_a_story_before_the_question_counts_up_to_the_tokens_that_fit(
    reader: QuestionReader,
) -> None:
    end = "garden " * (MAX_TOKENS - 5) + "why did it wither"
    assert np.array_equal(reader.vector(f"Once there was a {end}"), reader.vector(f"I had a {end}"))
    assert not np.array_equal(reader.vector("Why did it wither"), reader.vector(end))


@pytest.mark.parametrize("text", ["", " ", "\ud800", "?" * 5000])
def test_any_text_has_a_vector(reader: QuestionReader, text: str) -> None:
    vector = reader.vector(text)
    assert vector.shape == (384,)
    assert np.isfinite(vector).all()


def test_a_cache_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    with pytest.raises(StorageError, match="Not a directory"):
        QuestionReader()
