"""Where a question enters the graph: what it names, and what its words and meaning find."""

import asyncio
from dataclasses import dataclass
from typing import Literal

from graphs.brain import Brain
from graphs.core.deps import Deps
from graphs.query.retrieval.retriever import search_scope
from graphs.query.retrieval.semantic_search import SEMANTIC
from graphs.query.retrieval.text_search import TEXT
from graphs.toolkit.nodes.references import note_type
from tools.base.domain import Hit, QueryPlan
from tools.base.errors import SourceError
from tools.graph.anchors import fused

_LEAST = 0.44
"""Meaning or words alike by so much at least, or a note is none that a question is about: the most
that loses no right anchor in 13 vaults (docs/PERFORMANCE.md, the tools for other programs)."""

MatchType = Literal["exact", "entity", "vector", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A note that a question is about: by what it was found first, and how surely (0 to 1)."""

    id: str
    name: str
    type: str
    match_type: MatchType
    score: float


async def find_anchors(
    brain: Brain, question: str, *, limit: int
) -> tuple[list[Anchor], QueryPlan]:
    """The notes that a question names or means, the likeliest first, and how it is read.

    What is nearest only because nothing is near is none of them. Raises InputError.
    """
    deps = brain.deps
    plan = await brain.interpret(question)
    named, found = await asyncio.gather(
        asyncio.to_thread(_named, plan, deps), _searched(plan, deps)
    )
    ranked = fused([*named, *found], limit=limit)
    records = await asyncio.to_thread(deps.catalog.records, [path for path, _, _ in ranked])
    return [
        Anchor(
            id=path,
            name=records[path].title,
            type=note_type(records[path].note_type),
            match_type=kind,
            score=round(score, 3),
        )
        for path, kind, score in ranked
        if path in records
    ], plan


def _named(plan: QueryPlan, deps: Deps) -> list[tuple[MatchType, list[str]]]:
    """The notes called as the question says, and those called as what it is about."""
    exact = [path for name in plan.reading.names for path in deps.catalog.resolve(name)]
    concepts = [path for concept in plan.concepts for path in deps.catalog.resolve(concept)]
    return [("exact", exact), ("entity", concepts)]


async def _searched(plan: QueryPlan, deps: Deps) -> list[tuple[MatchType, list[str]]]:
    scope = search_scope(deps)
    given = await asyncio.gather(
        SEMANTIC.search(plan, None, scope), TEXT.search(plan, None, scope), return_exceptions=True
    )
    found: list[tuple[MatchType, list[Hit]]] = []
    for kind, hits in zip(("vector", "text"), given, strict=True):
        if isinstance(hits, SourceError):  # the other one still finds
            continue
        if isinstance(hits, BaseException):
            raise hits
        found.append((kind, sorted(hits, key=lambda hit: -hit.score)))
    alike = {hit.note_path for _, hits in found for hit in hits if hit.score >= _LEAST}
    return [(kind, [h.note_path for h in hits if h.note_path in alike]) for kind, hits in found]
