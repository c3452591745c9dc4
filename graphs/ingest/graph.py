"""The graph of indexing: scan → text → graph → vectors.

Text and graph are usable as soon as their node is done, while vectors fill in. Each store's
acknowledgement is recorded after it has the data: the next run completes one that was killed.
"""

import asyncio
import contextlib
import operator
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from graphs.core.deps import Deps
from graphs.core.encoder_choice import choose_encoder
from graphs.core.ingest_report import IngestReport
from graphs.core.nodes import Node, Update, add_node, timed
from graphs.core.state import IngestContext, merge_timings
from graphs.ingest.sync_graph import fill_graph
from graphs.stores.freshness import unreached_warnings
from graphs.stores.store_marks import (
    mark_filled,
    remove_marks,
    vectors_in_other_store,
    vectors_mark,
)
from tools.base.domain import SourceWarning
from tools.base.errors import SourceError, StorageError
from tools.text.voice import counted
from tools.vault.catalog.embedded_texts import embedded_texts
from tools.vault.disk.files import Scan, scan
from tools.vault.git.repository import read_log
from tools.vault.indexing.indexing import TextReport, index_text, plan_changes

_SMALLEST_BATCH, _LARGEST_BATCH = 64, 1024
"""Passages sent to be embedded at once: smaller ones take the encoder more time for each."""
_BATCH_SECONDS = 10.0
"""One hears so often how far it is, unless the smallest batch takes longer."""
NAMED = 20
"""How many notes a report names."""

