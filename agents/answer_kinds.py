"""What kind of answer a question asks for: a trained head over its wording.

Its weights are learned by ``evals/train_kinds.py`` from the questions below ``evals/data/reader``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.features import read_features
from tools.domain import ANSWER_KINDS, AnswerKind

WEIGHTS = Path(__file__).with_name("answer_kinds.npz")

type _Weights = tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]


def answer_kinds(question: str) -> Mapping[AnswerKind, float]:
    """The probability of each kind of answer, as people ask for them."""
    features = read_features(question)
    steps, step, bias = _weights()
    values = np.array(features.values, np.float32)
    outputs = values @ (steps[list(features.places)] * step) + bias
    raised = np.exp(outputs - outputs.max())
    return dict(zip(ANSWER_KINDS, (raised / raised.sum()).tolist(), strict=True))


@cache
def _weights() -> _Weights:
    """Whole steps (int8, SIZE × kinds), the size of a step of each kind, and the biases."""
    with np.load(WEIGHTS) as kept:
        return kept["steps"], kept["step"], kept["bias"]
