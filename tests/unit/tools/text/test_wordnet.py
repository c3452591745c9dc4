"""How English words stand to each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.text.wordnet import word_relation

WORDS = st.sampled_from(
    [
        *("violin", "cello", "instrument", "small", "little", "large", "oak", "tree", "opens"),
        *("closes", "children", "kids", "ran", "walked", "always", "never", "blue", "red", "xyzzy"),
    ]
)
TURNED = {"narrower": "wider", "wider": "narrower"}


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("violin", "cello", "sibling"),
        ("violin", "instrument", "narrower"),
        ("trees", "oak", "wider"),
        ("small", "little", "synonym"),
        ("children", "kid", "synonym"),
        ("tiny", "large", "opposite"),
        ("opened", "closes", "opposite"),
        ("ran", "walking", "sibling"),
        ("table", "melody", None),
        ("xyzzy", "tree", None),
    ],
)
def test_relations_of_words_in_any_form(one: str, other: str, relation: str | None) -> None:
    assert word_relation(one, other) == relation


@given(WORDS, WORDS)
def test_the_other_way_round_says_the_same(one: str, other: str) -> None:
    found = word_relation(one, other)
    assert word_relation(other, one) == (TURNED.get(found, found) if found else None)


@pytest.mark.parametrize("word", ["violin", "violins", "ran", "children"])
def test_forms_of_a_word_have_no_relation(word: str) -> None:
    assert word_relation(word, word) is None
    assert word_relation("run", "running") is None
