"""The searches of a question: another one is a module beside this, and its line here."""

from collections.abc import Sequence
from dataclasses import replace

from graphs.query.retrieval.graph_search import GRAPH
from graphs.query.retrieval.retriever import Retriever
from graphs.query.retrieval.semantic_search import SEMANTIC
from graphs.query.retrieval.text_search import TEXT
from tools.base.domain import QueryPlan

RETRIEVERS: Sequence[Retriever] = (
    SEMANTIC,
    TEXT,
    GRAPH,
)
SOURCES = tuple(retriever.source for retriever in RETRIEVERS)


def with_route(plan: QueryPlan) -> QueryPlan:
    """The plan, with the sources that are asked for it."""
    asked = tuple(retriever.source for retriever in RETRIEVERS if retriever.applies(plan))
    return replace(plan, route=asked)
