"""How the vault, the index and the servers are, looked at without starting or changing anything."""

import asyncio
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from graphs.contradictions.progress import ScanState, scan_state
from graphs.core import slow_log
from graphs.core.slow_log import SlowQuestions
from graphs.service.process import query_service
from graphs.stores.index_lock import is_interrupted
from graphs.stores.run_record import IndexRun, last_run
from graphs.stores.store_marks import chroma_address, vectors_in_other_store
from tools.base.domain import NoteFile
from tools.base.errors import BrainError, SourceError, StorageError, StoreVersionError
from tools.graph.store import SCHEMA_VERSION
from tools.runtime.process_memory import memory_of
from tools.runtime.services import (
    Service,
    is_running,
    local_services,
    process_of,
)
from tools.semantic.chroma_server import ChromaServer
from tools.settings.settings import Settings
from tools.temporal.clock import local_now
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import scan
from tools.vault.history.history import History
from tools.vault.indexing.indexing import oldest, plan_changes
from tools.vault.storage.schemas import CATALOG, HISTORY

if TYPE_CHECKING:
    from agents.llm.ollama import Availability


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceStatus:
    """One local process. Memory is that of its children, too; what is unknown is None."""

    name: str
    running: bool
    pid: int | None = None
    memory_bytes: int | None = None
    started_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Counts and freshness. ``changed`` are notes on disk the index has not read yet.

    ``changed_since`` is when the first of them changed, as far as files tell. ``relations`` were
    counted by the last complete run. ``problem_kinds`` counts the notes by what is wrong with them.
    ``undated`` are the notes that have no date but their file's. ``interrupted`` says that the last
    indexing run did not end, ``read_only`` that the data directory may not be changed.
    ``graph_problem`` and ``vectors_problem`` are why a store at an address cannot be used;
    ``model_problem`` is set where a language model is set up and does not answer, and empty where
    it does. ``scan`` is how far the vault is looked through for contradictions, ``scan_problem``
    why that cannot be told.
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
    vectors: int
    versions: int
    undated: int
    relations: int | None
    problem_kinds: Mapping[str, int]
    changed_since: datetime | None
    last_run: IndexRun | None
    under_way: bool
    interrupted: bool
    services: tuple[ServiceStatus, ...]
    slow_questions: SlowQuestions
    program: Mapping[str, str]
    read_only: bool
    graph_problem: str | None = None
    vectors_problem: str | None = None
    model: str | None = None
    model_problem: str | None = None
    model_ready: str = ""
    model_may: str = ""
    scan: ScanState | None = None
    scan_problem: str | None = None


def status(settings: Settings, catalog: Catalog, history: History) -> Status:
    """Look without starting or changing anything."""
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    indexed, problems = catalog.files(), catalog.problems()
    plan = plan_changes(found.files, indexed, unreadable=found.unreadable)
    left_out = {problem.note_path for problem in problems} - indexed.keys()
    changed = tuple(file for file in plan.read if file.path not in left_out)
    counts = catalog.counts()
    run = last_run(settings.run_path)
    complete = run.complete if run else None
    services = tuple(map(_service, (*local_services(settings), query_service(settings))))
    return Status(
        vault=settings.vault.name,
        notes_on_disk=len(found.files),
        notes_indexed=counts.notes,
        changed=len(changed),
        removed=len(plan.remove),
        passages=counts.passages,
        vectors_pending=counts.passages
        if vectors_in_other_store(settings)
        else counts.vectors_pending,
        graph_pending=len(history.ledger.dirty()),
        problems=counts.problems,
        servers={one.name: one.running for one in services},
        bytes_on_disk=_sizes(settings),
        vectors=catalog.outbox.vector_count(),
        versions=history.version_count(),
        undated=counts.undated,
        relations=complete.relations if complete else None,
        problem_kinds=dict(Counter(problem.message for problem in problems).most_common()),
        changed_since=_since(changed, complete.finished_at if complete else None),
        last_run=run,
        under_way=run is not None and run.under_way,
        interrupted=is_interrupted(settings, catalog),
        services=services,
        slow_questions=slow_log.recent(settings.slow_path, now=local_now()),
        program={
            "program": version("second-brain"),
            "index": str(CATALOG.version),
            "history": str(HISTORY.version),
            "graph": str(SCHEMA_VERSION),
            "encoder": catalog.encoder() or "",
        },
        read_only=settings.read_only,
    )


