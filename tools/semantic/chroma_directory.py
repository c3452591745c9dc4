"""Chroma in a directory that only this process uses."""

import re
import shutil
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tools.base.errors import StorageError
from tools.runtime.disk_space import is_no_space_message

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

COLLECTION = "passages"
_SEGMENT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def open_client(directory: Path) -> "Client":
    """Open Chroma on a directory that only this process uses. Raises StorageError."""
    import chromadb
    from chromadb.config import Settings

    with _storage_errors():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(directory)
        settings = Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(directory, settings=settings)
        return cast("Client", client)


def _sweep(directory: Path) -> None:
    """Remove the vectors of collections that were deleted: Chroma leaves their folders behind.

    Each has the id of a segment as its name. Where Chroma's list cannot be read nothing is removed.
    """
    database = directory / "chroma.sqlite3"
    if not database.exists():
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as db:
        known = {str(segment) for (segment,) in db.execute("SELECT id FROM segments")}
        for entry in directory.iterdir():
            if _SEGMENT.fullmatch(entry.name) and entry.is_dir() and entry.name not in known:
                shutil.rmtree(entry, ignore_errors=True)


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
        raise StorageError(
            "The semantic index cannot be used: the disk is full, or the quota used up; text "
            "search still works. Free some space and ask again."
            if is_no_space_message(str(error))
            else "The semantic index cannot be read or written; text search still works. "
            "Check the data directory's permissions, or delete its folder `chroma` and index again."
        ) from error
