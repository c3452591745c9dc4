"""Probabilities of the intents: what makes a question clear, doubtful, or a poor guess."""

import hashlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents.interpreter.classifiers.features import SIZE, read_features
from agents.interpreter.classifiers.head import vector_text
from agents.interpreter.classifiers.intents import (
    DOUBTFUL,
    GUESS,
    SURE,
    WEIGHTS,
    read_intent,
    settled,
)
from tests.support.questions.reading import question_vector
from tools.base.domain import INTENTS, Intent
from tools.semantic.question import ADAPTERS

SHARES = st.lists(st.floats(0.001, 1), min_size=5, max_size=5).map(
    lambda parts: dict(zip(INTENTS, (part / sum(parts) for part in parts), strict=True))
)


@given(SHARES, st.floats(0, 1))
def test_whether_to_ask_depends_on_doubt_and_on_a_poor_guess(
    shares: dict[Intent, float], doubt: float
) -> None:
    found = settled(shares, doubt)
    top = max(shares.values())
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 <= p <= 1 for p in found.values())
    assert (max(found.values()) < SURE) == (doubt >= DOUBTFUL or top < GUESS)


@example(dict.fromkeys(INTENTS, 0.2 - 2**-55), 0.0)
@given(SHARES, st.floats(0, DOUBTFUL, exclude_max=True))
def test_the_likeliest_stays_the_likeliest_where_there_is_no_doubt(
    shares: dict[Intent, float], doubt: float
) -> None:
    found = settled(shares, doubt)
    assert found[max(shares, key=shares.__getitem__)] == max(found.values())


def test_a_sure_share_survives() -> None:
    certain: dict[Intent, float] = {intent: float(intent == "causal") for intent in INTENTS}
    assert settled(certain, 0.0)["causal"] == pytest.approx(1)


def test_what_ships_is_small() -> None:
    assert WEIGHTS.stat().st_size + ADAPTERS.stat().st_size <= 1_000_000


def test_the_words_alone_tell_the_plainest_questions() -> None:
    for question, intent in (
        ("When did I move to Izmir?", "temporal"),
        ("Why did the roof leak?", "causal"),
        ("difference between tea and coffee", "comparative"),
        ("show me everything about sleep", "exploratory"),
        ("what is the capital of Peru", "factual"),
    ):
        found = read_intent(read_features(question), None)
        assert max(found, key=found.__getitem__) == intent


def test_a_long_story_does_not_hide_the_question_at_its_end() -> None:
    story = "We moved the bees in May and it rained all week, so the list got wet. " * 6
    question = f"{story}Why did the second hive die?"
    found = read_intent(read_features(question), question_vector(question))
    assert max(found, key=found.__getitem__) == "causal"


def test_the_encoder_is_given_english() -> None:
    assert vector_text("Why did the roof leak?") == "Why did the roof leak?"
    assert "why" in vector_text("çatı neden akıyor?")


@pytest.mark.parametrize(
    ("question", "digest"),
    [
        ("Why did rent rise?", "02853089dd0701e7"),
        (
            "gold vs lead: which is denser, and since when do my notes on metals say so",
            "f59557884ab8db00",
        ),
        ("Fiyatlar neden arttı", "9d2373a35a04cc0d"),
    ],
)
def test_the_features_are_those_the_weights_were_trained_on(question: str, digest: str) -> None:
    """Whoever changes a feature trains new weights, then writes the new digests here."""
    found = read_features(question)
    listed = sorted(zip(found.places, found.values, strict=True))
    text = " ".join(f"{place}:{value:.6f}" for place, value in listed)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest


@given(st.text(max_size=600))
def test_any_text_has_features(text: str) -> None:
    found = read_features(text)
    assert len(set(found.places)) == len(found.places) == len(found.values)
    assert all(0 <= place < SIZE for place in found.places)
    assert sum(read_intent(found, None).values()) == pytest.approx(1)
