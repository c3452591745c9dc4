"""The Python way in: a vault to ask, search and index."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from graphs.checkpoints.deferred_saver import DeferredSaver
from graphs.contradictions.report import VaultConflicts, dismiss, find_conflicts, scan_for_conflicts
from graphs.core.deps import Deps
from graphs.core.inferred_facts import inferred_warnings
from graphs.core.nodes import compiled, stream
from graphs.core.run_log import Observer
from graphs.core.state import (
    IngestContext,
    IngestReport,
    QueryContext,
    QueryInput,
)
from graphs.core.timings import complete, spent
from graphs.ingest import graph as ingest
from graphs.ingest.graph import Progress
from graphs.ingest.sync_graph import catch_up_with_graph
from graphs.query import graph as query
from graphs.query import replies
from graphs.query.freshness_warnings import freshness_warnings
from graphs.query.interpret import question_context
from graphs.query.progress import QueryProgress
from graphs.query.retrieval import facts as recall
from graphs.query.retrieval.evolution import find_evolution
from graphs.query.retrieval.facts import Connection, Facts
from graphs.stores.index_lock import INDEX_PATIENCE, is_interrupted, only_indexer
from graphs.stores.ownership import require_writable
from graphs.stores.run_record import recorded
from tools.base import guards
from tools.base.domain import (
    Answer,
    Clarification,
    ClarificationOption,
    Evolution,
    Intent,
    Moment,
    Neighbourhood,
    Period,
    QueryPlan,
    Result,
    SourceWarning,
    Status,
)
from tools.base.errors import BrainError, InputError
from tools.graph.changes_over_time import within
from tools.graph.store import NOW
from tools.runtime.tracing import span
from tools.settings.settings import Settings

_COMPLETED = SourceWarning(
    source="index",
    error="The run before this one was interrupted.",
    impact="This one completed it; nothing is lost.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run of the query graph: a question, or the reply to what a thread asked back."""

    asked: QueryInput | Command[Any]
    thread: str
    context: QueryContext
    on_progress: Callable[[QueryProgress], None] | None


