"""The vectors of all passages: stored and searched by Chroma, in the process that owns them.

Only ids and vectors are stored here; the passages themselves live elsewhere.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from tools.errors import StorageError, StoreVersionError
from tools.semantic.encoder import Encoder
from tools.semantic.similarity import calibrated

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

SCHEMA_VERSION = 1
COLLECTION = "passages"

_IDS_AT_ONCE = 1000
_REMEMBERED_VECTORS = 4096
_FOUND_AMONG = 10
_SAME = 1e-4
"""Distance below which two vectors are of passages that read alike."""

type Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """What the index holds. ``reembedding_reason`` says why it was emptied, until it fills."""

    count: int
    encoder: str
    dimensions: int
    reembedding_reason: str | None = None


class ChunkIndex(Protocol):
    """Passages by meaning. Each method may raise a SourceError or StorageError."""

    async def upsert(self, items: Sequence[tuple[str, str]]) -> int:
        """Store (vector id, embedding text) pairs; return how many were new and so embedded."""
        ...

    async def search(self, text: str, *, limit: int) -> list[tuple[str, float]]:
        """Return (vector id, calibrated similarity) of the closest passages, best first."""
        ...

    async def delete(self, ids: Iterable[str]) -> None:
        """Forget these ids; unknown ones are ignored."""
        ...

    async def ids(self) -> set[str]:
        """Return every stored id, to compare with the passages that should be here."""
        ...

    async def lost(self, ids: Sequence[str]) -> list[str]:
        """Return those of these stored ids that a search by their own vector does not find."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length one per text: texts × dimensions."""
        ...

    async def status(self) -> IndexStatus: ...

    async def reset(self) -> None:
        """Forget everything."""
        ...


def open_client(directory: Path) -> "ClientAPI":
    """Open Chroma on a directory that only this process uses. Raises StorageError."""
    import chromadb
    from chromadb.config import Settings

    with _storage_errors():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))


def open_index(client: "ClientAPI", encoder: Encoder) -> "ChromaIndex":
    """Open the collection of ``encoder``'s vectors; another encoder's is replaced by an empty one.

    Raises StoreVersionError for a newer format, StorageError for an unreadable one.
    """
    from chromadb.errors import NotFoundError

    with _storage_errors():
        try:
            stored: Mapping[str, object] = _existing(client).metadata or {}
        except NotFoundError:
            _create(client, encoder, replaced="")
        else:
            reason = _outdated(stored, encoder)
            if reason:
                client.delete_collection(COLLECTION)
                _create(client, encoder, replaced=reason)
        return ChromaIndex(client, encoder)


def _existing(client: "ClientAPI") -> "Collection":
    return client.get_collection(COLLECTION, embedding_function=None)


