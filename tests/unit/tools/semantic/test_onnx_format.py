"""Networks as ONNX's own package writes them, byte for byte."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx as typed_in_part
import pytest
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from onnx.external_data_helper import set_external_data

from tools.semantic.encoder_graph import (
    DIMENSIONS,
    SEGMENTS,
    Weights,
    encoder_graph,
    first_layers,
    pair_graph,
    tag_graph,
    window_graph,
)
from tools.semantic.minilm import MINILM
from tools.semantic.onnx_format import FLOAT, Model, Node, Place, Tensor, Value

onnx: Any = typed_in_part
_HIDDEN = 4
_RANDOM = np.random.default_rng(7)


def numbers(*shape: int) -> NDArray[np.float32]:
    return np.asarray(_RANDOM.standard_normal(shape, np.float32), np.float32)


def head(*outputs: int, inputs: int) -> dict[str, NDArray[np.float32]]:
    return {
        "down": numbers(inputs, _HIDDEN),
        "down_bias": numbers(_HIDDEN),
        "up": numbers(_HIDDEN, *outputs),
        "bias": numbers(*outputs),
    }


@pytest.fixture(scope="module")
def weights() -> Weights:
    kept = dict(first_layers(MINILM.weights(), 1))
    words = "embeddings.word_embeddings.weight"
    kept[words] = kept[words][:64]
    return kept


@pytest.fixture(params=["encoder", "encoder in bytes", "tags", "window", "pair"], ids=str)
def network(request: pytest.FixtureRequest, weights: Weights) -> Model:
    match request.param:
        case "encoder":
            return encoder_graph(weights)
        case "encoder in bytes":
            peaks = {"encoder.layer.0.output.dense/peaks": np.abs(numbers(4 * DIMENSIONS))}
            return encoder_graph({**weights, **peaks}, in_bytes=True)
        case "tags":
            return tag_graph(weights, {"tags": numbers(DIMENSIONS, 3), "bias": numbers(3)})
        case "window":
            cosine = {"cosine": numbers()}
            return window_graph(weights, head(inputs=3 * DIMENSIONS) | cosine)
        case _:
            sides = {"sides": numbers(2 * len(weights[SEGMENTS]), DIMENSIONS)}
            return pair_graph(weights, head(4, inputs=4 * DIMENSIONS) | sides)


def by_onnx(model: Model) -> bytes:
    """The same model as its own package makes it."""
    nodes = [
        helper.make_node(node.op, list(node.inputs), list(node.outputs)) for node in model.nodes
    ]
    for made, node in zip(nodes, model.nodes, strict=True):
        made.attribute.extend(helper.make_attribute(*item) for item in node.attributes.items())
    inputs, outputs = (
        [helper.make_tensor_value_info(one.name, one.type, list(one.shape)) for one in values]
        for values in (model.inputs, model.outputs)
    )
    constants = [tensor_by_onnx(tensor) for tensor in model.constants]
    graph = helper.make_graph(nodes, "encoder", inputs, outputs, constants)
    opset = helper.make_opsetid("", 20)
    return helper.make_model(graph, opset_imports=[opset], ir_version=10).SerializeToString()


def tensor_by_onnx(tensor: Tensor) -> Any:
    elements = {1: np.float32, 3: np.int8, 7: np.int64}[tensor.type]
    if isinstance(place := tensor.content, Place):
        made = numpy_helper.from_array(np.zeros(tensor.shape, elements), tensor.name)
        set_external_data(made, place.file, place.offset, place.length)
        made.ClearField("raw_data")
        return made
    values = np.frombuffer(tensor.content, elements).reshape(tensor.shape)
    return numpy_helper.from_array(values, tensor.name)


def test_a_network_is_what_onnx_itself_writes(network: Model) -> None:
    assert network.message() == by_onnx(network)


def test_onnx_finds_nothing_wrong_with_a_network(network: Model) -> None:
    onnx.checker.check_model(onnx.load_from_string(network.message()), full_check=True)


def test_numbers_in_another_file_are_found_there(network: Model, tmp_path: Path) -> None:
    whole = onnx.load_from_string(network.message())
    tensor = max(network.constants, key=lambda tensor: len(tensor.content))  # type: ignore[arg-type]
    content = tensor.content
    assert isinstance(content, bytes)
    (tmp_path / "x.weights").write_bytes(bytes(64) + content)
    tensor.content = Place(file="x.weights", offset=64, length=len(content))
    assert network.message() == by_onnx(network)
    (tmp_path / "x.onnx").write_bytes(network.message())
    loaded = onnx.load(str(tmp_path / "x.onnx"))
    for read, kept in zip(loaded.graph.initializer, whole.graph.initializer, strict=True):
        assert read.raw_data == kept.raw_data


@pytest.mark.parametrize("value", [-1, 0, 127, 128, 2**40, -(2**40), 0.0, 1e-12, (2, 0, -1), ()])
def test_attributes_of_every_size(value: int | float | tuple[int, ...]) -> None:
    model = Model(
        nodes=[Node("Anything", ["a"], ["b", "c"], {"size": value, "other": 1})],
        constants=[Tensor.of("Ω", np.array([[1, -2, 3]], np.int8)[:, ::2])],
        inputs=[Value("a", FLOAT, ["n", 300])],
        outputs=[Value("b", FLOAT, [])],
    )
    if value != ():
        assert model.message() == by_onnx(model)
    assert onnx.load_from_string(model.message()).SerializeToString() == model.message()
