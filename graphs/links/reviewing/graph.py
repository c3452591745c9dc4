"""The graph of a review of links: gather, filter, explain, review, apply, learn.

Each suggestion is shown with the lines that it would change, by an interrupt; only what is
accepted is written. Replies are y, n, e, s, u, or a mapping (``tools/links/review.py``).
"""

from langgraph.graph import END, START, StateGraph

from graphs.core.deps import Deps
from graphs.core.nodes import add_node
from graphs.links.reviewing.nodes import LinkNodes
from graphs.links.reviewing.state import LinkInput, LinkOutput, LinkState
from tools.links.review import ReviewOptions

type LinkGraph = StateGraph[LinkState, ReviewOptions, LinkInput, LinkOutput]


def build(deps: Deps) -> LinkGraph:
    """Build the graph, which has to be compiled with a checkpointer."""
    nodes = LinkNodes(deps)
    builder = StateGraph(
        LinkState,
        context_schema=ReviewOptions,
        input_schema=LinkInput,
        output_schema=LinkOutput,
    )
    for node in (
        nodes.begin, nodes.choose, nodes.gather, nodes.filter, nodes.explain, nodes.propose,
        nodes.review, nodes.apply, nodes.learn, nodes.undo,
    ):  # fmt: skip
        add_node(builder, node.__name__, node)
    for start, end in (
        (START, "begin"), ("begin", "choose"), ("gather", "filter"), ("filter", "explain"),
        ("explain", "propose"), ("undo", "propose"),
    ):  # fmt: skip
        builder.add_edge(start, end)
    builder.add_conditional_edges("choose", after_choose, ["gather", END])
    builder.add_conditional_edges("propose", after_propose, ["review", "choose"])
    builder.add_conditional_edges("review", after_review, [*_AFTER_REPLY.values(), "review"])
    builder.add_conditional_edges("apply", after_apply, ["learn", "propose"])
    builder.add_edge("learn", "propose")
    return builder


_AFTER_REPLY = {
    "accept": "apply", "reject": "learn", "skip": "learn", "edit": "propose", "undo": "undo",
}  # fmt: skip


def after_choose(state: LinkState) -> str:
    """Look at the note that was chosen; end where there is none."""
    return "gather" if state["source"] is not None else END


def after_propose(state: LinkState) -> str:
    """Show the proposal; go on with the next note where there is none."""
    return "review" if state["proposal"] is not None else "choose"


def after_review(state: LinkState) -> str:
    """Do what was replied; ask again what was no reply."""
    reply = state["reply"]
    return "review" if reply is None or reply.answer is None else _AFTER_REPLY[reply.answer]


def after_apply(state: LinkState) -> str:
    """Learn from what was written; plan anew what could not be."""
    reply = state["reply"]
    return "propose" if reply is not None and reply.answer == "edit" else "learn"
