"""Slips of the keyboard in questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.wording.spelling import corrected


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("abuot the defintion of entropy", "about the definition of entropy"),
        ("whihc of them is bettre", "which of them is better"),
        ("diffrence between tea and coffee", "difference between tea and coffee"),
        ("what cuased the fire", "what caused the fire"),
    ],
)
def test_the_words_that_ask_are_put_right(question: str, meant: str) -> None:
    assert corrected(question) == meant


@pytest.mark.parametrize(
    "question",
    ["", "Zettelkasten or Zettelkastn", "what is PARA", "reading notes, mapped", "who is Kovacz?"],
)
def test_names_and_known_words_stay(question: str) -> None:
    assert corrected(question) == question


@given(st.text(max_size=80))
def test_only_words_change(text: str) -> None:
    changed = corrected(text)
    keep = [letter for letter in text if not letter.isalpha() or not letter.isascii()]
    assert [c for c in changed if not c.isalpha() or not c.isascii()] == keep
    assert corrected("") == ""
