"""The reader of evidence: how surely a span of the notes answers a question.

Two cross-encoders, one for windows of neighbouring spans (``together``) and one for a span under
its headings (``alone``): question and text go through a built-in encoder together, whose dense
matrices are changed by two thin matrices each that are learned (LoRA, Hu et al. 2021), and a head
gives for each span, from its tokens and those of the question, the logit that it answers. There are
two of MiniLM, for English, and two of the first layers of e5, for notes in other languages, too.
``evals/training/evidence_reader.py`` learns them.
"""

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tools.base.domain import Marked, Reading
from tools.semantic.e5 import E5
from tools.semantic.encoder_graph import Weights, adapted, window_graph
from tools.semantic.minilm import MINILM
from tools.semantic.onnx_format import Model
from tools.semantic.published import Published
from tools.semantic.text_model import TextModel, cores

if TYPE_CHECKING:
    from tokenizers import Encoding

WEIGHTS: Mapping[str, Mapping[Reading, Path]] = {
    MINILM.name: {
        "together": Path(__file__).with_name("reader_together.npz"),
        "alone": Path(__file__).with_name("reader_alone.npz"),
    },
    E5.name: {
        "together": Path(__file__).with_name("reader_e5_together.npz"),
        "alone": Path(__file__).with_name("reader_e5_alone.npz"),
    },
}
"""By the encoder that they change. Written by ``evals/training/evidence_reader.py``: the thin
matrices in whole steps, and ``head/…``."""
MAX_TOKENS: Mapping[Reading, int] = {"together": 208, "alone": 144}
"""Of question and text together; a longer text is read from its start."""
MAX_QUESTION = 320
"""Characters of a question that are read: its end, for what stands before tells the story."""
_HEAD = "head/"


class EvidenceReader:
    """Scores the spans of windows; any number of threads may share it."""

    def __init__(self, base: Published = MINILM) -> None:
        """Raises ModelUnavailableError and StorageError as the encoder does."""
        self._models = {
            reading: TextModel(
                max_tokens=MAX_TOKENS[reading],
                cut="end",
                keeps_memory=True,
                base=base,
                network=partial(_network, file),
                name=hashlib.sha256(file.read_bytes()).hexdigest(),
            )
            for reading, file in WEIGHTS[base.name].items()
        }
        self._pool = ThreadPoolExecutor(cores(), thread_name_prefix="evidence")

    def scores(self, texts: Sequence[Marked], reading: Reading) -> list[list[float | None]]:
        """For each text the logits that its spans answer its question; it blocks.

        None for a span behind the last token that is read.
        """
        model = self._models[reading]
        pairs = model.pairs([(one.question[-MAX_QUESTION:], one.text) for one in texts])

        def read(at: int) -> list[float | None]:
            pair, places = pairs[at], tokens_of(pairs[at], texts[at].marks)
            spans = np.zeros((len(places), len(pair)), np.int64)
            for row, (first, end) in enumerate(places):
                spans[row, first:end] = 1
            logits = model.run(
                "scores", input_ids=[pair.ids], token_type_ids=[pair.type_ids], spans=[spans]
            )
            return [
                float(logit) if first < end else None
                for logit, (first, end) in zip(logits[0], places, strict=True)
            ]

        # The longest come first, so that the last ones end together.
        order = sorted(range(len(pairs)), key=lambda at: -len(pairs[at]))
        found = dict(zip(order, self._pool.map(read, order), strict=True))
        return [found[at] for at in range(len(texts))]


def reader_beside(encoder: str) -> Published:
    """What the reader changes beside an index of this encoder: that, or MiniLM."""
    return E5 if encoder == E5.name else MINILM


def tokens_of(pair: "Encoding", marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The tokens, from and to, of each span of a pair's second text; none where it was cut."""
    tokens = [
        (at, start, end)
        for at, (kind, (start, end)) in enumerate(zip(pair.type_ids, pair.offsets, strict=True))
        if kind == 1 and start < end
    ]
    found: list[tuple[int, int]] = []
    for first, last in marks:
        own = [at for at, start, end in tokens if start < last and end > first]
        found.append((own[0], own[-1] + 1) if own else (0, 0))
    return found


def _network(file: Path, weights: Weights) -> Model:
    with np.load(file) as kept:
        head = {
            name.removeprefix(_HEAD): kept[name] for name in kept.files if name.startswith(_HEAD)
        }
        return window_graph(adapted(weights, kept), head)
