"""How alike words are in what they mean: a vector for each stem that English uses most. Pure.

``wages`` answers a question about pay that shares no word with it. The vectors are those that the
built-in encoder gives the words, brought to a few dimensions by a matrix that
``evals/training/word_similarity.py`` learns from questions and the sentences that answer them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

VECTORS = Path(__file__).with_name("word_vectors.npz")
"""``stems``, joined by spaces; ``vectors`` (stems × dimensions) of 8 bits; ``apart``."""
UNLIKE_ITSELF = 0.95
"""What two words are alike at most: only the same word is the same."""
_QUESTIONS = 8
"""Questions of which it is kept how like each word theirs are."""

type Array = NDArray[np.float32]
type Rows = NDArray[np.int32]


def rows_of(stems: Sequence[str]) -> Rows:
    """Where ``likeness`` has those of the stems that it knows, in their order, behind row 0."""
    places = _kept()[0]
    return np.array([0, *filter(None, map(places.get, dict.fromkeys(stems)))], np.int32)


def frequency_rank(stem: str) -> int:
    """How many stems English uses more often than this one; of an unknown one, all that are known.

    The table has them in the order of their frequency.
    """
    places = _kept()[0]
    return places.get(stem, len(places))


def word_by_word(asked: tuple[str, ...], texts: Sequence[tuple[Rows, Iterable[str]]]) -> Array:
    """How nearly each text (row) has each stem that is asked for (column), in [0, 1]: 1 if it does.

    A text is given as ``rows_of`` its stems, and these.
    """
    places = {stem: place for place, stem in enumerate(asked)}
    starts = list(accumulate((len(rows) for rows, _ in texts[:-1]), initial=0))
    alike = likeness(asked)[np.concatenate([rows for rows, _ in texts])]
    found = np.maximum.reduceat(alike, starts, axis=0)
    for row, (_, said) in enumerate(texts):
        found[row, [places[one] for one in places.keys() & said]] = 1.0
    return found


def vectors_of(texts: Sequence[Mapping[str, float]]) -> Array:
    """The direction of the stems of each text (row), each stem by its weight; zeros of none known.

    A text whose words mean much the same as another's points the same way.
    """
    places, vectors, _ = _kept()
    summed = np.zeros((len(texts), vectors.shape[1]), np.float32)
    for row, text in enumerate(texts):
        rows = [places.get(stem, 0) for stem in text]
        summed[row] = np.array([*text.values()], np.float32) @ vectors[rows]
    lengths = np.linalg.norm(summed, axis=1, keepdims=True)
    return np.asarray(summed / np.maximum(lengths, 1e-9), np.float32)


@lru_cache(maxsize=_QUESTIONS)
def likeness(stems: tuple[str, ...]) -> Array:
    """How like each of some stems (columns) every known one (rows) is, in [0, 1); row 0 is of none.

    A stem that is not known is like no other.
    """
    places, vectors, apart = _kept()
    asked = vectors[[places.get(stem, 0) for stem in stems]]
    # Not ``@``: for a product of this size OpenBLAS has every core wait in a loop for the next one,
    # some 25 ms in which the reader of evidence goes without.
    alike = (np.einsum("nd,qd->nq", vectors, asked) - apart) / (1.0 - apart)
    return np.clip(alike, 0.0, UNLIKE_ITSELF)


@cache
def _kept() -> tuple[dict[str, int], Array, float]:
    with np.load(VECTORS) as kept:
        stems = str(kept["stems"]).split()
        steps = np.asarray(kept["vectors"], np.float32)
        apart = float(kept["apart"])
    lengths = np.linalg.norm(steps, axis=1, keepdims=True)
    vectors = np.vstack([np.zeros_like(steps[:1]), steps / lengths])
    return {stem: row for row, stem in enumerate(stems, 1)}, vectors, apart
