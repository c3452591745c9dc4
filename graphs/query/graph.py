"""The graph of one question: read, ask back if unsure, search three ways, merge, judge, answer."""

import asyncio
from collections.abc import Mapping
from functools import wraps

from langchain_core.runnables import RunnableConfig
from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite, TimeoutPolicy, interrupt

from agents.answerer.answerer import Material
from agents.interpreter.clarification import clarification
from agents.interpreter.conversation import remembered
from agents.interpreter.search_targets import shown_as
from graphs.core.deps import Deps
from graphs.core.inferred_facts import inferred_warnings
from graphs.core.lifecycle import is_interrupted
from graphs.core.nodes import Node, TimedError, Update, add_node, load_and_speak, timed
from graphs.core.state import QueryContext, QueryInput, QueryOutput, QueryState
from graphs.query import answer as assembly
from graphs.query import interpret as understanding
from graphs.query import replies
from graphs.query.judge import find_contradictions
from graphs.query.listing import list_vault
from graphs.query.merge import merge_hits
from graphs.query.read import read_notes
from graphs.query.retrieval.prefetch import Shared
from graphs.query.retrieval.retrieve import (
    begin_semantic,
    graph_hits,
    nearest,
    semantic_gap,
    semantic_hits,
    text_hits,
)
from graphs.query.verify_citations import verify_results
from tools.base import guards
from tools.base.domain import SOURCES, Hit, Intent, Mode, QueryPlan, Source, SourceWarning
from tools.base.errors import BrainError
from tools.runtime.tracing import part
from tools.vault.indexing.indexing import Freshness

_IMPACT: Mapping[Source, str] = {
    "semantic": "Notes that say it in other words may be missing.",
    "text": "Notes with exactly these words or names may be missing.",
    "graph": "Notes that are only linked, not named, may be missing.",
}
_GRAPH_IMPACT: Mapping[Intent, str] = {
    "temporal": "What changed, was linked or superseded is missing: only when notes were written "
    "is shown.",
    "causal": "Chains of causes and effects are missing: only what notes say in words is shown.",
    "comparative": "What the compared things share in links is missing.",
    "exploratory": "Notes at the other end of links are missing.",
}
"""What is lost without the graph, where an intent lives by it."""

_ANSWERING = ("catalog", *SOURCES)
_EDGES = (
    *((START, "guard"), ("guard", "interpret")),
    *((source, "merge") for source in SOURCES),
    *(("merge", "read"), ("read", "judge"), ("judge", "answer"), ("answer", "check")),
    *(("catalog", "check"), ("check", END)),
)


