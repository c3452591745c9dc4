"""The vectors of all passages: stored and searched by Chroma, wherever it keeps them.

Only ids and vectors are stored here; the passages themselves live elsewhere.
"""

import asyncio
import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tools.base.errors import StorageError, StoreVersionError
from tools.semantic.encoder import Encoder
from tools.semantic.similarity import Kind, calibrated

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

SCHEMA_VERSION = 1

_SEARCH_WIDTH = 500
"""Passages that a search keeps in view: with 100 it misses a tenth of the nearest 60 of 46,000."""

_IDS_AT_ONCE = 1000
_REQUESTS_AT_ONCE = 8
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

    async def search(
        self, text: str, *, limit: int, kind: Kind = "question"
    ) -> list[tuple[str, float]]:
        """Return (vector id, calibrated similarity) of the closest passages, best first.

        They answer a question, or say what a statement says.
        """
        ...

    async def nearest_to(self, ids: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
        """Return (vector id, cosine) of the passages closest to the mean of these, best first.

        They are among them themselves. Nothing is close to ids that are not stored.
        """
        ...

    async def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vector of each of these ids that is stored."""
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

    async def embed_claims(self, texts: Sequence[str]) -> Vectors:
        """The same of many texts that are only compared with each other (``Encoder``)."""
        ...

    async def status(self) -> IndexStatus: ...

    async def reset(self) -> None:
        """Forget everything."""
        ...


class Home(Protocol):
    """Where the collection of a vault's vectors is kept, and what its failures mean.

    ``get`` and ``drop`` raise Chroma's NotFoundError where there is no such collection.
    """

    def open(self) -> None:
        """Make contact, before anything else; again after a collection was lost."""
        ...

    def get(self) -> "Collection": ...
    def create(self, metadata: Mapping[str, Any], configuration: Any) -> "Collection": ...
    def drop(self) -> None: ...

    def errors(self) -> AbstractContextManager[None]:
        """Turn what goes wrong in the block into a SourceError or StorageError."""
        ...

    def close(self) -> None: ...


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
    """The index over a collection of Chroma and an encoder.

    A question never waits for an upsert: its text is encoded beside the upsert's. What the
    encoder alone can do goes on while the collection cannot be reached.
    """

    def __init__(self, home: Home, encoder: Encoder) -> None:
        """Nothing is opened yet: see ``open`` and ``begin``."""
        self._home = home
        self._encoder = encoder
        self._collection: Collection | None = None
        self._known = False
        self._opening = threading.Lock()
        self._vectors: OrderedDict[tuple[Kind, str], Vectors] = OrderedDict()
        self._asking = asyncio.Lock()
        self._encoding = asyncio.Lock()
        self._writing = asyncio.Lock()
        # Threads of its own: a server that hangs must not keep the encoder from its.
        self._threads = ThreadPoolExecutor(_REQUESTS_AT_ONCE, "chroma")

    def open(self) -> None:
        """Open the collection of the encoder's vectors; another encoder's is emptied.

        Raises StoreVersionError for a newer format, SourceError and StorageError.
        """
        with self._home.errors():
            self._opened()

    def begin(self) -> None:
        """Open it beside whatever else happens; what fails is told by the next request."""
        self._threads.submit(self.open)

    def close(self) -> None:
        """Let go of the store; what is under way ends by itself."""
        self._threads.shutdown(wait=False)
        self._home.close()

    async def upsert(self, items: Sequence[tuple[str, str]]) -> int:
        texts = dict(items)
        stored = await self._run(self._stored, list(texts))
        missing = {id_: text for id_, text in texts.items() if id_ not in stored}
        if missing:
            async with self._encoding:
                vectors = await asyncio.to_thread(self._encoder.encode, list(missing.values()))
            async with self._writing:  # while the next upsert is encoded
                await self._run(self._write, list(missing), vectors)
        return len(missing)

    async def search(
        self, text: str, *, limit: int, kind: Kind = "question"
    ) -> list[tuple[str, float]]:
        if not text.strip() or limit < 1:
            return []
        vector = (await self._encoded([text], kind))[0]
        try:
            found = await self._run(self._nearest, vector, limit)
        except StorageError:
            # Chroma cannot read a collection whose first vectors are just being written.
            async with self._writing:
                found = await self._run(self._nearest, vector, limit)
        similarities = calibrated(
            np.array([cosine for _, cosine in found]), encoder=self._encoder.name, kind=kind
        )
        return [
            (id_, similarity)
            for (id_, _), similarity in zip(found, similarities.tolist(), strict=True)
        ]

    async def nearest_to(self, ids: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
        if not ids or limit < 1:
            return []
        return await self._run(self._nearest_to, list(ids), limit)

    async def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        return await self._run(self._stored_vectors, ids)

    async def delete(self, ids: Iterable[str]) -> None:
        async with self._writing:
            await self._run(self._delete, list(ids))

    async def ids(self) -> set[str]:
        return await self._run(self._ids)

    async def lost(self, ids: Sequence[str]) -> list[str]:
        return await self._run(self._lost, list(ids))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._encoded(texts, "statement")

    async def embed_claims(self, texts: Sequence[str]) -> Vectors:
        distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        async with self._encoding:  # no question waits for it, nor is pushed out of memory
            vectors = await asyncio.to_thread(self._encoder.encode_claims, list(distinct))
        return vectors[[distinct[text] for text in texts]]

    async def _encoded(self, texts: Sequence[str], kind: Kind) -> Vectors:
        known = {text: self._remembered((kind, text)) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        if missing:
            own = self._encoder
            encode = own.encode_questions if kind == "question" else own.encode
            async with self._asking:
                vectors = await asyncio.to_thread(encode, missing)
            for text, vector in zip(missing, vectors, strict=True):
                known[text] = self._remember((kind, text), vector)
        rows = [vector for text in texts if (vector := known[text]) is not None]
        return np.array(rows, np.float32).reshape(len(texts), self._encoder.dimensions)

    async def status(self) -> IndexStatus:
        count, replaced = await self._run(self._state)
        return IndexStatus(
            count=count,
            encoder=self._encoder.name,
            dimensions=self._encoder.dimensions,
            reembedding_reason=replaced or None if not count else None,
        )

    async def reset(self) -> None:
        async with self._writing:
            await self._run(self._replace)

    def _remembered(self, text: tuple[Kind, str]) -> Vectors | None:
        vector = self._vectors.get(text)
        if vector is not None:
            self._vectors.move_to_end(text)
        return vector

    def _remember(self, text: tuple[Kind, str], vector: Vectors) -> Vectors:
        # A copy: a row would keep its whole batch in memory.
        self._vectors[text] = vector.copy()
        if len(self._vectors) > _REMEMBERED_VECTORS:
            self._vectors.popitem(last=False)
        return vector

    async def _run[*A, T](self, work: Callable[[*A], T], *arguments: *A) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(work, *arguments))

    def _stored(self, ids: Sequence[str]) -> set[str]:
        return {
            id_
            for part in _parts(ids, _IDS_AT_ONCE)
            for id_ in self._use(lambda all_, part=part: all_.get(ids=part, include=[]))["ids"]
        }

    def _write(self, ids: list[str], vectors: Vectors) -> None:
        self._use(lambda all_: all_.upsert(ids=ids, embeddings=vectors))

    def _nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        def ask(collection: "Collection") -> list[tuple[str, float]]:
            found = collection.query(
                query_embeddings=vector, n_results=limit, include=["distances"]
            )
            distances = found["distances"] or [[]]
            pairs = zip(found["ids"][0], distances[0], strict=True)
            return [(id_, 1.0 - distance) for id_, distance in pairs]

        return self._use(ask)

    def _nearest_to(self, ids: Sequence[str], limit: int) -> list[tuple[str, float]]:
        vectors = [*self._stored_vectors(ids).values()]
        return self._nearest(np.mean(vectors, axis=0), limit) if vectors else []

    def _stored_vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        for part in _parts([*dict.fromkeys(ids)], _IDS_AT_ONCE):
            stored = self._use(lambda all_, part=part: all_.get(ids=part, include=["embeddings"]))
            found |= zip(stored["ids"], np.array(stored["embeddings"], np.float32), strict=True)
        return found

    def _delete(self, ids: Sequence[str]) -> None:
        for part in _parts(ids, _IDS_AT_ONCE):
            self._use(lambda all_, part=part: all_.delete(ids=part))

    def _ids(self) -> set[str]:
        return self._use(lambda all_: set(all_.get(include=[])["ids"]))

    def _state(self) -> tuple[int, str]:
        """How many vectors there are, and why the collection was emptied, if it was."""
        return self._use(
            lambda all_: (all_.count(), str((all_.metadata or {}).get("replaced", "")))
        )

    def _lost(self, ids: Sequence[str]) -> list[str]:
        if not ids:
            return []

        def look(collection: "Collection") -> set[str]:
            stored = collection.get(ids=list(ids), include=["embeddings"])
            vectors = np.array(stored["embeddings"], np.float32)
            pairs = zip(stored["ids"], vectors, strict=True)
            return {id_ for id_, vector in pairs if _finds(collection, id_, vector)}

        found = self._use(look)
        return [id_ for id_ in ids if id_ not in found]

    def _replace(self) -> None:
        with self._home.errors(), self._opening:
            self._home.open()
            self._collection = self._anew(replaced="")

    def _use[T](self, work: "Callable[[Collection], T]") -> T:
        """Do something with the collection; once more where somebody else made it anew."""
        from chromadb.errors import NotFoundError

        with self._home.errors():
            collection = self._opened()
            try:
                return work(collection)
            except NotFoundError:
                with self._opening:
                    if self._collection is collection:
                        self._collection = None
                return work(self._opened())

    def _opened(self) -> "Collection":
        with self._opening:
            if self._collection is None:
                self._home.open()
                self._collection = self._found()
                self._known = True
            return self._collection

    def _found(self) -> "Collection":
        from chromadb.errors import NotFoundError

        try:
            collection = self._home.get()
        except NotFoundError:
            return self._create(replaced="")
        reason = _outdated(collection.metadata or {}, self._encoder)
        if reason and self._known:
            raise StorageError(
                f"The semantic index was changed by another computer ({reason}); the other sources "
                "still answer. Give each computer a BRAIN_CHROMA_DATABASE of its own, then run "
                "`brain stop`."
            )
        if reason:  # of an empty one nothing is embedded again
            return self._anew(replaced=reason if collection.count() else "")
        _widen(collection)
        return collection

    def _anew(self, *, replaced: str) -> "Collection":
        from chromadb.errors import NotFoundError

        with contextlib.suppress(NotFoundError):
            self._home.drop()
        return self._create(replaced=replaced)

    def _create(self, *, replaced: str) -> "Collection":
        return self._home.create(
            {
                "schema": SCHEMA_VERSION,
                "encoder": self._encoder.name,
                "dimensions": self._encoder.dimensions,
                "replaced": replaced,
            },
            {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": _SEARCH_WIDTH}},
        )


def _widen(collection: "Collection") -> None:
    """Search as widely as now, whatever the collection was made for."""
    graph: Mapping[str, Any] | None = collection.configuration_json.get("hnsw")
    if graph and graph.get("ef_search") != _SEARCH_WIDTH:
        collection.modify(configuration={"hnsw": {"ef_search": _SEARCH_WIDTH}})


def _finds(collection: "Collection", id_: str, vector: Vectors) -> bool:
    found = collection.query(
        query_embeddings=vector[None], n_results=_FOUND_AMONG, include=["distances"]
    )
    # Of passages that read alike more than were asked for may be as near.
    return id_ in found["ids"][0] or (found["distances"] or [[1.0]])[0][-1] < _SAME


def _parts(values: Sequence[str], size: int) -> Iterator[list[str]]:
    return (list(values[start : start + size]) for start in range(0, len(values), size))
