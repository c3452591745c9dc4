"""In which language a question is asked."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.text.other_languages import other_language

TRAIN = Path(__file__).parents[4] / "evals" / "data" / "intents" / "train"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Was ist ein Zettelkasten?", "German"),
        ("Pourquoi le pain est-il dense ?", "French"),
        ("¿Qué es la memoria espaciada?", "Spanish"),
        ("что такое заметки", "Russian"),
        ("ノートとは何ですか", "Japanese"),
        ("Wat weet ik over slaap", "Dutch"),
    ],
)
def test_another_language_is_named(question: str, language: str) -> None:
    assert other_language(question) == language


@pytest.mark.parametrize(
    "question",
    ["", "?!", "🙂🙂🙂", "Zettelkasten", "der Tee", "Why was my bread dense?", "uyku neden önemli"],
)
def test_english_turkish_and_too_little_have_none(question: str) -> None:
    assert other_language(question) is None


@pytest.mark.parametrize("file", ["en_plain.jsonl", "tr_plain.jsonl"])
def test_written_questions_are_not_taken_for_another_language(file: str) -> None:
    lines = (TRAIN / file).read_text("utf-8").splitlines()
    assert [q for q in (json.loads(line)["query"] for line in lines) if other_language(q)] == []


@given(st.text(max_size=120))
def test_any_text_is_taken(text: str) -> None:
    other_language(text)
