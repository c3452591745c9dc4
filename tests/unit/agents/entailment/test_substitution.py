"""Claims that are one but for a phrase: which phrases exclude each other, and where they do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.entailment.contradiction import predict_pair
from tools.claims.kinds import rivals

NAMES = st.sampled_from(["beer", "wine", "norway", "oslo", "oak", "cat", "dog", "poodle", "red"])


@given(NAMES, NAMES)
def test_rivals_are_so_from_either_side_and_nothing_is_its_own(one: str, other: str) -> None:
    assert rivals(one, other) == rivals(other, one)
    assert rivals(one, one) is None


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("beer", "wine", "drink"),
        ("norway", "portugal", "country"),
        ("paris", "norway", None),
        ("north korean", "chinese", "nationality"),
        ("dog", "poodle", None),  # one of them
        ("violin", "fiddle", None),  # the same
        ("cake", "cupcake", None),
        ("beer", "nosuchword", None),
    ],
)
def test_members_of_a_kind_exclude_each_other(one: str, other: str, kind: str | None) -> None:
    assert rivals(one, other) == kind


@pytest.mark.parametrize(
    ("a", "b", "explained"),
    [
        (
            "The parcel came from Lisbon.",
            "The parcel came from Oslo.",
            "One says “Lisbon”, the other “Oslo”.",
        ),
        (
            "The shed stands behind the house.",
            "The shed stands in front of the house.",
            "One says “behind”, the other “in front of”.",
        ),
        (
            "A woman is in an office with a letter.",
            "A woman is in a garage with a letter.",
            "One says “office”, the other “garage”.",
        ),
    ],
)
def test_the_explanation_names_both_phrases(a: str, b: str, explained: str) -> None:
    for one, other in ((a, b), (b, a)):
        found = predict_pair(one, other)
        assert found.contradiction
    assert predict_pair(a, b).explanation == explained


def test_two_ranks_are_two_values() -> None:
    found = predict_pair("Our team came in the 3rd place.", "Our team came in the sixteenth place.")
    assert (found.contradiction, found.type) == (True, "conflicting_values")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        # More may be true at once: who likes, visits or contains one thing may others.
        ("We like tea in the morning.", "We like coffee in the morning."),
        ("The soup contains beer in the end.", "The soup contains wine in the end."),
        # The subjects are two.
        ("Basil is kept on a sunny sill.", "Mint is kept on a sunny sill."),
        ("The red fern is in the corner.", "The green fern is in the corner."),
        # Examples, questions and guesses.
        ("Its ports are many, including Oslo.", "Its ports are many, including Lisbon."),
        ("The key is in the kitchen today.", "Is the key in the bathroom today?"),
        ("The key may be in the kitchen.", "The key may be in the bathroom."),
        # What is denied is one of many: both deny, or what is denied leaves room for the other.
        ("The parcel did not come from Lisbon.", "The parcel did not come from Oslo."),
        ("The door is not blue.", "The door is green."),
        ("The door is not blue.", "The door is not green."),
        ("The door is not always blue.", "The door is always green."),
        # More than a phrase apart.
        ("The key is in Oslo with Mira.", "The old lamp is in Lisbon with Jon."),
    ],
)
def test_what_may_both_be_true_is_no_contradiction(a: str, b: str) -> None:
    assert not predict_pair(a, b).contradiction
    assert not predict_pair(b, a).contradiction


@pytest.mark.parametrize("other", ["The door is green.", "The door is not blue."])
def test_another_value_and_a_denial_of_this_one_contradict_it(other: str) -> None:
    assert predict_pair("The door is blue.", other).contradiction
    assert predict_pair(other, "The door is blue.").contradiction
