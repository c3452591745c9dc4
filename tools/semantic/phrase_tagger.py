"""The taggers of questions: what each piece of one may be to it.

Each is the built-in encoder, its dense matrices changed by thin ones that are learned (LoRA, Hu et
al. 2021), and a linear head on what it makes of each piece.
``agents/interpreter/wording/concepts.py`` reads phrases off the first,
``agents/interpreter/vault/questions.py`` what of the vault is asked for off the second.
"""

import hashlib
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder_graph import Weights, adapted, tag_graph
from tools.semantic.onnx_format import Model
from tools.semantic.text_model import TextModel
from tools.text.normalize import flatten

WEIGHTS = Path(__file__).with_name("phrase_tagger.npz")
"""Written by ``evals/training/phrase_tagger.py``: the thin matrices in whole steps, and
``head/…``."""
VAULT_WEIGHTS = Path(__file__).with_name("vault_tagger.npz")
"""Written by ``evals/training/vault_questions.py`` in the same way."""
MAX_TOKENS = 256
"""The end of a question that is read."""
TAGS = 10
"""The first logits of each piece: the tags of three layers, 3, 3 and 4."""
CUTS = 7
"""The next: an ending of 0 to 6 letters may be no part of a phrase's last word."""
OF_PHRASES = TAGS + CUTS
OF_VAULT = 40
"""The logits of the second: the tags of what narrows, 9, then of the whole question, 31."""
LOGITS = OF_PHRASES + OF_VAULT


class PhraseTagger:
    """Gives the pieces of a question their logits; any number of threads may share it."""

    def __init__(self) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        self._models = [
            TextModel(
                max_tokens=MAX_TOKENS,
                cut="start",
                keeps_memory=True,
                network=partial(_network, weights),
                name=hashlib.sha256(weights.read_bytes()).hexdigest(),
            )
            for weights in (WEIGHTS, VAULT_WEIGHTS)
        ]

    def logits(self, question: str) -> NDArray[np.float32]:
        """Return a row for each piece: where it starts and ends, then its logits; it blocks."""
        # The encoder knows no dotless i; flattened it is the same whoever typed it.
        encoding = self._models[0].tokens([flatten(question)])[0]
        logits = [model.run("logits", input_ids=[encoding.ids])[0] for model in self._models]
        return np.hstack([np.array(encoding.offsets, np.float32), *logits])


def _network(changes: Path, weights: Weights) -> Model:
    with np.load(changes) as kept:
        head = {name: kept[f"head/{name}"] for name in ("tags", "bias")}
        return tag_graph(adapted(weights, kept), head)
