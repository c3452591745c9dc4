"""Trained heads over a question's wording and its vector."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.interpreter.classifiers.features import LONGEST, Features
from agents.interpreter.turkish.gloss import in_english
from agents.interpreter.wording.spelling import corrected
from tools.text.language import is_turkish

type Vector = NDArray[np.float32]
type Array = NDArray[np.float32]


def vector_text(question: str) -> str:
    """What the encoder, which knows English only, is given of a question without its command."""
    end = question[-LONGEST:]
    return in_english(end) if is_turkish(question) else corrected(end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Weights of some outputs.

    ``vector`` (384 × outputs) is for what ``tools.semantic.question`` gives of a text. ``wording``
    and ``alone`` hold whole steps (int8, SIZE × outputs) of the sizes beside them; ``alone`` is for
    a question without a vector. ``temperatures`` are those of both, with a vector and without.
    """

    vector: Array
    bias: Array
    wording: NDArray[np.int8]
    wording_step: Array
    alone: NDArray[np.int8]
    alone_step: Array
    alone_bias: Array
    temperatures: Array

    def outputs(self, features: Features, vector: Vector | None) -> Array:
        """The logits of a question; without a vector the wording decides alone."""
        places, values = list(features.places), np.array(features.values, np.float32)

        def by_wording(steps: NDArray[np.int8], step: Array) -> Array:
            weights: Array = steps[places].astype(np.float32) * step
            return values @ weights

        if vector is None:
            return by_wording(self.alone, self.alone_step) + self.alone_bias
        outputs = by_wording(self.wording, self.wording_step) + self.bias
        outputs += vector @ self.vector
        return outputs

    def shares(self, logits: Array, *, with_vector: bool) -> list[float]:
        """The probabilities of what excludes each other (temperature scaling, Guo et al. 2017)."""
        scaled = logits / self.temperatures[0 if with_vector else 1]
        raised = np.exp(scaled - scaled.max())
        shares: list[float] = (raised / raised.sum()).tolist()
        return shares


@cache
def read_head(file: Path) -> Head:
    """The head that a training wrote there (``evals.learning.weights``)."""
    with np.load(file) as arrays:
        return Head(**{name: arrays[name] for name in arrays.files})
