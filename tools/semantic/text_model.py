"""A network of a built-in encoder in memory, with its tokenizer: texts to vectors."""

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tools.runtime.telemetry_off import silence_telemetry
from tools.semantic.encoder_graph import encoder_graph
from tools.semantic.minilm import MINILM
from tools.semantic.published import Network, Published, build, cached_graph, is_built

if TYPE_CHECKING:
    from tokenizers import Encoding


def well_formed(text: str) -> str:
    """Replace lone surrogates, which neither JSON nor a tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cores() -> int:
    """Physical cores this process may use: a second thread on one core only gets in the way."""
    import psutil

    physical = psutil.cpu_count(logical=False) or 1
    # macOS has no affinity.
    allowed = len(psutil.Process().cpu_affinity()) if hasattr(psutil.Process, "cpu_affinity") else 0
    return min(physical, allowed or physical)


class TextModel:
    """Threads may share it; each run stays in the thread that asked for it."""

    def __init__(
        self,
        *,
        max_tokens: int,
        cut: Literal["start", "end"],
        keeps_memory: bool = False,
        base: Published = MINILM,
        network: Network = encoder_graph,
        name: str = "",
    ) -> None:
        """Load what ``network`` makes of the encoder ``base``; it is made once, and kept.

        ``name`` is a hash of all that it is made of besides.

        Of a text that is longer than ``max_tokens`` its start or its end is cut. With
        ``keeps_memory`` a run's memory is kept for the next one, which is faster and right where
        no text is long. Raises ModelUnavailableError, and StorageError where the cache cannot be
        written.
        """
        import platformdirs

        self._tokenizer = _Shared.of(base)
        self._most, self._side = max_tokens, "left" if cut == "start" else "right"
        graph = cached_graph(Path(platformdirs.user_cache_dir("brain")), name=name or base.mark)
        if not is_built(graph):
            build(base, graph, network=network)
        self._session = _session(graph, keeps_memory=keeps_memory)

    def tokens(self, texts: Sequence[str]) -> "list[Encoding]":
        return self._encoded([well_formed(text) for text in texts])

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> "list[Encoding]":
        """Two texts each, of which the longer is cut."""
        return self._encoded([(well_formed(a), well_formed(b)) for a, b in pairs])

    def _encoded(self, texts: Sequence[str | tuple[str, str]]) -> "list[Encoding]":
        return self._tokenizer.encoded(texts, most=self._most, side=self._side)

    def vector(self, encoding: "Encoding") -> NDArray[np.float32]:
        """Return what the network makes of a text: length one."""
        return self.vectors([encoding])[0]

    def vectors(self, encodings: Sequence["Encoding"]) -> NDArray[np.float32]:
        """The same of texts that are as long as each other in tokens (texts × dimensions)."""
        return self.run("vectors", input_ids=[one.ids for one in encodings])

    def run(self, output: str, **given: object) -> NDArray[np.float32]:
        """Return the network's ``output``; whole numbers are ``given`` by their names."""
        arrays = {name: np.array(values, np.int64) for name, values in given.items()}
        return self._session.run([output], arrays)[0]


class _Shared:
    """A tokenizer for all networks of an encoder, whose tables are large."""

    def __init__(self, base: Published) -> None:
        self._tokenizer = cast("_Tokenizer", base.tokenizer())
        self._lock = Lock()

    @staticmethod
    @cache
    def of(base: Published) -> "_Shared":
        return _Shared(base)

    def encoded(
        self, texts: Sequence[str | tuple[str, str]], *, most: int, side: str
    ) -> "list[Encoding]":
        with self._lock:
            self._tokenizer.enable_truncation(most, direction=side)
            return self._tokenizer.encode_batch(texts)


class _Tokenizer(Protocol):
    """The part of the partly typed class that we use."""

    def enable_truncation(self, max_length: int, *, direction: str) -> None: ...
    def encode_batch(self, texts: Sequence[str | tuple[str, str]]) -> "list[Encoding]": ...


class _Session(Protocol):
    def run(
        self, outputs: Sequence[str], inputs: Mapping[str, NDArray[np.int64]]
    ) -> Sequence[NDArray[np.float32]]: ...


class _SessionOptions(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    enable_cpu_mem_arena: bool


class _OnnxRuntime(Protocol):
    """The part of the untyped package that we use."""

    def SessionOptions(self) -> _SessionOptions: ...  # noqa: N802
    def InferenceSession(  # noqa: N802
        self, path: str, options: _SessionOptions, *, providers: Sequence[str]
    ) -> _Session: ...


def _session(graph: Path, *, keeps_memory: bool) -> _Session:
    silence_telemetry()
    runtime = cast("_OnnxRuntime", importlib.import_module("onnxruntime"))
    options = runtime.SessionOptions()
    # A second thread of a run waits for work in a loop: a question cost 26 ms more of a core.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = keeps_memory  # the arena never gives anything back
    return runtime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
