"""How much of what is asked a text has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.evidence.coverage import coverage, having_all

WORDS = st.sampled_from((
    *("study", "studies", "studied", "went", "go", "people", "person", "ran", "İstanbul"),
    *("Ada's", "Ada'nın", "note", "notes", "self-control", "control", "boxes", "box", "is", "y"),
    *("ferries", "ferry", "planned", "plan", "ﬁnd", "found", "categories", "7", "#tag/part"),
))  # fmt: skip


@given(st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=5).map(" ".join))
def test_a_text_has_all_words_where_its_coverage_is_1(words: list[str], text: str) -> None:
    assert having_all(words)(text) == (coverage(text, words) == 1)


@pytest.mark.parametrize(
    ("word", "text"),
    [("go", "We went home."), ("person", "PEOPLE!"), ("study", "two studies"), ("fly", "it flies")],
)
def test_another_form_of_a_word_is_that_word(word: str, text: str) -> None:
    assert having_all([word])(text)
