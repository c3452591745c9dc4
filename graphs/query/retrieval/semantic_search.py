"""The search by meaning."""

import asyncio

from agents.interpreter.plan import about_event, moment
from agents.interpreter.search_targets import Part, searches
from graphs.core.deps import Deps
from graphs.query.retrieval.limits import CHUNKS_PER_NOTE, candidate_limit, note_limit, quoted_limit
from graphs.query.retrieval.retriever import Retriever, SearchScope
from graphs.stores.index_lock import is_indexing
from graphs.stores.store_marks import vectors_in_other_store
from tools.base.domain import Hit, Intent, QueryPlan, SourceWarning
from tools.base.errors import SourceError
from tools.graph.store import NOW
from tools.vault.catalog.records import Passage
from tools.vault.catalog.text import excerpt

_MINOR, _FEW = 0.1, 100
"""Share of the passages, and number, that search by meaning may lack without a warning."""


def _applies(plan: QueryPlan) -> bool:
    # There are vectors of today only, and how something evolved is told by notes that name it.
    return moment(plan) == NOW and (plan.intent != "temporal" or about_event(plan))


def _begin(plan: QueryPlan, scope: SearchScope) -> None:
    """Have the semantic server at work before the other searches take this process's time."""
    for one in searches(plan):
        scope.nearest.begin(one.text, candidate_limit(plan))


async def _hits(plan: QueryPlan, part: Part | None, scope: SearchScope) -> list[Hit]:
    """Notes whose passages mean something similar; the plan's threshold is for the merge.

    Of those that are not among the nearest only the path and the score, without an excerpt.
    """
    if await asyncio.to_thread(vectors_in_other_store, scope.deps.settings):
        raise SourceError("The vectors are to be kept elsewhere now: run `brain index`.")
    found = await asyncio.gather(
        *(_near(plan, scope, one.text, one.subject) for one in searches(plan, part))
    )
    return [hit for hits in found for hit in hits]


def _impact(_: Intent) -> str:
    return "Notes that say it in other words may be missing."


def gaps(deps: Deps) -> list[SourceWarning]:
    """Warn where search by meaning knows nothing, or much less than there is: it fills in last."""
    passages, embedded = deps.catalog.passage_count(), deps.catalog.outbox.vector_count()
    enough = passages - max(_FEW, _MINOR * passages) if embedded else passages
    # Passages with the same words share a vector; of a run that was killed another warning tells.
    if embedded >= enough or (embedded and not is_indexing(deps.settings)):
        return []
    return [
        SourceWarning(
            source="semantic",
            error=f"{passages - embedded:,} of {passages:,} passages are not embedded yet.",
            impact="Search by meaning finds those once `brain index` is done.",
        )
    ]


async def _near(plan: QueryPlan, scope: SearchScope, text: str, subject: str | None) -> list[Hit]:
    similar = await scope.nearest(text, candidate_limit(plan))
    quoted = quoted_limit(plan)
    near = dict(similar[:quoted])
    catalog = scope.deps.catalog
    passages, places = await asyncio.to_thread(
        lambda: (catalog.passages_by_vector(near), catalog.places_by_vector(dict(similar)))
    )
    scores: dict[str, float] = {}
    said: dict[str, list[Passage]] = {}
    found: dict[str, list[tuple[int, int, float]]] = {}
    for vector, score in similar:  # the nearest first
        for passage in passages.get(vector, ()):
            said.setdefault(passage.note_path, []).append(passage)
        for path, first, last in places.get(vector, ()):
            scores.setdefault(path, score)
            found.setdefault(path, []).append((first, last, score))
    for path in list(said)[note_limit(plan) :]:
        del said[path]
    return [
        Hit(
            source="semantic",
            note_path=path,
            note_title=said[path][0].note_title if path in said else "",
            score=score,
            match_type="semantic",
            excerpts=tuple(excerpt(one) for one in said.get(path, ())[:CHUNKS_PER_NOTE]),
            subject=subject,
            places=tuple(found[path]),
        )
        for path, score in scores.items()
    ]


SEMANTIC = Retriever(
    source="semantic", applies=_applies, search=_hits, impact=_impact, gaps=gaps, begin=_begin
)
