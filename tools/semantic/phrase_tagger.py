"""The tagger of questions: what each piece of one may be to it.

The built-in encoder, its dense matrices changed by thin ones that are learned (LoRA, Hu et al.
2021), and a linear head on what it makes of each piece. ``agents/phrases.py`` reads phrases off it.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder_graph import Weights, adapted, tag_graph
from tools.semantic.text_model import TextModel
from tools.text.normalize import flatten

if TYPE_CHECKING:
    from onnx import ModelProto

WEIGHTS = Path(__file__).with_name("phrase_tagger.npz")
"""Written by ``evals/train_phrases.py``: the thin matrices in whole steps, and ``head/…``."""
MAX_TOKENS = 256
"""The end of a question that is read."""
TAGS = 19
"""The first logits of each piece: the tags of four layers, 3, 3, 4 and 9."""
CUTS = 7
"""The next: an ending of 0 to 6 letters may be no part of a phrase's last word."""
OF_WHOLE = 27
"""The last, of which only those of the first piece count: what of the vault is asked for."""
LOGITS = TAGS + CUTS + OF_WHOLE


class PhraseTagger:
    """Gives the pieces of a question their logits; any number of threads may share it."""

    def __init__(self) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        self._model = TextModel(
            max_tokens=MAX_TOKENS,
            cut="start",
            keeps_memory=True,
            network=_network,
            name=hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        )

    def logits(self, question: str) -> NDArray[np.float32]:
        """Return a row for each piece: where it starts and ends, then its logits; it blocks."""
        # The encoder knows no dotless i; flattened it is the same whoever typed it.
        encoding = self._model.tokens([flatten(question)])[0]
        logits = self._model.run("logits", input_ids=[encoding.ids])[0]
        return np.hstack([np.array(encoding.offsets, np.float32), logits])


def _network(weights: Weights) -> "ModelProto":
    with np.load(WEIGHTS) as kept:
        head = {name: kept[f"head/{name}"] for name in ("tags", "bias")}
        return tag_graph(adapted(weights, kept), head)
