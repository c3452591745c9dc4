"""The vectors that a question is read by: the built-in encoder with the changes learned for it."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder import MiniLmEncoder
from tools.semantic.minilm import ADAPTED, Adapter

ADAPTERS = Path(__file__).with_name("question_adapters.npz")
"""Written by ``evals/train_intents.py``: matrices as whole steps (int8) and the size of a step."""


class QuestionReader:
    """Encodes English text as a kind of question, once with each of the learned adapters."""

    def __init__(self, encoder: MiniLmEncoder) -> None:
        self._encoder = encoder
        self._adapters = list(_adapters())
        self._threads = ThreadPoolExecutor(len(self._adapters))

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text: a vector of length one (384) of each adapter, end to end.

        It blocks and may run in any thread.
        """

        def encode(adapter: Adapter) -> NDArray[np.float32]:
            return self._encoder.encode(texts, adapter=adapter)

        return np.concatenate(list(self._threads.map(encode, self._adapters)), axis=1)


def _adapters() -> Iterator[Adapter]:
    names = [f"{name}.{part}" for name in ADAPTED for part in ("down", "up")]
    with np.load(ADAPTERS) as kept:
        for number in range(len(kept.files) // (2 * len(names))):
            prefixed = {name: f"{number}/{name}" for name in names}
            yield {name: kept[full] * kept[f"{full}/step"] for name, full in prefixed.items()}
