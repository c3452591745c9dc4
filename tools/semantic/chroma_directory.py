"""Chroma in a directory that only this process uses."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tools.errors import StorageError

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

COLLECTION = "passages"


def open_client(directory: Path) -> "Client":
    """Open Chroma on a directory that only this process uses. Raises StorageError."""
    import chromadb
    from chromadb.config import Settings

    with _storage_errors():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings = Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(directory, settings=settings)
        return cast("Client", client)


class DirectoryHome:
    """The collection in a directory; a ``Home`` of the index."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def open(self) -> None:
        """See Home; the client is open as long as this process runs."""

    def get(self) -> "Collection":
        return self._client.get_collection(COLLECTION, embedding_function=None)

    def create(self, metadata: Mapping[str, Any], configuration: Any) -> "Collection":
        return self._client.create_collection(
            COLLECTION,
            metadata=dict(metadata),
            configuration=configuration,
            embedding_function=None,
        )

    def drop(self) -> None:
        self._client.delete_collection(COLLECTION)

    def close(self) -> None:
        self._client.close()

    @contextmanager
    def errors(self) -> Generator[None]:
        with _storage_errors():
            yield


@contextmanager
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
