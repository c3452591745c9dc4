"""The vectors of questions: networks of a built-in encoder's changed weights.

Every dense matrix W of an encoder is changed to W + A B by two thin matrices that are learned
(LoRA, Hu et al. 2021): so that questions which ask for the same kind of answer lie close, or so
that a question lies close to the passages that answer it, whose vectors stay as they are.
"""

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.semantic.e5 import E5
from tools.semantic.encoder_graph import Weights, adapted, encoder_graph
from tools.semantic.minilm import MINILM
from tools.semantic.onnx_format import Model
from tools.semantic.published import Published
from tools.semantic.text_model import TextModel

ADAPTERS = Path(__file__).with_name("question_adapters.npz")
"""Written by ``evals/training/intents.py``: matrices as whole steps (int8) and the size of a
step."""
SEARCHING: Mapping[str, Path] = {
    MINILM.name: Path(__file__).with_name("search_adapters.npz"),
    E5.name: Path(__file__).with_name("search_e5_adapters.npz"),
}
"""By the encoder that they change. Written by ``evals/training/question_encoder.py`` in the same
way."""
MAX_TOKENS = 32
"""The end of a question that is read: what is before it tells the story, not what is asked."""


class QuestionReader:
    """Encodes English text as a kind of question."""

    def __init__(self) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        self._model = changed(ADAPTERS, max_tokens=MAX_TOKENS, cut="start")

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return a vector of length one (384); it blocks and may run in any thread."""
        return self._model.vector(self._model.tokens([text])[0])


def changed(
    adapters: Path,
    *,
    max_tokens: int,
    cut: Literal["start", "end"],
    base: Published = MINILM,
) -> TextModel:
    """The encoder ``base`` with the thin matrices of a file. Raises what ``TextModel`` does."""
    return TextModel(
        max_tokens=max_tokens,
        cut=cut,
        keeps_memory=True,
        base=base,
        network=partial(_network, adapters),
        name=hashlib.sha256(adapters.read_bytes()).hexdigest(),
    )


def _network(adapters: Path, weights: Weights) -> Model:
    # Whole numbers of 8 bits do: a question is short, and only what it lies closest to matters.
    with np.load(adapters) as kept:
        return encoder_graph(adapted(weights, kept), in_bytes=True)
