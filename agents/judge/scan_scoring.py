"""How surely the pairs of a scan of a whole vault clash: each beside its rivals.

A line that the reader of pairs takes for a clash with many (one that denies, an item of a list)
clashes with few of them; two lines that do contradict each other seldom have a likelier rival. So a
pair counts by how likely the reader finds it that it clashes, and how likely the likeliest other
pair of either claim. A logistic regression weighs them; ``evals/fitting/pair_scoring.py`` fits it.
How much clashes differs from vault to vault, so the share that does is estimated from the vault's
own pairs (Saerens, Latinne and Decaestecker 2002, "Adjusting the outputs of a classifier to new a
priori probabilities"). Pure.
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
_AS_ELSEWHERE = 2
"""Pairs that count as seen before any of a vault's own: as many of them clash as elsewhere."""
_ROUNDS, _STILL = 200, 1e-6


class ScanScoring(NamedTuple):
    """The weights of ``FEATURES``, the share of the pairs learned from that clash, and two bounds.

    From the confidence ``told`` on a pair is told of, from the lower ``suspected`` on it is kept as
    less sure.
    """

    weights: NDArray[np.float64]
    bias: float
    prior: float
    told: float
    suspected: float


@cache
def scan_scoring() -> ScanScoring:
    """What was fitted."""
    return ScanScoring(*fitted(WEIGHTS, FEATURES, ScanScoring._fields))


def fitted(
    file: Path, features: Sequence[str], fields: Sequence[str]
) -> tuple[NDArray[np.float64], *tuple[float, ...]]:
    """The weights of some features, in their order, and what else a file keeps of the fields."""
    kept = json.loads(file.read_text("utf-8"))
    weights = np.array([kept["weights"][name] for name in features])
    return weights, *(kept[name] for name in fields if name != "weights")


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
    """How surely each pair clashes, given all of a vault that are worth keeping."""
    fitted = scan_scoring()
    logits = features(pairs, likely) @ fitted.weights + fitted.bias
    return adjusted(1 / (1 + np.exp(-logits)), prior=fitted.prior).round(3)


def adjusted(likely: NDArray[np.float64], *, prior: float) -> NDArray[np.float64]:
    """How likely each pair of a vault clashes, where of other vaults' pairs ``prior`` do.

    Expectation-maximisation: the share that clashes follows from how likely each does, and this
    from the share.
    """
    share, found = prior, likely
    for _ in range(_ROUNDS):
        clash, none = likely * share / prior, (1 - likely) * (1 - share) / (1 - prior)
        found = clash / (clash + none)
        before = share
        share = float((found.sum() + _AS_ELSEWHERE * prior) / (len(found) + _AS_ELSEWHERE))
        if abs(share - before) < _STILL:
            break
    return found


def _logit(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log(share / (1 - share))
