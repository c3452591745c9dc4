"""The index of another process: the same port, over the semantic server's socket."""

# ruff: noqa: ASYNC109 - a caller's time limit covers the start of a server and the second try.

import asyncio
import json
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from itertools import batched
from typing import Annotated, Self

import httpcore
import numpy as np
from pydantic import AllowInfNan, BaseModel, TypeAdapter, ValidationError

from tools.base.domain import Json, Marked, Reading, Scores
from tools.base.errors import (
    BrainError,
    InputError,
    ModelUnavailableError,
    ServiceUnavailableError,
    SourceError,
    StorageError,
    StoreVersionError,
)
from tools.runtime.services import Service, ensure
from tools.semantic.chroma_server import store_mark
from tools.semantic.encoder import well_formed
from tools.semantic.index import IndexStatus, Vectors
from tools.semantic.pair_reader import RELATIONS
from tools.semantic.phrase_tagger import LOGITS
from tools.semantic.similarity import Kind

ANSWER_SECONDS = 15.0
"""For one request that may have to start the server and load the model."""

WRITE_SECONDS = 300.0
"""For one request that embeds a batch, with other writers before it."""

_PAUSES = (0.0, 0.2)
"""Seconds before the second and the third try of a request that a server left unanswered."""

_IDLE_CONNECTIONS, _IDLE_SECONDS = 20, 5.0
"""Connections that stay open for the next request, and how long; the server closes them later."""

_PASSAGES_AT_ONCE = 1024
_TEXTS_AT_ONCE = 512
_ERRORS: dict[str, type[BrainError]] = {
    kind.__name__: kind
    for kind in (
        *(InputError, ModelUnavailableError, ServiceUnavailableError),
        *(SourceError, StorageError, StoreVersionError),
    )
}
_LOST = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)
"""A connection that could not be made, or ended before its answer did."""
_FIRST_ERROR = 400
_HITS = TypeAdapter(list[tuple[str, Annotated[float, AllowInfNan(False)]]])
_IDS = TypeAdapter(set[str])
_ID_LIST = TypeAdapter(list[str])
_SCORES = TypeAdapter(list[list[Annotated[float, AllowInfNan(False)] | None]])
_COUNT = TypeAdapter(int)
_STATUS = TypeAdapter(IndexStatus)


class _Failure(BaseModel):
    error: str
    message: str


