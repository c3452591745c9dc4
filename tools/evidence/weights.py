"""The learned weights of the ranking of evidence and of what is concluded from it."""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

WEIGHTS = Path(__file__).with_name("evidence_weights.json")


@cache
def weights_of(part: str, names: tuple[str, ...]) -> tuple[float, ...]:
    """The weights that a part has of these features, in their order."""
    return tuple(float(_kept()[part][name]) for name in names)


def absent_below() -> float:
    """The probability of an answer below which the notes are said not to have it."""
    return float(_kept()["absent_below"])


def weighed(weights: Sequence[float], features: Sequence[float]) -> float:
    """The sum of the features by their weights."""
    return math.sumprod(weights, features)


@cache
def _kept() -> dict[str, Any]:
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))
