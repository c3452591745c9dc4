"""Text to vectors: the built-in MiniLM through ONNX, or an embedding model that Ollama serves."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tools.errors import ModelUnavailableError
from tools.semantic import minilm
from tools.telemetry import silence_telemetry

if TYPE_CHECKING:
    from tokenizers import Encoding

BATCH_TOKENS = 512
"""Padded tokens of one run: larger batches are no faster on a CPU and hold more memory."""

BATCH_TEXTS = 64
OLLAMA_TIMEOUT = 60.0
"""Seconds for one batch; the first one may have to load the model."""

OLLAMA_BATCH = 32


class Encoder(Protocol):
    """Gives each text a vector of length one; texts are close when their vectors are."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, in the given order; it blocks and may run in any thread.

        Raises ModelUnavailableError.
        """
        ...


def load_encoder(name: str, *, ollama_url: str) -> Encoder:
    """Load the built-in encoder if ``name`` is its name, otherwise Ollama's model of that name.

    Raises ModelUnavailableError where neither answers, StorageError where the built-in one cannot
    be unpacked into the user's cache.
    """
    if name == minilm.NAME:
        return MiniLmEncoder()
    return OllamaEncoder(name, url=ollama_url)


def well_formed(text: str) -> str:
    """Replace lone surrogates, which neither JSON nor a tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


class MiniLmEncoder:
    """all-MiniLM-L6-v2: English, 384 dimensions, the first 256 tokens of each text."""

    name = minilm.NAME
    dimensions = minilm.DIMENSIONS

    def __init__(self) -> None:
        import platformdirs
        from tokenizers import Tokenizer

        weights = minilm.model_dir()
        tokenizer: object = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self._tokenizer = cast("_Tokenizer", tokenizer)
        # The shipped tokenizer pads everything to 128 tokens and cuts there.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(minilm.MAX_TOKENS)
        graph = minilm.cached_graph(Path(platformdirs.user_cache_dir("brain")))
        if not graph.exists():
            minilm.build(weights, graph)
        self._threads = _cores()
        self._session = _session(graph)
        self._no_change = minilm.no_change()

    def encode(
        self, texts: Sequence[str], *, adapter: minilm.Adapter | None = None
    ) -> NDArray[np.float32]:
        """See Encoder; ``adapter`` changes the model for this call."""
        change = self._no_change if adapter is None else adapter
        encodings = self._tokenizer.encode_batch([well_formed(text) for text in texts])
        lengths = [len(encoding) for encoding in encodings]
        vectors = np.empty((len(texts), self.dimensions), np.float32)

        def run(rows: list[int]) -> None:
            vectors[rows] = self._run([encodings[row] for row in rows], change)

        batches = list(_batches(lengths))
        if len(batches) < 2:
            for rows in batches:
                run(rows)
        else:
            # A thread a batch: threads that share one batch wait for each other all the time. The
            # longest come first, so that the last ones end together.
            with ThreadPoolExecutor(min(self._threads, len(batches))) as threads:
                list(threads.map(run, reversed(batches)))
        return vectors

    def _run(self, encodings: "Sequence[Encoding]", adapter: minilm.Adapter) -> NDArray[np.float32]:
        shape = (len(encodings), max(len(encoding) for encoding in encodings))
        ids = np.zeros(shape, np.int64)
        mask = np.zeros(shape, np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = encoding.ids
            mask[row, : len(encoding)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, **adapter}
        return self._session.run(["vectors"], inputs)[0]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group rows of similar length, so that little of a batch is padding."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Ascending order: this row is the longest of the batch that it would join.
        padded = lengths[row] * (len(batch) + 1)
        if batch and (padded > BATCH_TOKENS or len(batch) == BATCH_TEXTS):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


class _Tokenizer(Protocol):
    """The part of the partly typed class that we use."""

    def no_padding(self) -> None: ...
    def enable_truncation(self, max_length: int) -> None: ...
    def encode_batch(self, texts: Sequence[str]) -> "list[Encoding]": ...


class _Session(Protocol):
    def run(
        self, outputs: Sequence[str], inputs: Mapping[str, NDArray[np.int64] | NDArray[np.float32]]
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


def _session(graph: Path) -> _Session:
    silence_telemetry()
    runtime = cast("_OnnxRuntime", importlib.import_module("onnxruntime"))
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it never gives memory back
    return runtime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def _cores() -> int:
    """Physical cores this process may use: a second thread on one core only gets in the way."""
    import psutil

    physical = psutil.cpu_count(logical=False) or 1
    # macOS has no affinity.
    allowed = len(psutil.Process().cpu_affinity()) if hasattr(psutil.Process, "cpu_affinity") else 0
    return min(physical, allowed or physical)


class OllamaEncoder:
    """An embedding model that Ollama serves; a first call finds its dimensions."""

    def __init__(self, name: str, *, url: str) -> None:
        import ollama

        self.name = name
        self._client = ollama.Client(host=url, timeout=OLLAMA_TIMEOUT)
        self.dimensions = len(self._embed(["dimensions"])[0])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), OLLAMA_BATCH):
            batch = [well_formed(text) for text in texts[start : start + OLLAMA_BATCH]]
            # Some models refuse or drop an empty input.
            rows = np.array(self._embed([text or " " for text in batch]), np.float32)
            if rows.shape != (len(batch), self.dimensions) or not np.isfinite(rows).all():
                raise self._unusable("gave vectors of another shape or with gaps")
            vectors[start : start + len(batch)] = rows
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        vectors /= np.maximum(lengths, np.float32(1e-12))
        return vectors

    def _embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        import httpx
        import ollama

        try:
            vectors = self._client.embed(model=self.name, input=texts, truncate=True).embeddings
        except ollama.ResponseError as error:
            if error.status_code == 404:
                raise self._unusable(f"is not installed: run `ollama pull {self.name}`") from error
            raise self._unusable(f"refused to embed (status {error.status_code})") from error
        except httpx.TimeoutException as error:
            raise self._unusable(f"took longer than {OLLAMA_TIMEOUT:.0f} s") from error
        except (ConnectionError, httpx.HTTPError) as error:
            raise self._unusable("cannot be reached: start Ollama with `ollama serve`") from error
        if not vectors or not vectors[0]:
            raise self._unusable("gave no vectors: it is no embedding model")
        return vectors

    def _unusable(self, problem: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"Embedding model {self.name} {problem}; text search still works, and "
            f"BRAIN_EMBEDDING_MODEL={minilm.NAME} needs no Ollama."
        )
