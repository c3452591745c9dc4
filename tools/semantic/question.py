"""The vector that a question is read by: the built-in encoder with the change learned for it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder import MiniLmEncoder

ADAPTER = Path(__file__).with_name("question_adapter.npz")
"""Written by ``evals/train_intents.py``."""


class QuestionReader:
    """Encodes English text as a kind of question: near are those that ask for the same."""

    def __init__(self, encoder: MiniLmEncoder) -> None:
        self._encoder = encoder
        with np.load(ADAPTER) as halves:
            self._adapter = {name: halves[name].astype(np.float32) for name in halves.files}

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, 384 numbers of length one; it blocks and may run in a thread."""
        return self._encoder.encode(texts, adapter=self._adapter)
