"""The reader of pairs of claims: what two of them are to each other.

A cross-encoder: both claims go through a built-in encoder together, whose dense matrices are
changed by two thin matrices each that are learned (LoRA, Hu et al. 2021), and a head gives the
logits of their relation. It changes MiniLM and so knows English only.
``evals/training/pair_reader.py`` learns it.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.claims.word_marks import word_marks
from tools.semantic.encoder_graph import Weights, adapted, pair_graph
from tools.semantic.onnx_format import Model
from tools.semantic.text_model import TextModel, cores

if TYPE_CHECKING:
    from tokenizers import Encoding

WEIGHTS = Path(__file__).with_name("pair_reader.npz")
"""Written by ``evals/training/pair_reader.py``: the thin matrices in whole steps, and
``head/…``."""
RELATIONS = "contradiction", "change", "entailment", "neutral"
"""Both can never hold; both hold, but at two times; one follows from the other; none of these."""
CLASHES = 2
"""The first relations: both cannot hold at one time."""
MAX_TOKENS = 128
"""Of both claims together; of longer ones the end is cut."""
_WORTH_TURNING = 0.05
"""How likely a clash must be in one order for the other to be read."""
_HEAD = "head/"


class PairReader:
    """Reads pairs of claims; any number of threads may share it."""

    def __init__(self) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        self._model = TextModel(
            max_tokens=MAX_TOKENS,
            cut="end",
            keeps_memory=True,
            network=_network,
            name=hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        )
        self._pool = ThreadPoolExecutor(cores(), thread_name_prefix="pairs")
        word_marks("the cat slept", "the dog ran")  # reads the tables of words

    def relations(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """How likely each pair is each of ``RELATIONS`` (pairs × 4, rows of sum 1); it blocks.

        The mean of both orders, for which claim stands first says nothing; of a pair that one
        order shows to be no clash, that one alone.
        """
        found = self._read(pairs)
        worth = np.flatnonzero(found[:, :CLASHES].sum(1) >= _WORTH_TURNING)
        found[worth] = (
            found[worth] + self._read([(pairs[at][1], pairs[at][0]) for at in worth.tolist()])
        ) / 2
        return found

    def _read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        read = self._model.pairs(pairs)

        def likely(at: int) -> NDArray[np.float32]:
            kinds = marked(read[at], *pairs[at])
            logits = self._model.run("logits", input_ids=[read[at].ids], token_type_ids=[kinds])[0]
            shares = np.exp(logits - logits.max())
            return shares / shares.sum()

        # The longest come first, so that the last ones end together.
        order = sorted(range(len(read)), key=lambda at: -len(read[at]))
        found = dict(zip(order, self._pool.map(likely, order), strict=True))
        return np.array([found[at] for at in range(len(pairs))], np.float32).reshape(
            -1, len(RELATIONS)
        )


def marked(pair: "Encoding", a: str, b: str) -> list[int]:
    """The side of each token, 0 or 1, and 2 more for each mark of its word up to its own.

    ``pair`` is what ``a`` and ``b`` are to the encoder.
    """
    marks = word_marks(a, b)
    found: list[int] = []
    for side, (start, end) in zip(pair.type_ids, pair.offsets, strict=True):
        # A piece may begin with the space before its word.
        at = bisect_left(marks[side], end, key=lambda word: word.start) - 1
        inside = start < end and at >= 0 and end <= marks[side][at].end
        found.append(side + 2 * (marks[side][at].mark + 1 if inside else 0))
    return found


def _network(weights: Weights) -> Model:
    with np.load(WEIGHTS) as kept:
        head = {
            name.removeprefix(_HEAD): kept[name] for name in kept.files if name.startswith(_HEAD)
        }
        return pair_graph(adapted(weights, kept), head)
