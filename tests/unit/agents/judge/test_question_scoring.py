"""How surely the pairs compared for a question clash, each in its place and beside its rivals."""

import hypothesis
import numpy as np
from hypothesis import strategies as st

from agents.judge.question_scoring import confidences

CLAIMS = [(a, b) for b in range(1, 6) for a in range(b)]


def confidence(*likely: float, pairs: list[tuple[int, int]] = CLAIMS) -> list[float]:
    return confidences(pairs[: len(likely)], np.array(likely, np.float64)).tolist()


@hypothesis.given(st.lists(st.floats(0, 1, allow_nan=False), max_size=len(CLAIMS)))
def test_each_pair_has_a_probability(likely: list[float]) -> None:
    found = confidence(*likely)
    assert len(found) == len(likely)
    assert all(0 <= one <= 1 for one in found)


def test_a_pair_is_the_surer_the_better_both_its_claims_answer() -> None:
    found = confidence(0.9, 0.9, 0.9, pairs=[(0, 1), (2, 3), (4, 5)])
    assert found[0] > found[1] > found[2]


def test_a_pair_is_the_less_sure_the_likelier_its_rivals_are() -> None:
    alone, _ = confidence(0.9, 0.9, pairs=[(0, 1), (2, 3)])
    beside, _ = confidence(0.9, 0.9, pairs=[(0, 1), (0, 2)])
    assert alone > beside


@hypothesis.given(st.floats(0.2, 0.99), st.floats(0.2, 0.99))
def test_what_is_likelier_alone_is_surer(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert confidence(low)[0] <= confidence(high)[0]
