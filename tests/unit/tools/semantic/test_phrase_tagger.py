"""The tagger of questions: a row for each piece, whatever the text and whoever typed it."""

import numpy as np
import pytest

from tools.base.errors import StorageError
from tools.semantic.phrase_tagger import LOGITS, MAX_TOKENS, PhraseTagger


@pytest.fixture(scope="module")
def tagger() -> PhraseTagger:
    return PhraseTagger()


@pytest.mark.parametrize("text", ["", " ", "\ud800", "?" * 5000, "🍵 東京 naïve", "İSTANBUL'un ğ"])
def test_any_text_has_logits(tagger: PhraseTagger, text: str) -> None:
    rows = tagger.logits(text)
    assert rows.shape == (len(rows), 2 + LOGITS)
    assert np.isfinite(rows).all()
    starts, ends = rows[:, 0], rows[:, 1]
    assert ((starts >= 0) & (starts <= ends) & (ends <= max(1, len(text)))).all()


def test_of_a_long_question_the_end_has_rows(tagger: PhraseTagger) -> None:
    question = "garden " * 300 + "why did it wither?"
    rows = tagger.logits(question)
    assert len(rows) == MAX_TOKENS
    assert rows[:, 1].max() == len(question)


def test_turkish_letters_make_no_difference(tagger: PhraseTagger) -> None:
    assert np.array_equal(
        tagger.logits("IĞDIR'ı özlüyor muyum"), tagger.logits("igdir'i ozluyor muyum")
    )


def test_a_cache_that_cannot_be_written_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    with pytest.raises(StorageError, match="Not a directory"):
        PhraseTagger()
