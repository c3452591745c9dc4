"""How likely each candidate is a note that the person would link to.

A conditional logit over ``tools/links/signals.py``, fitted on the real links of vaults, each left
out once (``evals/fitting/links.py``). Pure.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from tools.links.signals import FEATURES, Matrix, Signals, features

WEIGHTS = Path(__file__).with_name("ranking.json")


@cache
def _fitted() -> tuple[Matrix, float, float]:
    """The weights of ``FEATURES``, and the line from a score to the log odds of a link."""
    kept = json.loads(WEIGHTS.read_text("utf-8"))
    return np.array([kept["weights"][name] for name in FEATURES]), kept["slope"], kept["bias"]


def scores(signals: Signals, paths: Sequence[str]) -> Matrix:
    """A score for each candidate; of two, the difference is the log of their odds."""
    return features(signals, paths) @ _fitted()[0]


def probabilities(signals: Signals, paths: Sequence[str]) -> Matrix:
    """How likely the person would make each link."""
    _, slope, bias = _fitted()
    return 1.0 / (1.0 + np.exp(-(slope * scores(signals, paths) + bias)))
