"""What the reader of pairs and the words of a pair come to together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.entailment.contradiction import predict_pair
from agents.judge.pair_scoring import RelationProbabilities, describe_difference, rescored, scoring

SHARES = st.floats(0, 1, allow_nan=False)
CLAIMS = "The rent was 900 euros in 2018.", "The rent was 950 euros in 2023."


def shares(
    contradicts: float, *, changed: float = 0.0, follows: float = 0.0
) -> RelationProbabilities:
    return RelationProbabilities(contradicts, changed, follows, 1 - contradicts - changed - follows)


@given(SHARES, SHARES)
def test_confidence_is_a_probability_and_decides(contradicts: float, follows: float) -> None:
    a, b = "Basil loves company.", "Basil wilts among others."
    found = rescored(predict_pair(a, b), a, b, shares(contradicts, follows=follows))
    assert 0 <= found.confidence <= 1
    assert not found.contradiction or found.confidence >= scoring().told
    assert bool(found.explanation) >= found.contradiction


@pytest.mark.parametrize("contradicts", [0.5, 0.01])
def test_what_the_words_are_sure_of_stands(contradicts: float) -> None:
    a, b = "Basil needs sun.", "Basil needs no sun."
    alone = predict_pair(a, b)
    assert alone.contradiction
    assert rescored(alone, a, b, shares(contradicts)).contradiction


def test_what_clashes_at_two_times_is_a_change_and_no_contradiction() -> None:
    found = rescored(predict_pair(*CLAIMS), *CLAIMS, shares(0.999))
    assert not found.contradiction
    assert found.change > 0.7


def test_two_states_are_a_change_where_their_dates_tell_the_order() -> None:
    a, b = "I work at the mill.", "My job is at the bakery."
    found = rescored(predict_pair(a, b), a, b, shares(0.01, changed=0.98))
    assert found.change
    assert found.contradiction
    assert not rescored(predict_pair(a, b), a, b, shares(0.98)).change


def test_an_explanation_quotes_what_differs_where_that_is_short() -> None:
    a = "Watering it daily helps the tree."
    assert describe_difference(a, "Watering it daily kills the tree.") == (
        "One says “helps”, the other “kills”."
    )
    assert describe_difference(a, "Watering it helps the tree.") == "Only one says “daily”."
    assert "“" not in describe_difference(a, "Never touch a hose near it, said Ann.")
