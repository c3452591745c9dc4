"""Which claims of a whole vault are compared: those nearest in meaning, of other notes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agents.nearest_claims import LEAST_COSINE, NEAREST, nearest_pairs


@given(st.integers(0, 60), st.integers(1, 12), st.integers(0, 1000))
def test_pairs_are_near_of_two_notes_and_few(claims: int, notes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(claims, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    of = rng.integers(0, notes, claims)
    found = nearest_pairs(np.arange(claims), vectors, of)
    assert found == sorted(set(found))
    assert len(found) <= NEAREST * claims
    for one, other in found:
        assert one < other
        assert of[one] != of[other]
        assert vectors[one] @ vectors[other] >= LEAST_COSINE - 1e-6


def test_only_the_rows_asked_for_are_compared_with_all() -> None:
    vectors = np.ones((3, 1), np.float32)
    assert nearest_pairs(np.array([2]), vectors, np.array([1, 2, 3])) == [(0, 2), (1, 2)]
