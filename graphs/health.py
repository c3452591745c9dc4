"""How the vault, the index and the servers are: for ``brain status`` and ``brain doctor``."""

import asyncio
import os
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from agents.models import probe
from graphs.databases import graph_backend
from graphs.deps import Deps
from graphs.inferred_facts import inferred_warnings
from graphs.upkeep import vectors_elsewhere
from tools.errors import BrainError, SourceError
from tools.problems import by_message, some_of
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

    ``graph_problem`` and ``vectors_problem`` are why a store at an address cannot be used.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at; ``detail`` says what was found and what to do."""

    name: str
    ok: bool
    detail: str


def status(settings: Settings, catalog: Catalog, history: History) -> Status:
    """Look without starting or changing anything."""
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    indexed = catalog.files()
    plan = plan_changes(found.files, indexed, unreadable=found.unreadable)
    counts = catalog.counts()
    left_out = {problem.note_path for problem in catalog.problems()} - indexed.keys()
    services = local_services(settings)
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


async def examine(deps: Deps) -> list[Check]:
    """Compare vault, text index, graph and vectors; start the servers that are needed."""
    await deps.wake()
    now = await asyncio.to_thread(status, deps.settings, deps.catalog, deps.history)
    behind = now.changed + now.removed
    checks = [
        Check(name="vault", ok=True, detail=f"{now.notes_on_disk} notes can be read."),
        Check(
            name="text index",
            ok=behind == 0,
            detail=f"{now.notes_indexed} notes, {now.passages} passages."
            if behind == 0
            else f"{behind} notes changed since: run `brain index`.",
        ),
        await _checked("graph", _graph(deps)),
        await _checked("vectors", _vectors(deps)),
    ]
    unreadable = await asyncio.to_thread(inferred_warnings, deps.inferred)
    checks += [
        Check(name=one.source, ok=False, detail=f"{one.error} {one.impact}") for one in unreadable
    ]
    model = await probe(deps.settings.ollama_url, deps.settings.chat_model)
    checks.append(
        Check(name="language model (optional)", ok=True, detail=model.message or "It answers.")
    )
    undated = (await asyncio.to_thread(deps.catalog.counts)).undated
    if undated:
        detail = f"{undated} notes have only their file's modification time."
        checks.append(Check(name="dates", ok=True, detail=detail))
    problems = by_message(await asyncio.to_thread(deps.catalog.problems))
    checks += [
        Check(
            name="notes",
            ok=True,
            detail=f"{message} ({len(paths)}): {some_of(paths, most=_NAMED)}",
        )
        for message, paths in problems.items()
    ]
    return checks


async def _graph(deps: Deps) -> Check:
    known = await asyncio.to_thread(deps.history.ledger.digests)
    stored = await deps.graph.digests()
    pending = set(await asyncio.to_thread(deps.history.ledger.dirty))
    off = len({path for path, _ in known.items() ^ stored.items()} | pending)
    held = await deps.graph.status()
    detail = f"{held.notes} notes, {held.edges} relations, {held.episodes} versions."
    if off:
        detail = f"{off} notes differ from the index: run `brain index`."
    return Check(name="graph", ok=off == 0, detail=detail)


async def _vectors(deps: Deps) -> Check:
    stored = await deps.index.ids()
    pending = set(await asyncio.to_thread(deps.catalog.outbox.passages))
    unused = set(await asyncio.to_thread(deps.catalog.outbox.unused_vectors))
    known = await asyncio.to_thread(deps.catalog.outbox.vector_count)
    encoder = (await deps.index.status()).encoder
    off = len(pending) + len(unused) + abs(known - len(stored))
    detail = f"{len(stored)} vectors of {encoder}."
    if off:
        detail = f"{off} vectors are missing or not needed any more: run `brain index`."
    return Check(name="vectors", ok=off == 0, detail=detail)


async def _checked(name: str, check: Awaitable[Check]) -> Check:
    try:
        return await check
    except BrainError as error:
        return Check(name=name, ok=False, detail=str(error))


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
