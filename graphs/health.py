"""How the vault, the index and the servers are: for ``brain status``."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from graphs.databases import graph_backend
from graphs.upkeep import is_interrupted
from tools.errors import SourceError
from tools.services import is_running, local_services
from tools.settings import Settings
from tools.vault.catalog import Catalog
from tools.vault.files import scan
from tools.vault.history import History
from tools.vault.indexing import plan_changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Counts and freshness. ``changed`` are notes on disk the index has not read yet.

    ``graph_problem`` is why a graph at an address cannot be used; ``interrupted`` says that the
    last indexing run did not end.
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
    interrupted: bool = False


def status(settings: Settings, catalog: Catalog, history: History) -> Status:
    """Look without starting or changing anything."""
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    plan = plan_changes(found.files, catalog.files())
    counts = catalog.counts()
    services = local_services(settings)
    return Status(
        vault=settings.vault.name,
        notes_on_disk=len(found.files),
        notes_indexed=counts.notes,
        changed=len(plan.read),
        removed=len(plan.remove),
        passages=counts.passages,
        vectors_pending=counts.vectors_pending,
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


async def status_with_graph(settings: Settings, catalog: Catalog, history: History) -> Status:
    """The same, having asked a graph at an address whether it answers."""
    if settings.graph_uri is None:
        return await asyncio.to_thread(status, settings, catalog, history)
    now, problem = await asyncio.gather(
        asyncio.to_thread(status, settings, catalog, history), _unreached(settings)
    )
    servers = {**now.servers, "graph": problem is None}
    return replace(now, servers=servers, graph_problem=problem)


async def _unreached(settings: Settings) -> str | None:
    backend = graph_backend(settings)
    try:
        await backend.reach()
    except SourceError as error:
        return str(error)
    finally:
        await backend.close()
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
