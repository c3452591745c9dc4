"""How surely the pairs compared for a question clash.

Claims come as they answer the question, the best first, and so do their pairs: two lines that both
answer it, each in its own way, are what is looked for. So a pair counts by its place, and like
those of a scan by how likely the reader finds that it clashes, and how likely the likeliest other
pair of either claim. A logistic regression weighs them; ``evals/fitting/pair_scoring.py`` fits it.
Pure.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.judge import scan_scoring

WEIGHTS = Path(__file__).with_name("question_scoring.json")
FEATURES = (*scan_scoring.FEATURES, "place")


class QuestionScoring(NamedTuple):
    """The weights of ``FEATURES``; from the confidence ``told`` on a pair is told of.

    From ``outright`` on where a question asks for changes or clashes.
    """

    weights: NDArray[np.float64]
    bias: float
    told: float
    outright: float


@cache
def question_scoring() -> QuestionScoring:
    """What was fitted."""
    return QuestionScoring(*scan_scoring.fitted(WEIGHTS, FEATURES, QuestionScoring._fields))


def features(pairs: Sequence[tuple[int, int]], likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of ``FEATURES`` (pairs × 4): three logits, and the logarithm of the place.

    ``pairs`` are two claims each, ``likely`` how likely each clashes.
    """
    place = np.log1p(np.arange(len(pairs)))
    return np.column_stack([scan_scoring.features(pairs, likely), place])


def confidences(
    pairs: Sequence[tuple[int, int]], likely: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How surely each pair clashes, given all that were read for the question."""
    fitted = question_scoring()
    logits = features(pairs, likely) @ fitted.weights + fitted.bias
    return (1 / (1 + np.exp(-logits))).round(3)
