"""The ranking of suggested links, fitted to what a person accepted and rejected. Pure.

Both steps are logistic regressions whose prior is what ships (maximum a posteriori), so that few
decisions move nothing far and many are followed: first how much each weight counts to this person,
then which share of what is promised so comes true.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.linker.ranking import Ranking, shipped
from tools.links.signals import FEATURES, Matrix
from tools.vault.storage.link_feedback import LinkDecision

type Truth = NDArray[np.bool_]

STRENGTH = 100.0
"""Precision of the normal prior of the share by which a weight differs from the shipped one. With
whole vaults left out a lower one is better in the mean, and worse in the vaults that it harms
(``evals/fitting/link_feedback.py``)."""
_SLOPE_STRENGTH, _BIAS_STRENGTH = 30.0, 10.0
_LEAST_SLOPE = 0.1
"""What is likelier is never promised less, whatever was decided."""
_STEPS = 50
_SURE = 1e-4
"""How near to 0 and 1 a probability is taken at its word."""


def personal_ranking(
    decisions: Sequence[LinkDecision],
    ranking: Ranking | None = None,
    *,
    strength: float = STRENGTH,
) -> Ranking:
    """What ranks this person's links best; without decisions it is ``ranking``, or what ships.

    Decisions of other features than those of today count for what is promised alone.
    """
    prior = ranking or shipped()
    known = [one for one in decisions if set(one.features) == set(FEATURES)]
    others = [one for one in decisions if set(one.features) != set(FEATURES)]
    values = np.array([[one.features[name] for name in FEATURES] for one in known])
    values = values.reshape(len(known), len(FEATURES))
    weights = prior.weights * (1.0 + _shares(prior, values, _truth(known), strength))
    odds = np.concatenate(
        [prior.slope * values @ weights + prior.bias, [_log_odds(one) for one in others]]
    )
    slope, bias = _calibrated(odds, _truth([*known, *others]))
    return Ranking(weights=weights, slope=prior.slope * slope, bias=prior.bias * slope + bias)


def _truth(decisions: Sequence[LinkDecision]) -> Truth:
    return np.array([one.accepted for one in decisions], np.bool_)


def _log_odds(decision: LinkDecision) -> float:
    likely = min(max(decision.probability, _SURE), 1.0 - _SURE)
    return math.log(likely / (1.0 - likely))


def _shares(prior: Ranking, values: Matrix, truth: Truth, strength: float) -> Matrix:
    """By how much of itself each weight counts more, or less."""
    terms = prior.slope * values * prior.weights
    design = np.column_stack([terms, np.ones(len(terms))])
    precision = np.array([*[strength] * len(FEATURES), _BIAS_STRENGTH])
    return _most_likely(design, terms.sum(1) + prior.bias, truth, precision)[:-1]


def _calibrated(odds: Matrix, truth: Truth) -> tuple[float, float]:
    """The line from promised log odds to those that come true."""
    design = np.column_stack([odds, np.ones(len(odds))])
    precision = np.array([_SLOPE_STRENGTH, _BIAS_STRENGTH])
    more, bias = _most_likely(design, odds, truth, precision)
    slope = 1.0 + more
    if slope < _LEAST_SLOPE:
        slope = _LEAST_SLOPE
        (bias,) = _most_likely(np.ones((len(odds), 1)), slope * odds, truth, precision[1:])
    return float(slope), float(bias)


def _most_likely(design: Matrix, offset: Matrix, truth: Truth, precision: Matrix) -> Matrix:
    """Coefficients beside a fixed part of the log odds, by Newton's method with halved steps.

    Their prior is normal about nothing. ``design`` has a row for each decision.
    """

    def loss(tried: Matrix) -> float:
        odds = offset + design @ tried
        wrong = np.logaddexp(0.0, np.where(truth, -odds, odds))
        return float(wrong.sum() + 0.5 * precision @ tried**2)

    found = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(offset + design @ found, -500.0, 500.0)))
        slope = design.T @ (likely - truth) + precision * found
        curve = (design.T * (likely * (1.0 - likely))) @ design + np.diag(precision)
        step = np.linalg.solve(curve, slope)
        while loss(found - step) > loss(found) and np.abs(step).max() > 1e-9:
            step = step / 2.0
        found = found - step
        if np.abs(step).max() < 1e-6:
            break
    return found
