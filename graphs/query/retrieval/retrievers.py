"""The searches of a question: each is a node of its graph, with a time limit of its own.

Another one is a module beside this with its hits and what is lost without it, a line here, its name
in ``Source``, and the intents that ask it (``agents/interpreter/plan.py``).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agents.interpreter.search_targets import Part
from graphs.core.deps import Deps
from graphs.core.prefetch import SingleFlight
from graphs.query.retrieval import graph_search, semantic_search, text_search
from graphs.query.retrieval.semantic_search import Nearest
from tools.base.domain import Hit, Intent, QueryPlan, Source, SourceWarning


@dataclass(frozen=True, slots=True, kw_only=True)
class Retriever:
    """``search`` gives the hits for a plan, or for a part of its comparison.

    ``impact`` says what an answer to an intent may lack without it, ``gaps`` warns of what it
    cannot find just now; that one blocks.
    """

    source: Source
    search: Callable[[QueryPlan, Part | None], Awaitable[list[Hit]]]
    impact: Callable[[Intent], str]
    gaps: Callable[[], list[SourceWarning]] | None = None


def make_retrievers(deps: Deps, nearest: Nearest) -> tuple[Retriever, ...]:
    """All of them; those that search for the same words do so once."""
    shared = SingleFlight[list[Hit]]()
    return (
        Retriever(
            source="semantic",
            search=lambda plan, part: semantic_search.semantic_hits(plan, deps, nearest, part=part),
            impact=semantic_search.impact,
            gaps=lambda: semantic_search.semantic_gap(deps),
        ),
        Retriever(
            source="text",
            search=lambda plan, part: text_search.text_hits(plan, deps, shared, part=part),
            impact=text_search.impact,
        ),
        Retriever(
            source="graph",
            search=lambda plan, part: graph_search.graph_hits(plan, deps, shared, part=part),
            impact=graph_search.impact,
        ),
    )
