"""The reader of evidence: how surely a text of the notes answers a question.

A cross-encoder: question and text go through the built-in encoder together, whose dense matrices
are changed by two thin matrices each that are learned (LoRA, Hu et al. 2021), and a head gives the
logit that the text answers. ``evals/train_reader.py`` learns both.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder_graph import Weights, adapted, pair_graph
from tools.semantic.text_model import TextModel, cores

if TYPE_CHECKING:
    from onnx import ModelProto

WEIGHTS = Path(__file__).with_name("evidence_reader.npz")
"""Written by ``evals/train_reader.py``: the thin matrices in whole steps, and ``head/…``."""
MAX_TOKENS = 96
"""Of question and text together; a longer text is read from its start."""
MAX_QUESTION = 200
"""Characters of a question that are read: its end, for what stands before tells the story."""
_HEAD = "head/"


class EvidenceReader:
    """Scores pairs of question and text; any number of threads may share it."""

    def __init__(self) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        self._model = TextModel(
            max_tokens=MAX_TOKENS,
            cut="end",
            keeps_memory=True,
            network=_network,
            name=hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        )
        self._pool = ThreadPoolExecutor(cores(), thread_name_prefix="evidence")

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """The logit that each text answers the question; it blocks."""
        asked = question[-MAX_QUESTION:]
        pairs = self._model.pairs([(asked, text) for text in texts])
        # Those of like length go together, for a batch is as long as its longest.
        order = sorted(range(len(pairs)), key=lambda at: len(pairs[at]))
        size = -(-len(order) // (2 * cores())) or 1
        parts = [order[at : at + size] for at in range(0, len(order), size)]

        def read(part: Sequence[int]) -> NDArray[np.float32]:
            return self._model.run("scores", [pairs[at] for at in part], paired=True)

        found = self._pool.map(read, parts)
        scores = [0.0] * len(texts)
        for part, rows in zip(parts, found, strict=True):
            for at, row in zip(part, rows, strict=True):
                scores[at] = float(row[0])
        return scores


def _network(weights: Weights) -> "ModelProto":
    with np.load(WEIGHTS) as kept:
        head = {
            name.removeprefix(_HEAD): kept[name] for name in kept.files if name.startswith(_HEAD)
        }
        return pair_graph(adapted(weights, kept), head)
