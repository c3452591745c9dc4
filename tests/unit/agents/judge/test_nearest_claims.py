"""Which claims of a whole vault are compared: those nearer to each other than to others."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from agents.judge.nearest_claims import NEAREST, nearest_pairs


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def silent(places: Sequence[int]) -> list[list[str]]:
    return [[] for _ in places]


def pairs_among(
    vectors: NDArray[np.float32],
    notes: NDArray[np.int64],
    said: Callable[[Sequence[int]], list[list[str]]] = silent,
    *,
    rows: Sequence[int] | None = None,
    most: int,
) -> list[tuple[int, int]]:
    new = np.arange(len(vectors)) if rows is None else np.array(rows)
    crowd = np.zeros(len(vectors), np.float32)
    return nearest_pairs(new, vectors, notes, crowd, said, most=most).pairs


@given(st.integers(0, 60), st.integers(1, 12), st.integers(0, 1000), st.integers(0, 2000))
def test_pairs_are_of_two_notes_and_no_more_than_asked_for(
    claims: int, notes: int, seed: int, most: int
) -> None:
    rng = np.random.default_rng(seed)
    vectors, of = unit(rng.normal(size=(claims, 4))), rng.integers(0, notes, claims)
    found = pairs_among(vectors, of, most=most)
    assert found == sorted(set(found))
    assert len(found) <= min(most, NEAREST * claims)
    for one, other in found:
        assert one < other
        assert of[one] != of[other]


def test_only_the_rows_asked_for_are_compared_with_all() -> None:
    vectors = np.ones((3, 1), np.float32)
    found = pairs_among(vectors, np.array([1, 2, 3]), rows=[2], most=9)
    assert found == [(0, 2), (1, 2)]


def test_two_lines_of_one_matter_come_before_those_that_are_near_to_many() -> None:
    rng = np.random.default_rng(0)
    log = rng.normal(size=(1, 32)) + rng.normal(size=(40, 32)) * 0.1
    matter = rng.normal(size=(1, 32)) + rng.normal(size=(2, 32)) * 0.3
    vectors = unit(np.concatenate([log, matter]))
    assert pairs_among(vectors, np.arange(42), most=1) == [(40, 41)]


def test_a_new_line_meets_those_compared_before_by_how_near_others_were_to_them() -> None:
    rng = np.random.default_rng(0)
    log, matter = np.eye(32)[:2]
    logged = unit(log + rng.normal(size=(12, 32)) * 0.02)
    before = np.concatenate([logged, unit(matter[None, :])])
    vectors = np.concatenate([before, unit((1.1 * log + matter)[None, :])])
    notes, none, new = np.arange(14), np.zeros(14, np.float32), np.array([13])
    crowd = np.append(nearest_pairs(notes[:13], before, notes[:13], none, silent, most=9).crowd, 0)
    assert nearest_pairs(new, vectors, notes, crowd, silent, most=1).pairs == [(12, 13)]
    assert nearest_pairs(new, vectors, notes, none, silent, most=1).pairs != [(12, 13)]


def test_a_new_line_of_a_large_vault_finds_its_like_wherever_that_stands() -> None:
    rng = np.random.default_rng(0)
    vectors = unit(rng.normal(size=(30_000, 8)))
    vectors[29_999] = vectors[7]
    assert pairs_among(vectors, np.arange(30_000), rows=[29_999], most=1) == [(7, 29_999)]


@pytest.mark.parametrize("new", [1_200, pytest.param(24_000, marks=pytest.mark.torture)])
def test_of_a_large_vault_the_nearest_are_found_in_cells(new: int) -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(size=(12_000, 16))
    both = unit(np.concatenate([first, first + rng.normal(size=first.shape) * 0.02]))
    alike = min(new, 12_000)
    found = set(pairs_among(both, np.arange(24_000), rows=range(new), most=alike))
    assert len(found & {(at, at + 12_000) for at in range(alike)}) > 0.916 * alike


def test_of_lines_equally_near_those_with_rare_words_in_common_come_first() -> None:
    lines = ["the key is here", "the kiln is here", "the kiln is gone", "the tray is here"]
    vectors = unit(np.random.default_rng(0).normal(size=(1, 8)) + np.zeros((4, 8)))

    def said(places: Sequence[int]) -> list[list[str]]:
        return [lines[at].split() for at in places]

    assert pairs_among(vectors, np.arange(4), said, most=1) == [(1, 2)]
