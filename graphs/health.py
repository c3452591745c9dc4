"""How the vault, the index and the servers are: for ``brain status``."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from graphs.databases import graph_backend
from graphs.resident import resident_service
from graphs.upkeep import is_interrupted, vectors_elsewhere
from tools.errors import BrainError, SourceError
from tools.semantic.chroma_server import ChromaAddress, ChromaServer
from tools.services import is_running, local_services, semantic_service
from tools.settings import Settings
from tools.vault.catalog import Catalog
from tools.vault.files import scan
from tools.vault.history import History
from tools.vault.indexing import plan_changes

_NAMED = 20
"""Notes named for one kind of problem; `brain index --json` names all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Counts and freshness. ``changed`` are notes on disk the index has not read yet.

    ``graph_problem`` and ``vectors_problem`` are why a store at an address cannot be used;
    ``interrupted`` says that the last indexing run did not end.
    """

    vault: str
    notes_on_disk: int
    notes_indexed: int
    changed: int
    removed: int
    passages: int
    vectors_pending: int
    graph_pending: int
    problems: int
    servers: Mapping[str, bool]
    bytes_on_disk: Mapping[str, int]
    graph_problem: str | None = None
    vectors_problem: str | None = None
    interrupted: bool = False


def status(settings: Settings, catalog: Catalog, history: History) -> Status:
    """Look without starting or changing anything."""
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    indexed = catalog.files()
    plan = plan_changes(found.files, indexed, unreadable=found.unreadable)
    counts = catalog.counts()
    left_out = {problem.note_path for problem in catalog.problems()} - indexed.keys()
    services = (*local_services(settings), resident_service(settings))
    return Status(
        vault=settings.vault.name,
        notes_on_disk=len(found.files),
        notes_indexed=counts.notes,
        changed=sum(file.path not in left_out for file in plan.read),
        removed=len(plan.remove),
        passages=counts.passages,
        vectors_pending=counts.passages if vectors_elsewhere(settings) else counts.vectors_pending,
        graph_pending=len(history.ledger.dirty()),
        problems=counts.problems,
        servers={service.name: is_running(service) for service in services},
        bytes_on_disk={
            "index": _size(settings.index_path),
            "history": _size(settings.history_path),
            "vectors": _size(settings.chroma_dir),
            "graph": _size(settings.graph_dir),
        },
        interrupted=is_interrupted(settings, catalog),
    )


async def status_with_servers(settings: Settings, catalog: Catalog, history: History) -> Status:
    """The same, having asked the stores at an address whether they answer."""
    now, graph, vectors = await asyncio.gather(
        asyncio.to_thread(status, settings, catalog, history),
        _graph_unreached(settings),
        asyncio.to_thread(_vectors_unreached, settings),
    )
    return replace(
        now,
        servers={
            **now.servers,
            **({"graph": graph is None} if settings.graph_uri else {}),
            **({"chroma": vectors is None} if settings.chroma_url else {}),
        },
        graph_problem=graph,
        vectors_problem=vectors,
    )


async def _graph_unreached(settings: Settings) -> str | None:
    if settings.graph_uri is None:
        return None
    backend = graph_backend(settings)
    try:
        await backend.reach()
    except SourceError as error:
        return str(error)
    finally:
        await backend.close()
    return None


def _vectors_unreached(settings: Settings) -> str | None:
    address = ChromaAddress.read(dict(semantic_service(settings).environment))
    if address is None:
        return None
    server = ChromaServer(address)
    try:
        server.reach()
    except BrainError as error:
        return str(error)
    finally:
        server.close()
    return None


def _size(path: Path) -> int:
    """Bytes of a file, with what SQLite keeps beside it, or of everything in a folder."""
    if path.is_dir():
        files = (Path(root) / name for root, _, names in os.walk(path) for name in names)
    else:
        files = path.parent.glob(f"{path.name}*")
    return sum(map(_file_size, files))


def _file_size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # a server has just replaced it
        return 0
