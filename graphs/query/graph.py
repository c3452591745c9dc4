"""The graph of one question: read, ask back if unsure, search three ways, merge, judge, answer."""

from functools import wraps

from langgraph.graph import END, START, StateGraph
from langgraph.types import TimeoutPolicy

from graphs.core.deps import Deps
from graphs.core.nodes import Node, Update, add_node, load_and_speak, timed
from graphs.core.state import QueryContext, QueryInput, QueryOutput, QueryState
from graphs.query.failed_source import source_failed
from graphs.query.nodes import QueryNodes
from graphs.query.routing import after_clarify, after_confirm, after_interpret
from tools.base.domain import SOURCES

_ANSWERING = ("catalog", *SOURCES)
_EDGES = (
    *((START, "guard"), ("guard", "interpret")),
    *((source, "merge") for source in SOURCES),
    *(("merge", "read"), ("read", "judge"), ("judge", "answer"), ("answer", "check")),
    *(("catalog", "check"), ("check", END)),
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
    add_node(builder, "guard", timed("guard", nodes.guard, key="timings_ms", anew=True))
    add_node(builder, "confirm", _spoken(nodes.confirm))
    limit = TimeoutPolicy(run_timeout=deps.settings.source_timeout)
    for node in (nodes.semantic, nodes.text, nodes.graph):
        search = timed(node.__name__, node, key="timings_ms", handled=True)
        add_node(builder, node.__name__, search, timeout=limit, error_handler=source_failed)
    add_node(builder, "merge", timed("merge", _spoken(nodes.merge), key="timings_ms"), defer=True)
    add_node(builder, "interpret", timed("interpret", nodes.interpret, key="timings_ms"))
    for node in (nodes.clarify, nodes.catalog, nodes.read, nodes.judge, nodes.answer):
        name = node.__name__
        add_node(builder, name, timed(name, _spoken(node), key="timings_ms"))
    add_node(builder, "check", _spoken(nodes.check))

    for start, end in _EDGES:
        builder.add_edge(start, end)
    builder.add_conditional_edges("interpret", after_interpret, ["clarify", "confirm", *_ANSWERING])
    builder.add_conditional_edges("clarify", after_clarify, ["clarify", "confirm", *_ANSWERING])
    builder.add_conditional_edges("confirm", after_confirm, ["check", *_ANSWERING])
    return builder


def _spoken(node: Node) -> Node:
    """The node, whose words are in the language of the question."""

    @wraps(node)
    async def run(state: QueryState, *args: object, **kwargs: object) -> Update:
        await load_and_speak(state["plan"].reading.language)
        return await node(state, *args, **kwargs)

    return run
