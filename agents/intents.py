"""How likely each intent is, and whether a question has several readings: a trained head.

Its weights are learned by ``evals/train_intents.py`` from the written cases in
``evals/data/intents/train``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.features import Features
from agents.gloss import in_english
from agents.spelling import corrected
from tools.domain import INTENTS, Intent
from tools.text.language import is_turkish

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
_LONGEST = 240
"""Characters of the end of a question that are read: the words before it are its story."""

type Vector = NDArray[np.float32]


def vector_text(question: str) -> str:
    """What the encoder, which knows English only, is given of a question."""
    end = question[-_LONGEST:]
    return in_english(end) if is_turkish(question) else corrected(end)


def read_intent(features: Features, vector: Vector | None) -> dict[Intent, float]:
    """Weigh wording and vector; without a vector the wording decides alone.

    The probabilities of the five intents, calibrated on questions the weights were not trained on.
    """
    head, places = _head(), list(features.places)
    values = np.array(features.values, np.float32)
    if vector is None:
        outputs = values @ (head.alone[places] * head.alone_step) + head.alone_bias
    else:
        outputs = values @ (head.wording[places] * head.wording_step) + head.bias
        outputs += vector @ head.vector
    scaled = outputs[:5] / head.temperatures[1 if vector is None else 0]
    raised = np.exp(scaled - scaled.max())
    doubt = float(1 / (1 + np.exp(-outputs[5])))
    return settled(dict(zip(INTENTS, (raised / raised.sum()).tolist(), strict=True)), doubt)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """Weights of the six outputs: the intents in their order, then doubt.

    ``vector`` is for what ``tools.semantic.question`` gives of a text.
    ``wording`` and ``alone`` hold whole steps (int8, SIZE × 6) of the sizes beside them.
    """

    vector: Vector
    bias: Vector
    wording: NDArray[np.int8]
    wording_step: Vector
    alone: NDArray[np.int8]
    alone_step: Vector
    alone_bias: Vector
    temperatures: Vector


@cache
def _head() -> _Head:
    with np.load(WEIGHTS) as arrays:
        return _Head(**{name: arrays[name] for name in arrays.files})
