"""Of which type a link from one note to another would be, and how likely it is.

A softmax regression over the vectors of two excerpts, how each is written and what both have
(``tools/links/excerpt_features.py``), fitted on pairs written for it and on pairs of real notes,
most of which are of no type; each writer and each vault left out once
(``evals/fitting/link_types.py``). It knows English, and the built-in encoders. Pure.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tools.links.excerpt_features import Excerpt, pair_features
from tools.links.kinds import LinkType

WEIGHTS = Path(__file__).with_name("relation.npz")
RELATIONS: tuple[str, ...] = get_args(LinkType)
"""In the order of the weights."""
OUTCOMES = (*RELATIONS, "none")
"""What a pair may be: of one of the types, or on one topic and of none."""
SHOWN = 0.8
"""How likely a type must be to be shown: of written pairs left out all were right then."""
NEVER_SHOWN = "contradicts"
"""The one type that was told so surely of real notes of vaults left out, wrongly: 3 of 425."""
FARTHEST = 3.0
"""Standard deviations at which a feature is cut: a note may be longer than any that was learned."""
VECTORS = 3
"""Vectors among the features of a pair: of both excerpts, and how far they are apart."""
OTHERS = 1.5
"""What the other features count more than those of the vectors, chosen by leaving writers out."""

type Matrix = NDArray[np.float64]


class RelationWeights(NamedTuple):
    """A scaled regression: features are brought to mean 0 and deviation 1, then weighed."""

    mean: Matrix
    deviation: Matrix
    weights: Matrix
    bias: Matrix


class Relation(NamedTuple):
    """``type`` is one of ``RELATIONS``; the probability is its share of all ``OUTCOMES``."""

    type: str
    probability: float


def scaled(features: Matrix, mean: Matrix, deviation: Matrix, *, dimensions: int) -> Matrix:
    """Features as the regression weighs them; ``dimensions`` are those of a vector."""
    found = np.clip((features - mean) / deviation, -FARTHEST, FARTHEST)
    found[:, : -VECTORS * dimensions] *= OTHERS
    return found


def logits(features: Matrix, fitted: RelationWeights, *, dimensions: int) -> Matrix:
    """A score for each outcome (pairs × outcomes): of two, the difference is the log of odds."""
    values = scaled(features, fitted.mean, fitted.deviation, dimensions=dimensions)
    return values @ fitted.weights + fitted.bias


def shares(scores: Matrix, temperature: float = 1.0) -> Matrix:
    """How likely each outcome of each pair is, given its scores divided by ``temperature``."""
    found = np.exp((scores - scores.max(1, keepdims=True)) / temperature)
    return found / found.sum(1, keepdims=True)


@cache
def _fitted() -> dict[str, RelationWeights]:
    """What was fitted, by the encoder of the vectors."""
    with np.load(WEIGHTS) as kept:
        names = {name.rpartition("/")[0] for name in kept.files}
        return {
            name: RelationWeights(
                *(kept[f"{name}/{part}"].astype(np.float64) for part in RelationWeights._fields)
            )
            for name in names
        }


def likeliest(pairs: Sequence[tuple[Excerpt, Excerpt]], *, encoder: str) -> list[Relation] | None:
    """For each pair the likeliest "first <type> second"; None where the encoder is another."""
    fitted = _fitted().get(encoder)
    if fitted is None:
        return None
    if not pairs:
        return []
    scores = logits(pair_features(pairs), fitted, dimensions=len(pairs[0][0].vector))
    found = shares(scores)[:, : len(RELATIONS)]
    return [Relation(RELATIONS[int(row.argmax())], float(row.max())) for row in found]
