"""How surely the pairs of a whole vault clash, each beside its rivals."""

import hypothesis
import numpy as np
from hypothesis import strategies as st

from agents.judge.scan_scoring import WORTH_KEEPING, adjusted, confidences, features, scan_scoring

PAIRS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(10, 19), st.floats(0, 1, allow_nan=False)), min_size=1
)


def confidence(*likely: float, pairs: list[tuple[int, int]]) -> list[float]:
    return confidences(pairs, np.array(likely)).tolist()


@hypothesis.given(PAIRS)
def test_confidences_are_probabilities_in_the_order_of_the_pairs(
    given: list[tuple[int, int, float]],
) -> None:
    def of(some: list[tuple[int, int, float]]) -> list[float]:
        return confidence(*(likely for *_, likely in some), pairs=[(a, b) for a, b, _ in some])

    assert all(0 <= one <= 1 for one in of(given))
    assert of(given[::-1]) == of(given)[::-1]


def test_no_pairs_have_no_confidences() -> None:
    assert confidence(pairs=[]) == []


def test_a_pair_is_the_less_sure_the_likelier_its_rivals_are() -> None:
    alone = confidence(0.9, pairs=[(1, 2)])[0]
    beside = confidence(0.9, 0.8, pairs=[(1, 2), (1, 3)])[0]
    between = confidence(0.9, 0.8, 0.8, pairs=[(1, 2), (1, 3), (2, 4)])[0]
    assert alone > beside > between


def test_a_rival_not_worth_keeping_is_as_good_as_none() -> None:
    alone = features([(1, 2)], np.array([0.9]))
    beside = features([(1, 2), (1, 3)], np.array([0.9, WORTH_KEEPING / 2]))
    assert beside[:1].tolist() == alone.tolist()


@hypothesis.given(
    st.lists(st.floats(0, 1, allow_nan=False), max_size=50), st.floats(0.01, 0.99, allow_nan=False)
)
def test_adjusted_to_a_vault_pairs_stay_probabilities_in_their_order(
    likely: list[float], prior: float
) -> None:
    found = adjusted(np.array(sorted(likely)), prior=prior)
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) >= -1e-9).all()


def test_a_pair_is_the_surer_the_more_of_its_vault_clashes() -> None:
    quiet = adjusted(np.array([0.6, *[0.05] * 50]), prior=0.2)[0]
    loud = adjusted(np.array([0.6, *[0.95] * 50]), prior=0.2)[0]
    assert quiet < 0.6 < loud


def test_a_likely_pair_without_rivals_is_told_of_and_an_unlikely_one_is_not_kept() -> None:
    fitted = scan_scoring()
    assert confidence(0.99, pairs=[(1, 2)])[0] >= fitted.told
    assert confidence(WORTH_KEEPING, pairs=[(1, 2)])[0] < fitted.suspected <= fitted.told