class Brain:
    """A vault to ask. Made by ``open_brain``; bound to the event loop it was opened in."""

    def __init__(self, deps: Deps, *, saver: BaseCheckpointSaver[str]) -> None:
        self._deps = deps
        self._saver = DeferredSaver(saver)
        self._query = compiled(query.build(deps), saver=self._saver)
        self._ingest = compiled(ingest.build(deps))
        self._observer = Observer(deps.settings, deps.catalog)

    @property
    def settings(self) -> Settings:
        return self._deps.settings

    async def ask(
        self,
        question: str,
        *,
        intent: Intent | None = None,
        thread_id: str | None = None,
        context: QueryContext | None = None,
        on_progress: Callable[[QueryProgress], None] | None = None,
    ) -> Answer:
        """Answer a question, or ask back.

        When it asks back, ``status`` is ``needs_clarification`` or ``needs_confirmation`` and
        ``resume`` goes on. ``on_progress`` hears of steps, and a model's words as it writes them.
        Raises InputError.
        """
        asked: QueryInput = {"question": question, "intent": intent}
        run = _Run(
            asked=asked,
            thread=guards.thread_id(thread_id) if thread_id else secrets.token_hex(4),
            context=context or QueryContext(),
            on_progress=on_progress,
        )
        if not thread_id:  # nobody can go on with it unless it asks back
            self._saver.defer(run.thread)
        try:
            return await self._observed(run)
        finally:
            self._saver.drop(run.thread)

    async def resume(
        self,
        thread_id: str,
        reply: str,
        *,
        context: QueryContext | None = None,
        on_progress: Callable[[QueryProgress], None] | None = None,
    ) -> Answer:
        """Go on with a question that asked back. ``reply`` is an option's number, or a subject.

        Without a ``context`` it goes on as it was asked. Raises InputError when the thread has no
        open question or the number is out of range; the question then stays open.
        """
        thread = guards.thread_id(thread_id)
        payload = await self._open_question(thread)
        if payload is None:
            raise InputError(
                f"No question is waiting in thread {thread!r}: ask again; "
                "`brain ask` prints the thread when it asks back."
            )
        confirmed = payload["kind"] == "confirmation" and replies.agreed(reply) is not None
        if payload["options"] and not confirmed:
            replies.check_number(reply, options=len(payload["options"]))
        run = _Run(
            asked=Command(resume=reply),
            thread=thread,
            context=context or await self.query_context(thread),
            on_progress=on_progress,
        )
        return await self._observed(run)

    async def query_context(self, thread_id: str) -> QueryContext:
        """Give the knobs of the thread's last question; the defaults where it has none."""
        state = await self._query.aget_state(_thread(guards.thread_id(thread_id)))
        return state.values.get("asked_with", QueryContext())

    async def wake(self) -> None:
        """Start the local servers, or use them, so that they do not end. Raises SourceError."""
        await self._deps.wake()
        await self._deps.index.status()
        await self._deps.graph.status()

    async def interpret(self, question: str, *, intent: Intent | None = None) -> QueryPlan:
        """Read a question without searching. Raises InputError."""
        return await read_question(self._deps, question, intent=intent)

    async def search(self, words: str, *, limit: int = 10) -> tuple[Result, ...]:
        """Notes for some words, from all three sources, best first, excerpts verified."""
        context = QueryContext(interactive=False, limit=limit, mode="local")
        answer = await self.ask(words, intent="exploratory", context=context)
        return answer.results[:limit]

    async def facts(self, subject: str, *, at: Moment = NOW, ever: bool = False) -> Facts:
        """What a note, or what is said about a thing, holds at a moment; ``ever``: at any time.

        Raises InputError for a subject without words, SourceError when the graph does not answer.
        """
        lacking = await self._catch_up()
        found = await recall.find_facts(self._deps, guards.subject(subject), at=at, ever=ever)
        return replace(found, warnings=lacking)

    async def evolution(
        self, concept: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> Evolution:
        """What happened to the notes about a concept from ``since`` to ``until``, oldest first.

        Raises InputError for a concept without words, SourceError when the graph does not answer.
        """
        lacking = await self._catch_up()
        found = await find_evolution(self._deps, guards.subject(concept))
        return replace(within(found, Period(start=since, end=until)), warnings=lacking)

    async def neighbourhood(
        self, name: str, *, hops: int = 1, limit: int = 200, at: Moment | None = NOW
    ) -> Neighbourhood:
        """What lies within ``hops`` (1..4) of the things called ``name``; None is at any time.

        Raises InputError and SourceError.
        """
        lacking = await self._catch_up()
        subject = guards.subject(name)
        paths = await asyncio.to_thread(recall.notes_by_name, self._deps, subject)
        found = await self._deps.graph.around(paths, [subject], hops=hops, limit=limit, at=at)
        return replace(found, warnings=lacking)

    async def connection(
        self, start: str, end: str, *, hops: int = 4, at: Moment = NOW
    ) -> Connection:
        """The way of at most ``hops`` (1..4) edges between two notes that tells most, at a moment.

        Raises InputError and SourceError.
        """
        lacking = await self._catch_up()
        names = guards.subject(start), guards.subject(end)
        found = await recall.find_connection(self._deps, *names, hops=hops, at=at)
        return replace(found, warnings=lacking)

    async def contradictions(
        self, *, unsure: bool = False, on_progress: Callable[[Progress], None] | None = None
    ) -> VaultConflicts:
        """What the whole vault contradicts itself in, and what changed; the first time takes long.

        ``unsure`` adds what is less sure. An interrupted run goes on where it was. Raises
        BusyError, SourceError and StorageError.
        """
        await self._catch_up()
        return await find_conflicts(self._deps, on_progress or (lambda _: None), unsure=unsure)

    async def scan_contradictions(self) -> None:
        """Compare what is not compared yet, for one who holds ``only_scan``.

        Raises SourceError and StorageError.
        """
        await self._catch_up()
        await scan_for_conflicts(self._deps, lambda _: None)

    async def dismiss_contradictions(self, keys: Sequence[str]) -> int:
        """Never tell of these again; how many were told of until now. Raises InputError."""
        return await asyncio.to_thread(dismiss, self._deps, keys)

    async def index(
        self,
        *,
        rebuild: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Bring text index, graph and vectors up to date with the vault.

        One run at a time: raises InputError when another is under way.
        """
        require_writable(self.settings)
        started = time.perf_counter()
        with span("index") as traced, only_indexer(self.settings.data_dir, patience=INDEX_PATIENCE):
            with recorded(self.settings.run_path) as record:

                def tell(progress: Progress) -> None:
                    record.progress(progress.phase, progress.done, progress.total)
                    if on_progress is not None:
                        on_progress(progress)

                lock = round((time.perf_counter() - started) * 1000, 1)
                try:
                    report = await self._complete(tell, rebuild=rebuild)
                    relations = await self._relations()
                except Exception as error:
                    self._observer.failed("index run", error)
                    raise
                total = (time.perf_counter() - started) * 1000
                timings = complete({"lock": lock, **report.timings_ms}, total=total, beside=())
                report = replace(report, timings_ms=timings)
                if not any(warning.source in ("graph", "semantic") for warning in report.warnings):
                    record.completed(relations=relations)
            self._observer.indexed(report, span=traced)
        return report

    async def _complete(self, tell: Callable[[Progress], None], *, rebuild: bool) -> IngestReport:
        """Run to the end, the servers starting meanwhile: reading the notes needs none."""
        soundness = self._deps.catalog.soundness
        interrupted = await asyncio.to_thread(soundness.begin_run, self._deps.clock())
        waking = asyncio.ensure_future(self._wake_ms())
        try:
            report = await self._fill(tell, rebuild=rebuild)
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

    async def _fill(self, tell: Callable[[Progress], None], *, rebuild: bool) -> IngestReport:
        report: IngestReport | None = None
        async for kind, chunk in stream(
            self._ingest,
            {},
            context=IngestContext(rebuild=rebuild),
            stream_mode=["custom", "updates"],
        ):
            update = cast("Mapping[str, Any]", chunk)
            if kind == "custom":
                tell(Progress(**update))
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

    async def _catch_up(self) -> tuple[SourceWarning, ...]:
        """Bring the graph to what is on disk, as far as a question can wait; say what it lacks."""
        fresh, unreadable, _ = await asyncio.gather(
            catch_up_with_graph(self._deps),
            asyncio.to_thread(inferred_warnings, self._deps.inferred),
            self._deps.wake(),
        )
        # Only now: catching up holds the same lock as a run that is under way.
        interrupted = await asyncio.to_thread(is_interrupted, self.settings, self._deps.catalog)
        read_only = self.settings.read_only
        return (
            *freshness_warnings(fresh, interrupted=interrupted, read_only=read_only),
            *unreadable,
        )

    async def _observed(self, run: _Run) -> Answer:
        """Carry the run out, and record how it went."""
        started = time.perf_counter()
        with span("ask") as traced:
            try:
                answer = await self._carried_out(run)
            except Exception as error:
                self._observer.failed("question", error)
                raise
            await asyncio.to_thread(
                self._observer.answered,
                answer,
                took_ms=(time.perf_counter() - started) * 1000,
                now=self._deps.clock(),
                span=traced,
                logged=run.context.logged,
            )
        return answer

    async def _carried_out(self, run: _Run) -> Answer:
        started = time.perf_counter()
        before = await self._spent_before(run)
        answer: Answer | None = None
        payload: Mapping[str, Any] | None = None
        async for kind, chunk in stream(
            self._query,
            run.asked,
            config=_thread(run.thread),
            context=run.context,
            stream_mode=["custom", "updates"] if run.on_progress else ["updates"],
            durability="exit",
        ):
            if kind == "custom" and run.on_progress is not None:
                run.on_progress(chunk)
                continue
            for node, update in cast("Mapping[str, Any]", chunk).items():
                if node == "__interrupt__":
                    payload = update[0].value
                elif update and "result" in update:
                    answer = update["result"]
        if payload is not None:
            await self._saver.keep(run.thread)
            answer = await self._asked_back(run.thread, payload)
        if answer is None:
            raise RuntimeError("the query graph ended without an answer")
        total = before + (time.perf_counter() - started) * 1000
        return replace(answer, timings_ms=complete(answer.timings_ms, total=total))

    async def _spent_before(self, run: _Run) -> float:
        """Milliseconds that a question took until it asked back; the person's own do not count."""
        if not isinstance(run.asked, Command):
            return 0.0
        state = await self._query.aget_state(_thread(run.thread))
        return spent(state.values.get("timings_ms", {}))

    async def _asked_back(self, thread: str, payload: Mapping[str, Any]) -> Answer:
        state = await self._query.aget_state(_thread(thread))
        confirming = payload["kind"] == "confirmation"
        status: Status = "needs_confirmation" if confirming else "needs_clarification"
        plan: QueryPlan = state.values["plan"]
        options = tuple(
            ClarificationOption(
                number=option["number"],
                label=option["label"],
                intent=option.get("intent", plan.intent),
                notes=tuple(option.get("notes", ())),
            )
            for option in payload["options"]
        )
        return Answer(
            status=status,
            query=state.values["question"],
            thread_id=thread,
            plan=plan,
            clarification=Clarification(question=payload["question"], options=options),
            timings_ms=state.values["timings_ms"],
        )

    async def _open_question(self, thread: str) -> Mapping[str, Any] | None:
        state = await self._query.aget_state(_thread(thread))
        return state.interrupts[0].value if state.interrupts else None


async def read_question(deps: Deps, question: str, *, intent: Intent | None = None) -> QueryPlan:
    """Read a question as the graph would. Raises InputError."""
    asked = await asyncio.to_thread(question_context, deps, QueryContext(), intent=intent)
    return await deps.interpret(guards.question(question), asked)


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}
