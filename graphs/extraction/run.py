"""Notes read by a model, one part after another; ended and gone on with at any time."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphs.extraction.chunking import read_parts
from graphs.extraction.plan import Pending, Plan
from tools.base.errors import ModelUnavailableError, ServiceUnavailableError, SourceError
from tools.graph.episodes import EpisodeText
from tools.graph.extraction.graphiti import Extractor
from tools.graph.extraction.job import ExtractionJob, save_job
from tools.graph.extraction.store import InferredStore, NoteVersion
from tools.vault.catalog.catalog import Catalog

FAILURES_IN_A_ROW = 8
"""After so many, whatever is wrong is no single note's fault."""

type OnProgress = Callable[[ExtractionJob], None]


class StoppedError(Exception):
    """The run was told to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionDeps:
    """What a run works with; ``jobs`` is the file in which it says how far it is.

    ``unavailable`` says why the model cannot be asked at all, or None.
    """

    model: str
    encoder: str
    catalog: Catalog
    store: InferredStore
    jobs: Path
    extractor: Extractor
    unavailable: Callable[[], Awaitable[str | None]]


async def run(
    plan: Plan,
    *,
    deps: ExtractionDeps,
    stopping: asyncio.Event,
    on_progress: OnProgress = lambda _: None,
) -> ExtractionJob:
    """Read the plan's notes one after another and say after each part how far it is.

    A note that fails is tried again after the others, three times in all. The run ends before its
    time when it is told to, when nobody can be asked, or when one failure follows another; what
    was read is kept, and another run goes on from there. Raises StorageError.
    """
    report = _Report(plan, deps=deps, on_progress=on_progress)
    await report.publish()
    queue, in_a_row = deque(plan.pending), 0
    try:
        while queue:
            pending = queue.popleft()
            try:
                await _read(pending, deps=deps, report=report, stopping=stopping)
                in_a_row = 0
            except SourceError as error:
                in_a_row += 1
                reason, for_all = await _reason(error, deps)
                if for_all or in_a_row >= FAILURES_IN_A_ROW:
                    return await report.publish(state="stopped", error=reason)
                rest = await _failed(pending, reason, deps=deps)
                failed = report.job.notes_failed + (rest is None)
                await report.publish(error=f"{pending.version.path}: {reason}", notes_failed=failed)
                if rest is not None:
                    queue.append(rest)
    except StoppedError:
        return await report.publish(state="stopped", error="It was told to stop.")
    except asyncio.CancelledError:
        await asyncio.shield(report.publish(state="stopped", error="It was told to stop."))
        raise
    return await report.publish(state="finished")


class _Report:
    """How far the run is, written down at every step."""

    def __init__(self, plan: Plan, *, deps: ExtractionDeps, on_progress: OnProgress) -> None:
        now = datetime.now(UTC)
        self._path = deps.jobs
        self._on_progress = on_progress
        self.job = ExtractionJob(
            folders=plan.folders,
            model=deps.model,
            encoder=deps.encoder,
            state="running",
            started_at=now,
            updated_at=now,
            notes=len(plan.pending),
            parts=sum(len(pending.parts) for pending in plan.pending),
        )

    async def publish(self, **changes: Any) -> ExtractionJob:
        self.job = replace(self.job, updated_at=datetime.now(UTC), **changes)
        await asyncio.to_thread(save_job, self._path, self.job)
        self._on_progress(self.job)
        return self.job


async def _read(
    pending: Pending, *, deps: ExtractionDeps, report: _Report, stopping: asyncio.Event
) -> None:
    """Read the parts of one note that are not read yet, and serve it whole."""
    version, store = pending.version, deps.store
    episodes = await asyncio.to_thread(_episodes, deps.catalog, version)
    if episodes:  # else it changed since the plan was made, and is another run's
        for number, _ in pending.parts:
            started = time.monotonic()
            found = await unless(stopping, deps.extractor.extract(episodes[number]))
            took = time.monotonic() - started
            await asyncio.to_thread(
                store.record, version, part=number, extraction=found, seconds=took
            )
            rate = await asyncio.to_thread(store.rate)
            await report.publish(
                parts_done=report.job.parts_done + 1,
                seconds_per_part=rate.seconds if rate is not None else took,
            )
        await asyncio.to_thread(store.finish, version, at=datetime.now(UTC))
    await report.publish(notes_done=report.job.notes_done + 1)


def _episodes(catalog: Catalog, version: NoteVersion) -> tuple[EpisodeText, ...]:
    """The version's parts, or none when the index has another version by now."""
    record = catalog.records([version.path]).get(version.path)
    if record is None or record.content_hash != version.content_hash:
        return ()
    episodes = read_parts(record, catalog.passages_of([version.path]).get(version.path, ()))
    return episodes if len(episodes) == version.parts else ()


async def _failed(pending: Pending, reason: str, *, deps: ExtractionDeps) -> Pending | None:
    """Count the attempt; return what is left to try, or None when it was the last."""
    version = pending.version
    last = await asyncio.to_thread(deps.store.fail, version, reason)
    done = (await asyncio.to_thread(deps.store.pending, [version])).get(version, frozenset())
    if not last:
        left = tuple((number, size) for number, size in pending.parts if number not in done)
        return replace(pending, parts=left)
    episodes = await asyncio.to_thread(_episodes, deps.catalog, version)
    with suppress(SourceError):  # its text waits in Graphiti's graph for another try
        await deps.extractor.forget(map(deps.extractor.episode_id, episodes))
    return None


async def _reason(error: SourceError, deps: ExtractionDeps) -> tuple[str, bool]:
    """What went wrong in one line, and whether it would for every other note."""
    if isinstance(error, ModelUnavailableError):
        why = await deps.unavailable()
        return why or error.reason, why is not None
    return str(error), isinstance(error, ServiceUnavailableError)


async def unless[T](stopping: asyncio.Event, work: Coroutine[Any, Any, T]) -> T:
    """The outcome of ``work``; StoppedError, with it left unfinished, once the run is to end."""
    if stopping.is_set():
        work.close()
        raise StoppedError
    task, told = asyncio.create_task(work), asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({task, told}, return_when=asyncio.FIRST_COMPLETED)
        if told.done():
            raise StoppedError
        return task.result()
    finally:
        told.cancel()
        task.cancel()
        await asyncio.gather(task, told, return_exceptions=True)
