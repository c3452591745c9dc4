"""The search for words, which that of the graph starts from, too."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from agents.interpreter.plan import moment
from agents.interpreter.search_targets import Part, Search, browses_days, searches
from graphs.core.deps import Deps
from graphs.query.retrieval.as_of import retrieve_as_of
from graphs.query.retrieval.by_day import notes_of_days, with_sections
from graphs.query.retrieval.limits import EVOLUTION_NOTES, note_limit
from graphs.query.retrieval.retriever import Retriever, SearchScope
from tools.base.domain import Hit, Intent, QueryPlan
from tools.graph.store import NOW
from tools.vault.catalog.text import TextQuery, excerpt, search_text, text_query

_LOOKED_AT = 0.5
"""Score of a note that is looked at only because it answered the question before, or is meant."""


async def _hits(plan: QueryPlan, part: Part | None, scope: SearchScope) -> list[Hit]:
    """Notes that hold the words of the question, its phrases, or carry its concepts as a name."""
    deps = scope.deps
    if (at := moment(plan)) != NOW:
        return await retrieve_as_of(plan, deps, at)
    if browses_days(plan):
        return await notes_of_days(plan, scope, limit=note_limit(plan))

    async def about(one: Search) -> list[Hit]:
        query = text_query(one.text, one.names, turkish=one.turkish)
        found = await hits_by_words(plan, scope, query, one.names)
        return [replace(hit, subject=one.subject) for hit in found[: note_limit(plan)]]

    found = await asyncio.gather(*map(about, searches(plan, part)))
    hits = [hit for hits in found for hit in hits]
    if part is not None and part.subject is not None:
        return hits
    looked_at = plan.sense.notes if plan.sense else ()
    if plan.reading.before:
        looked_at = (*looked_at, *plan.reading.before.notes)
    if looked_at:
        hits += await asyncio.to_thread(_unfound, looked_at, hits, deps)
    if plan.intent != "temporal":
        return hits
    return await asyncio.to_thread(with_sections, hits, plan, deps)


def _impact(_: Intent) -> str:
    return "Notes with exactly these words or names may be missing."


def _unfound(paths: Iterable[str], hits: Iterable[Hit], deps: Deps) -> list[Hit]:
    """The notes that are looked at in any case, where they were not found."""
    found = {hit.note_path for hit in hits}
    unfound = [path for path in paths if path not in found]
    return [
        Hit(
            source="text",
            note_path=path,
            note_title=found[0].note_title,
            score=_LOOKED_AT,
            match_type="text",
            excerpts=(excerpt(found[0]),),
        )
        for path, found in deps.catalog.passages_of(unfound).items()
    ]


async def hits_by_words(
    plan: QueryPlan, scope: SearchScope, query: TextQuery, names: tuple[str, ...]
) -> list[Hit]:
    """Notes by a search for words, as many as any search wants; once for all that need them."""
    # The name's notes lead; of several things together no note of one of them tells.
    leading = names if len(names) == 1 else ()
    search = partial(
        search_text,
        scope.deps.catalog,
        query,
        names=leading,
        limit=max(EVOLUTION_NOTES, note_limit(plan)),
    )
    # Two questions share nothing: between them a note may have been saved.
    return await scope.shared((id(plan), query, leading), search)


TEXT = Retriever(source="text", applies=lambda _: True, search=_hits, impact=_impact)
