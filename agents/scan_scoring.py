"""How surely the pairs of a scan of a whole vault clash: each beside its rivals.

A line that the reader of pairs takes for a clash with many (one that denies, an item of a list)
clashes with few of them; two lines that do contradict each other seldom have a likelier rival. So a
pair counts by how likely the reader finds it that it clashes, and how likely the likeliest other
pair of either claim. A logistic regression weighs them; ``evals/fit_pairs.py`` fits it. Pure.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("scan_scoring.json")
FEATURES = ("clash", "rival", "lesser rival")
WORTH_KEEPING = 0.2
"""How likely the reader must find it that a pair clashes, for it to be kept and to be a rival."""
_MOST = 1 - 1e-4


class ScanScoring(NamedTuple):
    """The weights of ``FEATURES``, and two confidences.

    From ``told`` on a pair is told of, from the lower ``suspected`` on it is kept as less sure.
    """

    weights: NDArray[np.float64]
    bias: float
    told: float
    suspected: float


@cache
def scan_scoring() -> ScanScoring:
    """What was fitted."""
    kept = json.loads(WEIGHTS.read_text("utf-8"))
    weights = np.array([kept["weights"][name] for name in FEATURES])
    return ScanScoring(weights, kept["bias"], kept["told"], kept["suspected"])


def features(pairs: Sequence[tuple[int, int]], likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of ``FEATURES`` (pairs × 3), as logits.

    ``pairs`` are two claims each, ``likely`` how likely each clashes. A rival is no less likely
    than ``WORTH_KEEPING``, so that it does not matter whether a lesser one is known.
    """
    logits = _logit(np.clip(likely, WORTH_KEEPING, _MOST))
    of_claim: dict[int, list[float]] = defaultdict(list)
    for pair, logit in zip(pairs, logits.tolist(), strict=True):
        for claim in pair:
            of_claim[claim].append(logit)
    best = {claim: sorted(own, reverse=True)[:2] for claim, own in of_claim.items()}
    least = float(_logit(np.array(WORTH_KEEPING)))

    def rival(claim: int, logit: float) -> float:
        first, second = [*best[claim], least][:2]
        return second if logit >= first else first

    rivals = [
        sorted((rival(claim, logit) for claim in pair), reverse=True)
        for pair, logit in zip(pairs, logits.tolist(), strict=True)
    ]
    return np.column_stack([logits, np.array(rivals, np.float64).reshape(-1, 2)])


def confidences(
    pairs: Sequence[tuple[int, int]], likely: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How surely each pair clashes, given all that are worth keeping."""
    fitted = scan_scoring()
    logits = features(pairs, likely) @ fitted.weights + fitted.bias
    return (1 / (1 + np.exp(-logits))).round(3)


def _logit(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log(share / (1 - share))
