"""An implementation of the built-in encoders' network in plain numpy: no batches, no masks."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder_graph import layers
from tools.semantic.minilm import MINILM
from tools.semantic.published import Published

type Floats = NDArray[np.float64]
type Weights = Mapping[str, NDArray[np.float32]]


def reference_vectors(
    texts: Sequence[str], weights: Weights | None = None, *, base: Published = MINILM
) -> Floats:
    """Encode one text at a time, with the published weights unless others are given."""
    tokenizer = base.tokenizer()
    used = weights or base.weights()
    return np.stack([_reference(used, tokenizer.encode(text).ids) for text in texts])


def _reference(weights: Mapping[str, NDArray[np.float32]], ids: Sequence[int]) -> Floats:
    def weight(name: str, rows: Sequence[int] | slice = slice(None)) -> Floats:
        return weights[name][rows].astype(np.float64)

    def dense(value: Floats, name: str) -> Floats:
        return value @ weight(f"{name}.weight").T + weight(f"{name}.bias")

    def norm(value: Floats, name: str) -> Floats:
        centred = value - value.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return scaled * weight(f"{name}.weight") + weight(f"{name}.bias")

    kept = [*ids[:255], ids[-1]] if len(ids) > 256 else list(ids)
    value = weight("embeddings.word_embeddings.weight", kept)
    value = value + weight("embeddings.position_embeddings.weight", slice(len(kept)))
    value = value + weight("embeddings.token_type_embeddings.weight", slice(1))
    value = norm(value, "embeddings.LayerNorm")
    for layer in range(layers(weights)):
        prefix = f"encoder.layer.{layer}"
        query, key, content = (
            dense(value, f"{prefix}.attention.self.{part}").reshape(len(kept), 12, 32)
            for part in ("query", "key", "value")
        )
        scores = np.einsum("qhd,khd->hqk", query, key) / math.sqrt(32)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares = shares / shares.sum(axis=-1, keepdims=True)
        mixed = np.einsum("hqk,khd->qhd", shares, content).reshape(len(kept), 384)
        mixed = dense(mixed, f"{prefix}.attention.output.dense") + value
        mixed = norm(mixed, f"{prefix}.attention.output.LayerNorm")
        inner = dense(mixed, f"{prefix}.intermediate.dense")
        error = np.array([math.erf(x / math.sqrt(2)) for x in inner.flat]).reshape(inner.shape)
        outer = dense(inner * (1 + error) / 2, f"{prefix}.output.dense") + mixed
        value = norm(outer, f"{prefix}.output.LayerNorm")
    mean = value.mean(axis=0)
    return mean / math.sqrt(float(mean @ mean))