def _create(client: "ClientAPI", encoder: Encoder, *, replaced: str) -> None:
    client.create_collection(
        COLLECTION,
        metadata={
            "schema": SCHEMA_VERSION,
            "encoder": encoder.name,
            "dimensions": encoder.dimensions,
            "replaced": replaced,
        },
        # The default widths lose a tenth of the true neighbours at ten thousand passages.
        configuration={"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 100}},
        embedding_function=None,
    )


def _outdated(stored: Mapping[str, object], encoder: Encoder) -> str | None:
    """Why the stored vectors cannot be used, or None. Raises StoreVersionError."""
    schema = stored.get("schema")
    if isinstance(schema, int) and schema > SCHEMA_VERSION:
        raise StoreVersionError(
            "The semantic index was written by a newer version of brain; text search still works. "
            "Update brain, or use another data directory."
        )
    if schema != SCHEMA_VERSION:
        return "index format changed"
    if stored.get("encoder") != encoder.name:
        return f"embedding model changed from {stored.get('encoder')} to {encoder.name}"
    if stored.get("dimensions") != encoder.dimensions:
        return (
            f"embedding model {encoder.name} changed from {stored.get('dimensions')} "
            f"to {encoder.dimensions} dimensions"
        )
    return None


class ChromaIndex:
    """The index over a Chroma client and an encoder.

    A question never waits for an upsert: its text is encoded beside the upsert's.
    """

    def __init__(self, client: "ClientAPI", encoder: Encoder) -> None:
        self._client = client
        self._encoder = encoder
        self._collection = _existing(client)
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._asking = asyncio.Lock()
        self._encoding = asyncio.Lock()
        self._writing = asyncio.Lock()

    async def upsert(self, items: Sequence[tuple[str, str]]) -> int:
        texts = dict(items)
        stored = await asyncio.to_thread(self._stored, list(texts))
        missing = {id_: text for id_, text in texts.items() if id_ not in stored}
        if missing:
            async with self._encoding:
                vectors = await asyncio.to_thread(self._encoder.encode, list(missing.values()))
            async with self._writing:  # while the next upsert is encoded
                await asyncio.to_thread(self._write, list(missing), vectors)
        return len(missing)

    async def search(self, text: str, *, limit: int) -> list[tuple[str, float]]:
        if not text.strip() or limit < 1:
            return []
        vector = (await self.embed([text]))[0]
        try:
            found = await asyncio.to_thread(self._nearest, vector, limit)
        except StorageError:
            # Chroma cannot read a collection whose first vectors are just being written.
            async with self._writing:
                found = await asyncio.to_thread(self._nearest, vector, limit)
        similarities = calibrated(
            np.array([cosine for _, cosine in found]), encoder=self._encoder.name
        )
        return [
            (id_, similarity)
            for (id_, _), similarity in zip(found, similarities.tolist(), strict=True)
        ]

    async def delete(self, ids: Iterable[str]) -> None:
        async with self._writing:
            await asyncio.to_thread(self._delete, list(ids))

    async def ids(self) -> set[str]:
        return await asyncio.to_thread(self._ids)

    async def lost(self, ids: Sequence[str]) -> list[str]:
        return await asyncio.to_thread(self._lost, list(ids))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        known = {text: self._remembered(text) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        if missing:
            async with self._asking:
                vectors = await asyncio.to_thread(self._encoder.encode, missing)
            for text, vector in zip(missing, vectors, strict=True):
                known[text] = self._remember(text, vector)
        rows = [vector for text in texts if (vector := known[text]) is not None]
        return np.array(rows, np.float32).reshape(len(texts), self._encoder.dimensions)

    async def status(self) -> IndexStatus:
        count = await asyncio.to_thread(self._count)
        replaced = (self._collection.metadata or {}).get("replaced")
        return IndexStatus(
            count=count,
            encoder=self._encoder.name,
            dimensions=self._encoder.dimensions,
            reembedding_reason=str(replaced) if replaced and not count else None,
        )

    async def reset(self) -> None:
        async with self._writing:
            await asyncio.to_thread(self._replace)

    def _remembered(self, text: str) -> Vectors | None:
        vector = self._vectors.get(text)
        if vector is not None:
            self._vectors.move_to_end(text)
        return vector

    def _remember(self, text: str, vector: Vectors) -> Vectors:
        # A copy: a row would keep its whole batch in memory.
        self._vectors[text] = vector.copy()
        if len(self._vectors) > _REMEMBERED_VECTORS:
            self._vectors.popitem(last=False)
        return vector

    def _stored(self, ids: Sequence[str]) -> set[str]:
        with _storage_errors():
            return {
                id_
                for part in _parts(ids, _IDS_AT_ONCE)
                for id_ in self._collection.get(ids=part, include=[])["ids"]
            }

    def _write(self, ids: list[str], vectors: Vectors) -> None:
        with _storage_errors():
            self._collection.upsert(ids=ids, embeddings=vectors)

    def _nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        with _storage_errors():
            found = self._collection.query(
                query_embeddings=vector, n_results=limit, include=["distances"]
            )
        distances = found["distances"] or [[]]
        return [
            (id_, 1.0 - distance)
            for id_, distance in zip(found["ids"][0], distances[0], strict=True)
        ]

    def _delete(self, ids: Sequence[str]) -> None:
        with _storage_errors():
            for part in _parts(ids, _IDS_AT_ONCE):
                self._collection.delete(ids=part)

    def _ids(self) -> set[str]:
        with _storage_errors():
            return set(self._collection.get(include=[])["ids"])

    def _lost(self, ids: Sequence[str]) -> list[str]:
        if not ids:
            return []
        with _storage_errors():
            stored = self._collection.get(ids=list(ids), include=["embeddings"])
            vectors = np.array(stored["embeddings"], np.float32)
            found = {
                id_
                for id_, vector in zip(stored["ids"], vectors, strict=True)
                if self._finds(id_, vector)
            }
        return [id_ for id_ in ids if id_ not in found]

    def _finds(self, id_: str, vector: Vectors) -> bool:
        found = self._collection.query(
            query_embeddings=vector[None], n_results=_FOUND_AMONG, include=["distances"]
        )
        # Of passages that read alike more than were asked for may be as near.
        return id_ in found["ids"][0] or (found["distances"] or [[1.0]])[0][-1] < _SAME

    def _count(self) -> int:
        with _storage_errors():
            return self._collection.count()

    def _replace(self) -> None:
        with _storage_errors():
            self._client.delete_collection(COLLECTION)
            _create(self._client, self._encoder, replaced="")
            self._collection = _existing(self._client)


def _parts(values: Sequence[str], size: int) -> Iterator[list[str]]:
    return (list(values[start : start + size]) for start in range(0, len(values), size))


@contextlib.contextmanager
def _storage_errors() -> Generator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, OSError) as error:
        full = "full" in str(error) or "No space left" in str(error)
        raise StorageError(
            "The semantic index cannot be used: the disk is full; text search still works. "
            "Free some space and ask again."
            if full
            else "The semantic index cannot be read or written; text search still works. "
            "Check the data directory's permissions, or delete its folder `chroma` and index again."
        ) from error
