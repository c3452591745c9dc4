"""Text to vectors: the built-in encoders through ONNX, or an embedding model that Ollama serves."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import batched, groupby
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.base.errors import ModelUnavailableError
from tools.semantic import e5, minilm
from tools.semantic.encoder_graph import DIMENSIONS, MAX_TOKENS, Weights, encoder_graph
from tools.semantic.onnx_format import Model
from tools.semantic.question import SEARCHING, changed
from tools.semantic.text_model import TextModel, cores, well_formed
from tools.text.language import is_turkish

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

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same of questions: a row is close to those of the passages that answer."""
        ...

    def encode_claims(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same of texts that are only compared with each other: sooner, a little less exact.

        For one thread at a time. The first call may have to build a network: raises StorageError as
        ``load_encoder`` does, too.
        """
        ...


def load_encoder(name: str, *, ollama_url: str) -> Encoder:
    """Load the built-in encoder of that name, otherwise Ollama's model.

    Raises ModelUnavailableError where neither answers, StorageError where the built-in one cannot
    be unpacked into the user's cache.
    """
    if name == minilm.NAME:
        return MiniLmEncoder()
    if name == e5.NAME:
        return E5Encoder()
    return OllamaEncoder(name, url=ollama_url)


_AT_ONCE, _TOKENS = 16, 512
"""Texts of one length that are encoded together, and their tokens: what more of them save in calls,
they lose in the processor's cache."""


class MiniLmEncoder:
    """all-MiniLM-L6-v2: English, 384 dimensions, the first 256 tokens of each text."""

    name = minilm.NAME
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._model = TextModel(max_tokens=MAX_TOKENS, cut="end")
        self._asking = changed(SEARCHING[self.name], max_tokens=MAX_TOKENS, cut="end")

    @cached_property
    def _comparing(self) -> TextModel:
        """A network that only a scan of the whole vault needs."""
        name = hashlib.sha256(f"{minilm.MINILM.mark} in bytes".encode()).hexdigest()
        return TextModel(max_tokens=MAX_TOKENS, cut="end", network=_network_in_bytes, name=name)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _vectors(texts, self._model, at_once=_AT_ONCE)

    def encode_claims(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _vectors(texts, self._comparing, at_once=_AT_ONCE)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        # It reads English: what was learned of questions leads a Turkish one astray.
        models = [self._model if is_turkish(text) else self._asking for text in texts]
        rows = [_vectors([text], own) for text, own in zip(texts, models, strict=True)]
        return np.array(rows, np.float32).reshape(len(texts), self.dimensions)


class E5Encoder:
    """multilingual-e5-small: a hundred languages, 384 dimensions, the first 256 tokens."""

    name = e5.NAME
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        # Its published numbers have 4 bits: products of 8 bits lose nothing more.
        self._model = TextModel(
            max_tokens=MAX_TOKENS, cut="end", base=e5.E5, network=_network_in_bytes
        )
        self._asking = changed(SEARCHING[self.name], max_tokens=MAX_TOKENS, cut="end", base=e5.E5)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _vectors([f"{e5.PASSAGE}{text}" for text in texts], self._model)

    def encode_claims(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _vectors([f"{e5.QUESTION}{text}" for text in texts], self._asking)


def _network_in_bytes(weights: Weights) -> Model:
    return encoder_graph(weights, in_bytes=True)


def _vectors(texts: Sequence[str], model: TextModel, *, at_once: int = 1) -> NDArray[np.float32]:
    """The vector of each text; so many of one length ``at_once``."""
    encodings = model.tokens(texts)
    vectors = np.empty((len(texts), DIMENSIONS), np.float32)

    def run(rows: Sequence[int]) -> None:
        vectors[list(rows)] = model.vectors([encodings[row] for row in rows])

    # The longest come first, so that the last ones end together.
    rows = sorted(range(len(texts)), key=lambda row: -len(encodings[row]))
    alike = groupby(rows, lambda row: len(encodings[row]))
    parts = [
        part
        for length, same in alike
        for part in batched(same, max(1, min(at_once, _TOKENS // length)))
    ]
    if len(parts) < 2:
        for part in parts:
            run(part)
    else:
        with ThreadPoolExecutor(min(cores(), len(parts))) as threads:
            list(threads.map(run, parts))
    return vectors


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

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts)

    def encode_claims(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts)

    def _embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        import httpx
        import ollama
        from pydantic import ValidationError

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
        except ValidationError as error:
            raise self._unusable("gave no vectors of numbers") from error
        if not vectors or not vectors[0]:
            raise self._unusable("gave no vectors: it is no embedding model")
        return vectors

    def _unusable(self, problem: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"Embedding model {self.name} {problem}; text search still works, and "
            f"BRAIN_ENCODER={minilm.NAME} needs no Ollama."
        )