async def whole_status(settings: Settings, catalog: Catalog, history: History) -> Status:
    """The same, having asked the stores at an address and a model that is set up if they answer."""
    now, graph, vectors, model, scan = await asyncio.gather(
        asyncio.to_thread(status, settings, catalog, history),
        _graph_problem(settings),
        asyncio.to_thread(_vectors_problem, settings),
        _model_there(settings),
        asyncio.to_thread(_scan, settings),
    )
    now = now if model is None else _with_model(now, model, settings)
    return replace(
        now,
        servers={
            **now.servers,
            **({"graph": graph is None} if settings.graph_uri else {}),
            **({"chroma": vectors is None} if settings.chroma_url else {}),
        },
        graph_problem=graph,
        vectors_problem=vectors,
        scan=scan if isinstance(scan, ScanState) else None,
        scan_problem=scan if isinstance(scan, str) else None,
    )


def _scan(settings: Settings) -> ScanState | str | None:
    try:
        return scan_state(settings)
    except (StorageError, StoreVersionError) as error:
        return str(error)


async def _graph_problem(settings: Settings) -> str | None:
    if settings.graph_uri is None:
        return None
    from graphs.core.graph_backends import graph_backend

    backend = graph_backend(settings)
    try:
        await backend.reach()
    except SourceError as error:
        return str(error)
    finally:
        await backend.close()
    return None


def _vectors_problem(settings: Settings) -> str | None:
    address = chroma_address(settings)
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


async def _model_there(settings: Settings) -> "Availability | None":
    """Whether a model that is set up answers; None where none is."""
    if not settings.model_named:
        return None
    from agents.llm.language_model import probe

    return await probe(settings.ollama_url, settings.chat_model)


def _with_model(now: Status, there: "Availability", settings: Settings) -> Status:
    """The same, with what is known of the model that is set up."""
    from agents.llm.admission import ModelChecks
    from agents.llm.language_model import provider_of

    name = settings.chat_model
    if not there.has_model:
        return replace(now, model=name, model_problem=there.reason)
    return replace(
        now,
        model=name,
        model_problem="",
        # Who is elsewhere was not asked.
        model_ready=there.message if provider_of(name) else f"{name} answers.",
        model_may=ModelChecks(settings.model_checks).may_decide(name),
    )


def _service(service: Service) -> ServiceStatus:
    running = is_running(service)
    process = process_of(service) if running else None
    if process is None:
        return ServiceStatus(name=service.name, running=running)
    try:
        # A server that it started is in a session of its own, and counted by itself.
        session = os.getsid(process.pid)
        children = process.children(recursive=True)
        family = [process, *(one for one in children if os.getsid(one.pid) == session)]
        return ServiceStatus(
            name=service.name,
            running=True,
            pid=process.pid,
            memory_bytes=memory_of(family),
            started_at=datetime.fromtimestamp(process.create_time(), UTC),
        )
    except (psutil.Error, ProcessLookupError):  # it has just ended, or may not be looked at
        return ServiceStatus(name=service.name, running=running, pid=process.pid)


def _since(changed: tuple[NoteFile, ...], complete: datetime | None) -> datetime | None:
    """When the first of the changed files changed; a copy keeps an older file's time."""
    first = oldest(changed, now=datetime.now(UTC))
    return first if first is None or complete is None else max(first, complete)


def _sizes(settings: Settings) -> dict[str, int]:
    stores = {
        "index": settings.index_path,
        "history": settings.history_path,
        "vectors": settings.chroma_dir,
        "graph": settings.graph_dir,
        "questions": settings.checkpoint_path,
        "link feedback": settings.link_feedback_path,
        "logs": settings.data_dir / "logs",
    }
    return {name: _size(path) for name, path in stores.items()}


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
