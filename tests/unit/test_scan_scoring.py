"""How surely the pairs of a whole vault clash, each beside its rivals."""

import hypothesis
import numpy as np
from hypothesis import strategies as st

from agents.scan_scoring import WORTH_KEEPING, confidences, scan_scoring

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


def test_it_does_not_matter_whether_a_pair_not_worth_keeping_is_known() -> None:
    assert (
        confidence(0.9, pairs=[(1, 2)])
        == (confidence(0.9, WORTH_KEEPING / 2, pairs=[(1, 2), (1, 3)])[:1])
    )


def test_a_likely_pair_without_rivals_is_told_of_and_an_unlikely_one_is_not_kept() -> None:
    fitted = scan_scoring()
    assert confidence(0.99, pairs=[(1, 2)])[0] >= fitted.told
    assert confidence(WORTH_KEEPING, pairs=[(1, 2)])[0] < fitted.suspected <= fitted.told
