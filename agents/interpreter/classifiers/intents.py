"""How likely each intent is, and whether a question has several readings: a trained head.

Its weights are learned by ``evals/training/intents.py`` from the written cases in
``evals/data/intents/train``.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from agents.interpreter.classifiers.features import Features
from agents.interpreter.classifiers.head import Vector, read_head
from tools.base.domain import INTENTS, Intent

SURE = 0.70
"""At this confidence and above a verdict is acted on without asking."""
DOUBTFUL = 0.5
"""From this probability of several readings on, a question is asked back."""
GUESS = 0.4
"""Below this probability of the likeliest intent even a question of one reading is asked back."""

_MARGIN = 0.01
"""How far below SURE a question that just counts as doubtful comes to lie."""
_DOUBT_TAKES = 0.3
"""How much more a certain doubt takes from the likeliest than one that is just reached."""
_SPREAD = 0.1
"""Share of what the likeliest loses that goes to every other intent alike."""
WEIGHTS = Path(__file__).with_name("intents.npz")


def read_intent(features: Features, vector: Vector | None) -> dict[Intent, float]:
    """Weigh wording and vector; without a vector the wording decides alone.

    The probabilities of the five intents, calibrated on questions the weights were not trained on.
    """
    head = read_head(WEIGHTS)
    outputs = head.outputs(features, vector)
    doubt = float(1 / (1 + np.exp(-outputs[5])))
    shares = head.shares(outputs[:5], with_vector=vector is not None)
    return settled(dict(zip(INTENTS, shares, strict=True)), doubt)


def settled(probabilities: Mapping[Intent, float], doubt: float) -> dict[Intent, float]:
    """The probabilities, the likeliest above SURE where the question has one reading, else below.

    A question of one reading is not asked back because two intents are near each other: guessing
    is right in two of three such cases, and the temperature makes up for what this adds.
    """
    likeliest = max(probabilities, key=probabilities.__getitem__)
    raw = probabilities[likeliest]
    if doubt >= DOUBTFUL:
        top = min(raw, SURE - _MARGIN - _DOUBT_TAKES * (doubt - DOUBTFUL))
    elif raw >= GUESS:
        top = SURE + (1 - SURE) * (raw - GUESS) / (1 - GUESS)
    else:
        return dict(probabilities)
    # What is taken from the likeliest goes to the others, a part of it to all alike.
    spread = _SPREAD * max(0.0, raw - top) + 1e-9
    others: dict[Intent, float] = {intent: p + spread for intent, p in probabilities.items()}
    rest = sum(p for intent, p in others.items() if intent != likeliest)
    for intent, p in others.items():
        others[intent] = p * (1 - top) / rest
    others[likeliest] = top
    return others