Phase = Literal["text", "history", "graph", "vectors", "claims", "comparing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far one phase is: versions for history, passages for vectors, else notes."""

    phase: Phase
    done: int
    total: int


_REMADE = SourceWarning(
    source="index",
    error="The index had an older format and was made anew from the notes.",
    impact="Nothing is lost, and no passage that had its vector was embedded again.",
)


class IngestInput(TypedDict):
    """Nothing is needed: the vault is a setting."""


class IngestOutput(TypedDict):
    """What the run did."""

    report: IngestReport


class IngestState(TypedDict):
    """What is known so far; names and counts, not notes, so that memory stays bounded."""

    scanned: Scan
    text: TextReport
    graph_written: int
    vectors_written: int
    vectors_removed: int
    warnings: Annotated[list[SourceWarning], operator.add]
    timings_ms: Annotated[dict[str, float], merge_timings]
    report: IngestReport


def build(
    deps: Deps,
) -> StateGraph[IngestState, IngestContext, IngestInput, IngestOutput]:
    """Build the graph. A store that fails costs its own phase only, with a warning."""
    settings, catalog = deps.settings, deps.catalog

    async def scan_vault(state: IngestState) -> Update:  # noqa: ARG001
        def run() -> Update:
            found = scan(
                settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes
            )
            try:
                log = read_log(settings.vault, after=deps.history.git_head())
            except SourceError as error:
                return {"scanned": found, "warnings": [_behind(error)]}
            if log is not None:
                deps.history.record_git(log, read_at=deps.clock())
            return {"scanned": found}

        return await asyncio.to_thread(run)

    async def text(state: IngestState, runtime: Runtime[IngestContext]) -> Update:
        rebuild, tell = _rebuild(runtime), runtime.stream_writer
        cancelled = threading.Event()

        def progress(done: int, total: int) -> None:
            if cancelled.is_set():  # a thread cannot be stopped from outside
                raise InterruptedError
            tell(_progress("text", done, total))

        def run() -> tuple[list[SourceWarning], TextReport]:
            scanned = state["scanned"]
            plan = plan_changes(
                scanned.files, catalog.files(), everything=rebuild, unreadable=scanned.unreadable
            )
            return unreached_warnings(plan.unreached), index_text(
                plan,
                root=settings.vault,
                catalog=catalog,
                history=deps.history,
                seen_at=deps.clock(),
                moved_since=catalog.soundness.began(),
                max_bytes=settings.max_note_bytes,
                git=deps.history.git_dates() if plan.read else {},
                known_problems=scanned.problems,
                progress=lambda done: progress(done, len(plan.read)),
            )

        try:
            warnings, done = await asyncio.to_thread(run)
            return {"text": done, "warnings": warnings}
        finally:
            cancelled.set()

    async def graph(state: IngestState, runtime: Runtime[IngestContext]) -> Update:  # noqa: ARG001
        try:
            tell = runtime.stream_writer
            filled = await fill_graph(
                deps,
                lambda phase, done, total: tell(_progress(phase, done, total)),
                rebuild=_rebuild(runtime),
            )
        except (SourceError, StorageError) as error:
            return {"graph_written": 0, "warnings": [_lost("graph", error)]}
        return {"graph_written": filled.written, "warnings": list(filled.warnings)}

    async def vectors(state: IngestState, runtime: Runtime[IngestContext]) -> Update:
        # Embedding takes longest: what is usable by now shall not wait for it at its full size.
        await _tidy(deps, after=len(state["text"].written))
        try:
            return await _fill_vectors(deps, runtime.stream_writer, rebuild=_rebuild(runtime))
        except (SourceError, StorageError) as error:
            lacking = (await asyncio.to_thread(catalog.counts)).vectors_pending
            return {
                "vectors_written": 0,
                "vectors_removed": 0,
                "warnings": [_lost("semantic", error, lacking=lacking)],
            }

    async def report(state: IngestState) -> Update:
        counts = await asyncio.to_thread(catalog.counts)
        problems = await asyncio.to_thread(catalog.problems)
        cut = await asyncio.to_thread(deps.history.cut)
        remade = await asyncio.to_thread(catalog.was_remade)
        written = len(state["text"].written)
        with contextlib.suppress(StorageError):  # a full disk has it said once more
            await asyncio.to_thread(catalog.acknowledge_remade)
        await _tidy(deps, after=0)
        done = IngestReport(
            notes=counts.notes,
            written=written,
            removed=len(state["text"].removed),
            named=(*state["text"].written, *state["text"].removed)[:NAMED],
            unchanged=state["text"].unchanged,
            graph_written=state["graph_written"],
            vectors_written=state["vectors_written"],
            vectors_removed=state["vectors_removed"],
            undated=counts.undated,
            problems=tuple(problems),
            warnings=(
                *([_REMADE] if remade else []),
                *state["warnings"],
                *([_cut(cut)] if cut else []),
            ),
            timings_ms=state["timings_ms"],
        )
        return {"report": done}

    builder = StateGraph(
        IngestState,
        context_schema=IngestContext,
        input_schema=IngestInput,
        output_schema=IngestOutput,
    )
    nodes: dict[str, Node] = {"scan": scan_vault, "text": text, "graph": graph, "vectors": vectors}
    for name, node in nodes.items():
        add_node(builder, name, timed(name, node, key="timings_ms"))
    add_node(builder, "report", report)
    order = [START, *nodes, "report", END]
    for before, after in pairwise(order):
        builder.add_edge(before, after)
    return builder


async def _tidy(deps: Deps, *, after: int) -> None:
    with contextlib.suppress(StorageError):  # a full disk leaves what is there as it is
        await asyncio.to_thread(deps.catalog.tidy, after=after)
        await asyncio.to_thread(deps.history.tidy)


async def _fill_vectors(deps: Deps, tell: Callable[[Any], None], *, rebuild: bool) -> Update:
    """Embed the passages that have no vector, and drop the vectors that no passage needs."""
    catalog, index = deps.catalog, deps.index
    await asyncio.to_thread(choose_encoder, deps.settings, catalog)
    await deps.use_encoder()
    if rebuild:
        await index.reset()
    status = await index.status()
    moved = await asyncio.to_thread(vectors_in_other_store, deps.settings)
    if moved or status.count != await asyncio.to_thread(catalog.outbox.vector_count):
        await asyncio.to_thread(catalog.outbox.replace_vectors, await index.ids())
        await asyncio.to_thread(remove_marks, deps.settings.chroma_dir)
    await asyncio.to_thread(catalog.outbox.set_encoder, status.encoder)
    pending = await asyncio.to_thread(catalog.outbox.passages)
    embedded = await _embed(deps, pending, tell) if pending else 0
    unused = await asyncio.to_thread(catalog.outbox.unused_vectors)
    if unused:
        await index.delete(unused)
        await asyncio.to_thread(catalog.outbox.acknowledge_vectors, (), unused)
    await asyncio.to_thread(mark_filled, vectors_mark(deps.settings))
    update: Update = {"vectors_written": embedded, "vectors_removed": len(unused)}
    if moved:
        update["warnings"] = [_moved(embedded)]
    elif status.reembedding_reason:
        update["warnings"] = [
            SourceWarning(
                source="semantic",
                error=f"All passages were embedded again: {status.reembedding_reason}.",
                impact="Nothing is lost.",
            )
        ]
    return update


async def _embed(deps: Deps, pending: Sequence[str], tell: Callable[[Any], None]) -> int:
    """Embed passages, and acknowledge each batch once the index has it; return how many."""
    settings, catalog = deps.settings, deps.catalog
    waiting = iter(pending)
    done = embedded = 0
    tell(_progress("vectors", done, len(pending)))
    started = time.monotonic()

    async def send() -> None:
        nonlocal done, embedded
        while batch := list(islice(waiting, batch_size(done, time.monotonic() - started))):
            texts = await asyncio.to_thread(
                embedded_texts,
                batch,
                root=settings.vault,
                catalog=catalog,
                max_bytes=settings.max_note_bytes,
            )
            await deps.index.upsert(list(texts.items()))
            await asyncio.to_thread(catalog.outbox.acknowledge_vectors, texts)
            done, embedded = done + len(batch), embedded + len(texts)
            tell(_progress("vectors", done, len(pending)))

    # While one batch is acknowledged the next is on its way: the encoder never waits.
    senders = [asyncio.create_task(send()) for _ in range(2)]
    try:
        await asyncio.gather(*senders)
    finally:
        for sender in senders:
            sender.cancel()
    return embedded


def batch_size(done: int, seconds: float) -> int:
    """How many passages to embed at once, after so many in so many seconds."""
    pace = done / seconds if done else 0.0
    return min(max(int(pace * _BATCH_SECONDS), _SMALLEST_BATCH), _LARGEST_BATCH)


def _rebuild(runtime: Runtime[IngestContext]) -> bool:
    return (runtime.context or IngestContext()).rebuild


def _progress(phase: Phase, done: int, total: int) -> dict[str, Any]:
    return asdict(Progress(phase=phase, done=done, total=total))


def _cut(reason: str) -> SourceWarning:
    return SourceWarning(
        source="history", error=reason, impact="What held before is answered from later versions."
    )


def _behind(error: SourceError) -> SourceWarning:
    return SourceWarning(
        source="history",
        error=str(error),
        impact="The notes are indexed and what was known of their past is kept; "
        "the next `brain index` reads the rest.",
    )


def _moved(embedded: int) -> SourceWarning:
    passages = counted(embedded, "passage was", "passages were")
    return SourceWarning(
        source="semantic",
        error=f"The vectors are kept elsewhere now: {passages} embedded there.",
        impact="Nothing is lost; what the former place holds is not used any more.",
    )


def _lost(source: str, error: SourceError | StorageError, *, lacking: int = 0) -> SourceWarning:
    without = (
        f"; {counted(lacking, 'passage has', 'passages have')} no vector yet" if lacking else ""
    )
    return SourceWarning(
        source=source,
        error=str(error),
        impact=f"The rest is indexed{without}; run `brain index` again to complete it.",
    )
