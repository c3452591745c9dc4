"""Runs of the query graph: each from a question, or a reply, to one answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from graphs.core.deps import Deps
from graphs.core.nodes import compiled, stream
from graphs.core.run_log import Observer
from graphs.core.state import QueryContext, QueryInput
from graphs.core.timings import complete, spent
from graphs.query import graph
from graphs.query.progress import QueryProgress
from tools.base.domain import Answer, Clarification, ClarificationOption, QueryPlan, Status
from tools.runtime.tracing import span


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRun:
    """One run of the query graph: a question, or the reply to what a thread asked back."""

    asked: QueryInput | Command[Any]
    thread: str
    context: QueryContext
    on_progress: Callable[[QueryProgress], None] | None


class QueryRunner:
    """Carries runs out and records how they went; ``keep`` has a thread wait for its reply."""

    def __init__(
        self,
        deps: Deps,
        saver: BaseCheckpointSaver[str],
        observer: Observer,
        *,
        keep: Callable[[str], Awaitable[None]],
    ) -> None:
        self._query = compiled(graph.build(deps), saver=saver)
        self._observer = observer
        self._clock = deps.clock
        self._keep = keep

    async def context(self, thread: str) -> QueryContext:
        """The knobs of the thread's last question; the defaults where it has none."""
        state = await self._query.aget_state(_thread(thread))
        return state.values.get("asked_with", QueryContext())

    async def run(self, run: QueryRun) -> Answer:
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
                now=self._clock(),
                span=traced,
                logged=run.context.logged,
            )
        return answer

    async def _carried_out(self, run: QueryRun) -> Answer:
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
            await self._keep(run.thread)
            answer = await self._asked_back(run.thread, payload)
        if answer is None:
            raise RuntimeError("the query graph ended without an answer")
        total = before + (time.perf_counter() - started) * 1000
        beside = answer.plan.route if answer.plan else ()
        timings = complete(answer.timings_ms, total=total, beside=beside)
        return replace(answer, timings_ms=timings)

    async def _spent_before(self, run: QueryRun) -> float:
        """Milliseconds that a question took until it asked back; the person's own do not count."""
        if not isinstance(run.asked, Command):
            return 0.0
        state = await self._query.aget_state(_thread(run.thread))
        plan: QueryPlan | None = state.values.get("plan")
        beside = plan.route if plan else ()
        return spent(state.values.get("timings_ms", {}), beside=beside)

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

    async def open_question(self, thread: str) -> Mapping[str, Any] | None:
        """What a thread asked back and nobody has replied to."""
        state = await self._query.aget_state(_thread(thread))
        return state.interrupts[0].value if state.interrupts else None


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}
