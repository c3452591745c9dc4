"""What the semantic server loads beside its event loop, while requests already wait."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.semantic.evidence_reader import EvidenceReader
    from tools.semantic.index import ChunkIndex
    from tools.semantic.pair_reader import PairReader
    from tools.semantic.phrase_tagger import PhraseTagger
    from tools.semantic.question import QuestionReader


class Loading[T]:
    """Opens something slow beside the event loop, once; a failed try may be repeated."""

    def __init__(self, open_it: Callable[[], T]) -> None:
        self._open = open_it
        self._task: asyncio.Task[T] | None = None

    def begin(self) -> asyncio.Task[T]:
        if self._task is None or (self._task.done() and self._task.exception()):
            self._task = asyncio.create_task(asyncio.to_thread(self._open))
        return self._task

    async def __call__(self) -> T:
        # One caller who gives up must not take it away from the others.
        return await asyncio.shield(self.begin())


def load_index(model: str, *, data_dir: Path) -> "ChunkIndex":
    """Load the embedding model and open its index, on a server if the environment names one.

    Raises ModelUnavailableError, StorageError and StoreVersionError; a server that cannot be used
    says so when it is asked.
    """
    from tools.semantic.chroma_server import ChromaAddress, ServerHome
    from tools.semantic.encoder import load_encoder
    from tools.semantic.index import ChromaIndex

    encoder = load_encoder(model, ollama_url=os.environ.get("BRAIN_OLLAMA_URL", ""))
    if address := ChromaAddress.read(os.environ):
        index = ChromaIndex(ServerHome(address), encoder)
        index.begin()
        return index

    from tools.semantic.chroma_directory import DirectoryHome, open_client

    index = ChromaIndex(DirectoryHome(open_client(data_dir / "chroma")), encoder)
    index.open()
    return index


def load_reader() -> "QuestionReader":
    """Load what questions are read by. Raises ModelUnavailableError, StorageError."""
    from tools.semantic.question import QuestionReader

    return QuestionReader()


def load_tagger() -> "PhraseTagger":
    """Load what tags questions. Raises ModelUnavailableError, StorageError."""
    from tools.semantic.phrase_tagger import PhraseTagger

    return PhraseTagger()


def load_evidence_reader(encoder: str) -> "EvidenceReader":
    """Load what tells which text answers, of the languages that an index's encoder knows.

    Raises ModelUnavailableError, StorageError.
    """
    from tools.semantic.evidence_reader import EvidenceReader, reader_beside

    return EvidenceReader(reader_beside(encoder))


def load_pair_reader() -> "PairReader":
    """Load what tells how two English claims stand to each other.

    Raises ModelUnavailableError, StorageError.
    """
    from tools.semantic.pair_reader import PairReader

    return PairReader()
