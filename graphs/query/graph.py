"""The graph of one question: read, ask back if unsure, search, merge, judge, answer."""

from functools import wraps

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy, TimeoutPolicy

from graphs.core.deps import Deps
from graphs.core.nodes import Node, Update, add_node, load_and_set_language, timed
from graphs.core.state import QueryContext, QueryInput, QueryOutput, QueryState
from graphs.query.failed_source import is_transient, recover_from
from graphs.query.nodes import QueryNodes
from graphs.query.progress import announced
from graphs.query.retrieval.retrievers import RETRIEVERS, SOURCES
from graphs.query.routing import (
    after_clarify,
    after_confirm,
    after_interpret,
    after_merge,
    after_read,
)

_ANSWERING = ("catalog", *SOURCES)
_EDGES = (
    *((START, "guard"), ("guard", "interpret")),
    *((source, "merge") for source in SOURCES),
    *(("judge", "answer"), ("answer", "finish"), ("verify", "finish")),
    *(("catalog", "finish"), ("finish", END)),
)


def build(deps: Deps) -> StateGraph[QueryState, QueryContext, QueryInput, QueryOutput]:
    """Build the graph; compile it with a checkpointer to let questions be asked back."""
    nodes = QueryNodes(deps)
    builder = StateGraph(
        QueryState,
        context_schema=QueryContext,
        input_schema=QueryInput,
        output_schema=QueryOutput,
    )
    add_node(builder, "guard", _step(nodes.guard, anew=True))
    add_node(builder, "interpret", _step(nodes.interpret))
    add_node(builder, "clarify", _step(nodes.clarify, speaks=True))
    add_node(builder, "confirm", _spoken(nodes.confirm))
    add_node(builder, "catalog", _step(nodes.catalog, speaks=True))
    for retriever in RETRIEVERS:
        add_node(
            builder,
            retriever.source,
            _step(nodes.search(retriever), name=retriever.source, handled=True),
            timeout=TimeoutPolicy(run_timeout=deps.settings.source_timeout),
            retry=RetryPolicy(max_attempts=3, initial_interval=0.05, retry_on=is_transient),
            error_handler=recover_from(retriever),
        )
    add_node(builder, "merge", _step(nodes.merge, speaks=True), defer=True)
    for node in (nodes.verify, nodes.read, nodes.judge, nodes.answer):
        add_node(builder, node.__name__, _step(node, speaks=True))
    add_node(builder, "finish", _spoken(nodes.finish))

    for start, end in _EDGES:
        builder.add_edge(start, end)
    builder.add_conditional_edges("interpret", after_interpret, ["clarify", "confirm", *_ANSWERING])
    builder.add_conditional_edges("clarify", after_clarify, ["clarify", "confirm", *_ANSWERING])
    builder.add_conditional_edges("confirm", after_confirm, ["finish", *_ANSWERING])
    builder.add_conditional_edges("merge", after_merge, ["verify", "read"])
    builder.add_conditional_edges("read", after_read, ["judge", "answer"])
    return builder


def _step(
    node: Node,
    *,
    name: str = "",
    speaks: bool = False,
    anew: bool = False,
    handled: bool = False,
) -> Node:
    """The node, timed and announced; one that ``speaks`` does so in the question's language."""
    name = name or node.__name__
    told = announced(name, _spoken(node) if speaks else node)
    return timed(name, told, key="timings_ms", anew=anew, handled=handled)


def _spoken(node: Node) -> Node:
    """The node, whose words are in the language of the question."""

    @wraps(node)
    async def run(state: QueryState, *args: object, **kwargs: object) -> Update:
        await load_and_set_language(state["plan"].reading.language)
        return await node(state, *args, **kwargs)

    return run
