"""A network as ONNX files hold it: operations and tensors, written as protobuf messages.

The numbers of fields and types are those of ``onnx.proto``, in whose order a message has them.
"""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FLOAT, INT8, INT64 = 1, 3, 7
"""Types of a tensor's elements."""

_TYPES: Mapping[type[np.generic], int] = {np.float32: FLOAT, np.int8: INT8, np.int64: INT64}
_FLOAT_ATTRIBUTE, _INT_ATTRIBUTE, _INTS_ATTRIBUTE = 1, 2, 7
_OPSET = 20
_IR_VERSION = 10

type Attribute = float | Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The bytes of a file beside the network's, named relative to it."""

    file: str
    offset: int
    length: int


@dataclass(slots=True)
class Tensor:
    """A constant: its numbers, little-endian and row by row, or the place where they are."""

    name: str
    shape: tuple[int, ...]
    type: int
    content: bytes | Place

    @classmethod
    def of(cls, name: str, value: NDArray[np.generic]) -> "Tensor":
        little = value.dtype.newbyteorder("<")
        return cls(name, value.shape, _TYPES[value.dtype.type], value.astype(little).tobytes())

    def message(self) -> bytes:
        head = _each(_number, 1, self.shape) + _number(2, self.type) + _text(8, self.name)
        if isinstance(self.content, bytes):
            return head + _field(9, self.content)
        place = {
            "location": self.content.file,
            "offset": str(self.content.offset),
            "length": str(self.content.length),
        }
        entries = (_text(1, key) + _text(2, value) for key, value in place.items())
        return head + _each(_field, 13, entries) + _number(14, 1)


@dataclass(frozen=True, slots=True)
class Node:
    """An operation by its ONNX name, on values by their names."""

    op: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    attributes: Mapping[str, Attribute]

    def message(self) -> bytes:
        attributes = (_attribute(*item) for item in self.attributes.items())
        return b"".join(
            (
                _each(_text, 1, self.inputs),
                _each(_text, 2, self.outputs),
                _text(4, self.op),
                _each(_field, 5, attributes),
            )
        )


@dataclass(frozen=True, slots=True)
class Value:
    """An input or output; a length of its shape that is not fixed has a name."""

    name: str
    type: int
    shape: Sequence[int | str]

    def message(self) -> bytes:
        sizes = (_text(2, one) if isinstance(one, str) else _number(1, one) for one in self.shape)
        tensor = _number(1, self.type) + _field(2, _each(_field, 1, sizes))
        return _text(1, self.name) + _field(2, _field(1, tensor))


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A whole network; the nodes stand in an order in which they can be run."""

    nodes: Sequence[Node]
    constants: Sequence[Tensor]
    inputs: Sequence[Value]
    outputs: Sequence[Value]

    def message(self) -> bytes:
        graph = b"".join(
            (
                _each(_field, 1, (node.message() for node in self.nodes)),
                _text(2, "encoder"),
                _each(_field, 5, (tensor.message() for tensor in self.constants)),
                _each(_field, 11, (value.message() for value in self.inputs)),
                _each(_field, 12, (value.message() for value in self.outputs)),
            )
        )
        operations = _text(1, "") + _number(2, _OPSET)
        return _number(1, _IR_VERSION) + _field(7, graph) + _field(8, operations)


def _attribute(name: str, value: Attribute) -> bytes:
    match value:
        case int():
            kind, held = _INT_ATTRIBUTE, _number(3, value)
        case float():
            kind, held = _FLOAT_ATTRIBUTE, _varint(2 << 3 | 5) + struct.pack("<f", value)
        case _:
            kind, held = _INTS_ATTRIBUTE, _each(_number, 8, value)
    return _text(1, name) + held + _number(20, kind)


def _each[T](write: Callable[[int, T], bytes], number: int, values: Iterable[T]) -> bytes:
    return b"".join(write(number, value) for value in values)


def _text(number: int, value: str) -> bytes:
    return _field(number, value.encode())


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value % 2**64)


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit says that more follow."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)
