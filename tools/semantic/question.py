"""The vectors that a question is read by: a network of the built-in encoder's changed weights.

Every dense matrix W of the encoder is changed to W + A B by two thin matrices that are learned
(LoRA, Hu et al. 2021), so that questions which ask for the same kind of answer lie close.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder_graph import Weights, adapted, encoder_graph
from tools.semantic.text_model import TextModel

if TYPE_CHECKING:
    from onnx import ModelProto

ADAPTERS = Path(__file__).with_name("question_adapters.npz")
"""Written by ``evals/train_intents.py``: matrices as whole steps (int8) and the size of a step."""
MAX_TOKENS = 32
"""The end of a question that is read: what is before it tells the story, not what is asked."""


class QuestionReader:
    """Encodes English text as a kind of question."""

    def __init__(self) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        name = hashlib.sha256(ADAPTERS.read_bytes()).hexdigest()
        self._model = TextModel(
            max_tokens=MAX_TOKENS,
            cut="start",
            keeps_memory=True,
            network=_network,
            name=name,
        )

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return a vector of length one (384); it blocks and may run in any thread."""
        return self._model.vector(self._model.tokens([text])[0])


def _network(weights: Weights) -> "ModelProto":
    # Whole numbers of 8 bits do: only the side of a few planes that a vector lies on matters.
    with np.load(ADAPTERS) as kept:
        return encoder_graph(adapted(weights, kept), in_bytes=True)
