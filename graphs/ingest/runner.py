"""Runs of the ingest graph: one at a time, each to the end, and recorded."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from graphs.core.aside import aside
from graphs.core.deps import Deps
from graphs.core.ingest_report import IngestReport
from graphs.core.nodes import compiled, stream
from graphs.core.run_log import Observer
from graphs.core.state import IngestContext
from graphs.core.timings import complete
from graphs.ingest import graph
from graphs.ingest.graph import Progress
from graphs.stores.index_lock import INDEX_PATIENCE, only_indexer
from graphs.stores.ownership import require_writable
from graphs.stores.run_record import recorded
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError
from tools.runtime.tracing import span

_COMPLETED = SourceWarning(
    source="index",
    error="The run before this one was interrupted.",
    impact="This one completed it; nothing is lost.",
)


type Notify = Callable[[Progress], Awaitable[None]]


class IngestRunner:
    """Brings text index, graph and vectors up to date with the vault."""

    def __init__(self, deps: Deps, observer: Observer) -> None:
        self._deps = deps
        self._ingest = compiled(graph.build(deps))
        self._observer = observer

    async def run(
        self, *, rebuild: bool, on_progress: Callable[[Progress], None] | None
    ) -> IngestReport:
        """One run. Raises InputError when another is under way."""
        settings = self._deps.settings
        await asyncio.to_thread(require_writable, settings)
        started = time.perf_counter()
        alone = only_indexer(settings.data_dir, patience=INDEX_PATIENCE)
        with span("index") as traced:
            async with aside(alone), aside(recorded(settings.run_path)) as record:

                async def notify(progress: Progress) -> None:
                    told = progress.phase, progress.done, progress.total
                    await asyncio.to_thread(record.progress, *told)
                    if on_progress is not None:
                        on_progress(progress)

                lock = round((time.perf_counter() - started) * 1000, 1)
                try:
                    report = await self._complete(notify, rebuild=rebuild)
                    relations = await self._relations()
                except Exception as error:
                    await asyncio.to_thread(self._observer.failed, "index run", error)
                    raise
                total = (time.perf_counter() - started) * 1000
                timings = complete({"lock": lock, **report.timings_ms}, total=total, beside=())
                report = replace(report, timings_ms=timings)
                if not any(warning.source in ("graph", "semantic") for warning in report.warnings):
                    record.completed(relations=relations)
            await asyncio.to_thread(self._observer.indexed, report, span=traced)
        return report

    async def _complete(self, notify: Notify, *, rebuild: bool) -> IngestReport:
        """Run to the end, the servers starting meanwhile: reading the notes needs none."""
        soundness = self._deps.catalog.soundness
        interrupted = await asyncio.to_thread(soundness.begin_run, self._deps.clock())
        waking = asyncio.ensure_future(self._wake_ms())
        try:
            report = await self._fill(notify, rebuild=rebuild)
            filled = time.perf_counter()
            # The one lies beside the phases; the other is what of it was left when they ended.
            waits = {"scan.wake": await waking}
            waits["wake"] = round((time.perf_counter() - filled) * 1000, 1)
        finally:
            waking.cancel()
        await asyncio.to_thread(soundness.end_run)
        warnings = (_COMPLETED, *report.warnings) if interrupted else report.warnings
        return replace(report, warnings=warnings, timings_ms={**report.timings_ms, **waits})

    async def _wake_ms(self) -> float:
        """Wake the servers, and say how many milliseconds it took."""
        began = time.perf_counter()
        with span("wake"):
            await self._deps.wake()
        return round((time.perf_counter() - began) * 1000, 1)

    async def _fill(self, notify: Notify, *, rebuild: bool) -> IngestReport:
        report: IngestReport | None = None
        async for kind, chunk in stream(
            self._ingest,
            {},
            context=IngestContext(rebuild=rebuild),
            stream_mode=["custom", "updates"],
        ):
            update = cast("Mapping[str, Any]", chunk)
            if kind == "custom":
                await notify(Progress(**update))
            elif "report" in update:
                report = update["report"]["report"]
        if report is None:
            raise RuntimeError("the ingest graph ended without a report")
        return report

    async def _relations(self) -> int | None:
        """How many the graph has now; None where it does not answer."""
        try:
            return (await self._deps.graph.status()).edges
        except BrainError:
            return None