def build(deps: Deps) -> StateGraph[QueryState, QueryContext, QueryInput, QueryOutput]:
    """Build the graph; compile it with a checkpointer to let questions be asked back."""

    def mode(runtime: Runtime[QueryContext]) -> Mode:
        return _context(runtime).mode or deps.settings.mode

    def look() -> tuple[Freshness, tuple[SourceWarning, ...], bool]:
        with part("catch_up"):
            fresh = deps.catch_up()
        unreadable = inferred_warnings(deps.inferred)
        # Only now: catching up holds the same lock as a run that is under way.
        return fresh, unreadable, is_interrupted(deps.settings, deps.catalog)

    async def woken() -> None:
        with part("wake"):
            await deps.wake()

    async def guard(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        guards.limit(_context(runtime).limit)
        question = guards.question(state["question"])
        deps.foresee(question)
        # Every search sees what is on disk: the catalog catches up while the servers wake.
        (fresh, unreadable, interrupted), _ = await asyncio.gather(asyncio.to_thread(look), woken())
        return {
            **assembly.blank(question),
            "asked_with": _context(runtime),
            "stale": fresh.stale,
            "warnings": Overwrite(
                [
                    *assembly.staleness(
                        fresh, interrupted=interrupted, read_only=deps.settings.read_only
                    ),
                    *unreadable,
                ]
            ),
        }

    similar, shared = nearest(deps), Shared[list[Hit]]()

    async def interpret(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        return await understanding.read(state, deps, _context(runtime), similar)

    async def clarify(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        return await understanding.settle(state, deps, _context(runtime))

    async def confirm(state: QueryState) -> Update:
        payload = assembly.ask_consent(state["plan"])
        agreed = replies.agreed(interrupt(payload))
        while agreed is None:
            agreed = replies.agreed(interrupt(payload))
        return {"declined": not agreed}

    async def after_interpret(state: QueryState, runtime: Runtime[QueryContext]) -> str | list[str]:
        to = _after_interpret(state, runtime)
        if "semantic" in to:
            begin_semantic(state["plan"], similar)
        return to

    async def semantic(state: QueryState) -> Update:
        return {
            "hits": await semantic_hits(state["plan"], deps, similar),
            "answered_sources": ["semantic"],
            "warnings": await asyncio.to_thread(semantic_gap, deps),
        }

    async def text(state: QueryState) -> Update:
        return {"hits": await text_hits(state["plan"], deps, shared), "answered_sources": ["text"]}

    async def graph(state: QueryState) -> Update:
        return {
            "hits": await graph_hits(state["plan"], deps, shared),
            "answered_sources": ["graph"],
        }

    async def merge(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        return await merge_hits(state, deps, mode=mode(runtime))

    async def read(state: QueryState) -> Update:
        return {"read": await read_notes(state, deps)}

    async def judge(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        return await find_contradictions(state, deps, mode=mode(runtime))

    async def answer(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        context = _context(runtime)
        verified = await verify_results(state, deps, mode=mode(runtime))
        material = Material(
            plan=state["plan"],
            format=shown_as(state["plan"], context.format),
            results=verified.told,
            mode=mode(runtime),
        )
        written = await deps.write(material)
        return await assembly.compose(
            state, deps, verified, written, context.format, whole=context.whole
        )

    async def catalog(state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        return await list_vault(state, deps, whole=_context(runtime).whole)

    async def check(
        state: QueryState, config: RunnableConfig, runtime: Runtime[QueryContext]
    ) -> Update:
        thread = str(config.get("configurable", {}).get("thread_id", ""))
        result = assembly.finish(state, thread, chosen_format=_context(runtime).format)
        told = {} if state["declined"] else {"before": remembered(result, state["plan"])}
        return {"result": result, **told, **assembly.leftovers()}

    builder = StateGraph(
        QueryState,
        context_schema=QueryContext,
        input_schema=QueryInput,
        output_schema=QueryOutput,
    )
    add_node(builder, "guard", timed("guard", guard, key="timings_ms", anew=True))
    add_node(builder, "confirm", _spoken(confirm))
    limit = TimeoutPolicy(run_timeout=deps.settings.source_timeout)
    for name, node in {"semantic": semantic, "text": text, "graph": graph}.items():
        add_node(
            builder,
            name,
            timed(name, node, key="timings_ms", handled=True),
            timeout=limit,
            error_handler=_source_failed,
        )
    add_node(builder, "merge", timed("merge", _spoken(merge), key="timings_ms"), defer=True)
    add_node(builder, "interpret", timed("interpret", interpret, key="timings_ms"))
    plain = {"clarify": clarify, "catalog": catalog, "read": read, "judge": judge, "answer": answer}
    for name, node in plain.items():
        add_node(builder, name, timed(name, _spoken(node), key="timings_ms"))
    add_node(builder, "check", _spoken(check))

    for start, end in _EDGES:
        builder.add_edge(start, end)
    builder.add_conditional_edges("interpret", after_interpret, ["clarify", "confirm", *_ANSWERING])
    builder.add_conditional_edges("clarify", _after_clarify, ["clarify", "confirm", *_ANSWERING])
    builder.add_conditional_edges("confirm", _after_confirm, ["check", *_ANSWERING])
    return builder


# --- routing -------------------------------------------------------------------------------


def _after_interpret(state: QueryState, runtime: Runtime[QueryContext]) -> str | list[str]:
    if clarification(state["plan"]) is not None:
        return "clarify"
    return _after_clarify(state, runtime)


def _after_clarify(state: QueryState, runtime: Runtime[QueryContext]) -> str | list[str]:
    context = _context(runtime)
    if context.interactive and clarification(state["plan"]) is not None:
        return "clarify"  # the choice of a comparison may leave its second subject open
    if context.interactive and not context.yolo:
        return "confirm"
    return _asked(state["plan"])


def _after_confirm(state: QueryState) -> str | list[str]:
    return "check" if state["declined"] else _asked(state["plan"])


def _asked(plan: QueryPlan) -> list[str]:
    """What answers: the catalog what is asked of the vault itself, else the sources."""
    return ["catalog"] if plan.vault else list(plan.route)


# --- around the nodes ----------------------------------------------------------------------


def _spoken(node: Node) -> Node:
    """The node, whose words are in the language of the question."""

    @wraps(node)
    async def run(state: QueryState, *args: object, **kwargs: object) -> Update:
        await load_and_speak(state["plan"].reading.language)
        return await node(state, *args, **kwargs)

    return run


def _context(runtime: Runtime[QueryContext]) -> QueryContext:
    """Give the run's knobs; a run started without any gets the defaults."""
    return runtime.context or QueryContext()


def _impact(source: Source, intent: Intent) -> str:
    return _GRAPH_IMPACT.get(intent, _IMPACT[source]) if source == "graph" else _IMPACT[source]


async def _source_failed(state: QueryState, error: NodeError) -> Command[str]:
    source: Source = next(source for source in SOURCES if source == error.node)
    match error.error:
        case NodeTimeoutError(elapsed=seconds):
            took, cause = seconds * 1000, error.error
        case TimedError(reason=cause, milliseconds=took):
            pass
        case cause:
            took = 0.0
    match cause:
        case NodeTimeoutError():
            reason = "no answer within the time limit."
        case BrainError():
            reason = str(cause)
        case _:
            reason = f"internal error ({type(cause).__name__})."
    warning = SourceWarning(
        source=source, error=reason, impact=_impact(source, state["plan"].intent)
    )
    # A node that failed goes nowhere by itself; without this, three failures end without an answer.
    failed = {"warnings": [warning], "failed_sources": [source]}
    return Command(update={**failed, "timings_ms": {source: round(took, 1)}}, goto="merge")