class SemanticClient:
    """A ``ChunkIndex`` whose calls also take a time limit in seconds.

    It starts the server where none runs and finds it again after a crash; a call that still gets
    no answer raises ServiceUnavailableError. Bound to the event loop of its first call.
    ``ready`` is false until a server has answered, and again from a lost connection on.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        model = service.arguments[service.arguments.index("--model") + 1]
        self._headers = [
            (b"host", b"semantic"),
            (b"x-model", model.encode()),
            (b"x-store", store_mark(dict(service.environment)).encode()),
        ]
        # What httpx sends its requests with: proxies, cookies and redirects cost a local socket
        # twice the time, several times a question.
        self._http = httpcore.AsyncConnectionPool(
            uds=str(service.socket),
            max_keepalive_connections=_IDLE_CONNECTIONS,
            keepalive_expiry=_IDLE_SECONDS,
        )
        self.ready = False
        self._found = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections; the server goes on."""
        await self._http.aclose()

    async def upsert(
        self,
        items: Sequence[tuple[str, str]],
        *,
        timeout: float = WRITE_SECONDS,
    ) -> int:
        """See ChunkIndex; sent in parts, and ``timeout`` holds for each."""
        added = 0
        for start in range(0, len(items), _PASSAGES_AT_ONCE):
            part = items[start : start + _PASSAGES_AT_ONCE]
            body: Json = [[id_, well_formed(text)] for id_, text in part]
            response = await self._post("/upsert", body, timeout)
            with _understood():
                added += _COUNT.validate_json(response.content)
        return added

    async def search(
        self,
        text: str,
        *,
        limit: int,
        kind: Kind = "question",
        timeout: float = ANSWER_SECONDS,
    ) -> list[tuple[str, float]]:
        response = await self._post("/search", [well_formed(text), limit, kind], timeout)
        with _understood():
            return _HITS.validate_json(response.content)

    async def nearest_to(
        self, ids: Sequence[str], *, limit: int, timeout: float = ANSWER_SECONDS
    ) -> list[tuple[str, float]]:
        response = await self._post("/nearest", [list(ids), limit], timeout)
        with _understood():
            return _HITS.validate_json(response.content)

    async def vectors(
        self, ids: Sequence[str], *, timeout: float = ANSWER_SECONDS
    ) -> dict[str, Vectors]:
        """See ChunkIndex; sent in parts, and ``timeout`` holds for each."""
        found: dict[str, Vectors] = {}
        for part in batched(dict.fromkeys(ids), _TEXTS_AT_ONCE):
            rows = _vectors(await self._post("/vectors", list(part), timeout))
            with _understood():
                # A vector has length one; nothing but noughts stands for one that is not stored.
                found |= {id_: row for id_, row in zip(part, rows, strict=True) if row.any()}
        return found

    async def delete(
        self,
        ids: Iterable[str],
        *,
        timeout: float = WRITE_SECONDS,
    ) -> None:
        await self._post("/delete", list(ids), timeout)

    async def ids(self, *, timeout: float = ANSWER_SECONDS) -> set[str]:
        response = await self._send("GET", "/ids", timeout=timeout)
        with _understood():
            return _IDS.validate_json(response.content)

    async def lost(self, ids: Sequence[str], *, timeout: float = ANSWER_SECONDS) -> list[str]:
        response = await self._post("/lost", list(ids), timeout)
        return _ID_LIST.validate_json(response.content)

    async def embed(
        self,
        texts: Sequence[str],
        *,
        timeout: float = WRITE_SECONDS,
    ) -> Vectors:
        """See ChunkIndex; sent in parts, and ``timeout`` holds for each."""
        return await self._embedded("/embed", texts, timeout)

    async def embed_claims(
        self, texts: Sequence[str], *, timeout: float = WRITE_SECONDS
    ) -> Vectors:
        return await self._embedded("/embed-claims", texts, timeout)

    async def _embedded(self, route: str, texts: Sequence[str], timeout: float) -> Vectors:
        parts: list[Vectors] = []
        # One request even for no texts: its answer says how many dimensions there are.
        for start in range(0, max(1, len(texts)), _TEXTS_AT_ONCE):
            body: Json = [well_formed(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            parts.append(_vectors(await self._post(route, body, timeout)))
        with _understood():
            return np.concatenate(parts).astype(np.float32)

    async def read_question(self, text: str, *, timeout: float = ANSWER_SECONDS) -> Vectors:
        """Give the vector by which ``agents/interpreter/classifiers/head.py`` reads a question."""
        response = await self._post("/read", well_formed(text), timeout)
        with _understood():
            return _vectors(response)[0]

    async def tag_question(self, text: str, *, timeout: float = ANSWER_SECONDS) -> Vectors:
        """Give the logits by which the words of a question are tagged."""
        response = await self._post("/tag", well_formed(text), timeout)
        with _understood():
            rows = _vectors(response)
            if rows.shape[1] != 2 + LOGITS:
                raise ValueError("logits of other tags")
            return rows

    async def weigh(
        self, texts: Sequence[Marked], reading: Reading, *, timeout: float = ANSWER_SECONDS
    ) -> Scores:
        """Give the logits that parts of texts answer their questions (``EvidenceReader``)."""
        marked: Json = [
            [well_formed(one.question), well_formed(one.text), [[*mark] for mark in one.marks]]
            for one in texts
        ]
        response = await self._post("/weigh", [marked, reading], timeout)
        with _understood():
            scores = _SCORES.validate_json(response.content)
            if [*map(len, scores)] != [len(one.marks) for one in texts]:
                raise ValueError("a score for each part was asked for")
            return scores

    async def relate(
        self, pairs: Sequence[tuple[str, str]], *, timeout: float = ANSWER_SECONDS
    ) -> Vectors:
        """Give how likely each pair of claims is each of ``RELATIONS`` (``PairReader``)."""
        body: Json = [[well_formed(text) for text in pair] for pair in pairs]
        response = await self._post("/relate", body, timeout)
        with _understood():
            rows = _vectors(response)
            if rows.shape != (len(pairs), len(RELATIONS)):
                raise ValueError("shares of each pair were asked for")
            return rows

    async def status(self, *, timeout: float = ANSWER_SECONDS) -> IndexStatus:
        response = await self._send("GET", "/status", timeout=timeout)
        with _understood():
            return _STATUS.validate_json(response.content)

    async def reset(self, *, timeout: float = WRITE_SECONDS) -> None:
        await self._post("/reset", None, timeout)

    async def _post(self, path: str, body: Json, timeout: float) -> httpcore.Response:
        return await self._send("POST", path, timeout=timeout, content=json.dumps(body).encode())

    async def _send(
        self,
        method: str,
        path: str,
        *,
        timeout: float,
        content: bytes = b"",
    ) -> httpcore.Response:
        try:
            async with asyncio.timeout(timeout):
                response = await self._sent(method, path, content)
        except TimeoutError as error:
            raise ServiceUnavailableError(
                f"The semantic server did not answer within {timeout:g} s; the other sources "
                "still answer. Ask again, or restart it with `brain stop`."
            ) from error
        except _LOST as error:
            raise ServiceUnavailableError(
                "The semantic server ended while it answered; the other sources still answer. "
                "Ask again; if it keeps happening see logs/semantic.log in the data directory."
            ) from error
        if response.status >= _FIRST_ERROR:
            raise _error(response)
        return response

    async def _sent(self, method: str, path: str, content: bytes) -> httpcore.Response:
        if not self._found:
            await ensure(self._service)
            self._found = True
        # Every request may be repeated: what is stored already is not stored twice. More than
        # once, because a server that is just being killed still takes connections.
        for pause in _PAUSES:
            try:
                return await self._request(method, path, content)
            except _LOST:
                self.ready = False
                await asyncio.sleep(pause)
                await ensure(self._service)
        return await self._request(method, path, content)

    async def _request(self, method: str, path: str, content: bytes) -> httpcore.Response:
        headers = [*self._headers, (b"content-length", b"%d" % len(content))]
        address = f"http://semantic{path}"
        response = await self._http.request(method, address, headers=headers, content=content)
        self.ready = True
        return response


@contextmanager
def _understood() -> Generator[None]:
    """An answer that the block cannot read costs this source alone: ServiceUnavailableError."""
    try:
        yield
    except (ValueError, LookupError) as error:
        raise ServiceUnavailableError(
            "The semantic server gave an answer that makes no sense; the other sources still "
            "answer. Restart it with `brain stop`, then ask again."
        ) from error


def _vectors(response: httpcore.Response) -> Vectors:
    with _understood():
        headers = {name.lower(): value for name, value in response.headers}
        shape = int(headers[b"x-rows"]), int(headers[b"x-columns"])
        vectors = np.frombuffer(response.content, "<f4").reshape(shape)
        if not np.isfinite(vectors).all():
            raise ValueError("a vector that is none")
        return vectors


def _error(response: httpcore.Response) -> BrainError:
    try:
        failure = _Failure.model_validate_json(response.content)
    except ValidationError:
        failure = _Failure(error="", message="")
    kind = _ERRORS.get(failure.error)
    if kind is None and response.status == HTTPStatus.NOT_FOUND:
        return ServiceUnavailableError(
            "The semantic server still runs an older version of brain; the other sources still "
            "answer. Run `brain stop`, then try again."
        )
    if kind is None:
        return ServiceUnavailableError(
            f"The semantic server failed (status {response.status}); the other sources still "
            "answer. See logs/semantic.log in the data directory."
        )
    return kind(failure.message)
