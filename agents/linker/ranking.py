"""How likely each candidate is a note that the person would link to.

A conditional logit over ``tools/links/signals.py``, fitted on the real links of vaults, each left
out once (``evals/fitting/links.py``); ``personal.py`` fits it to a person. Pure.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tools.links.signals import FEATURES, Matrix, Signals, features

WEIGHTS = Path(__file__).with_name("ranking.json")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """Weights of ``FEATURES``, and the line from a score to the log odds of a link."""

    weights: Matrix
    slope: float
    bias: float


@cache
def shipped() -> Ranking:
    """What was learned from the links of other people's vaults."""
    kept = json.loads(WEIGHTS.read_text("utf-8"))
    weights = np.array([kept["weights"][name] for name in FEATURES])
    return Ranking(weights=weights, slope=kept["slope"], bias=kept["bias"])


def scores(signals: Signals, paths: Sequence[str], ranking: Ranking | None = None) -> Matrix:
    """A score for each candidate; of two, the difference is the log of their odds."""
    return features(signals, paths) @ (ranking or shipped()).weights


def probabilities(signals: Signals, paths: Sequence[str], ranking: Ranking | None = None) -> Matrix:
    """How likely the person would make each link."""
    used = ranking or shipped()
    return 1.0 / (1.0 + np.exp(-(used.slope * scores(signals, paths, used) + used.bias)))
