"""From the hits of all sources to one ranked list of notes."""

import asyncio
from collections.abc import Sequence, Set
from dataclasses import replace

from agents.interpreter.plan import has_explicit_threshold, moment
from agents.interpreter.search_targets import browses_days, targets
from graphs.core.deps import Deps
from graphs.core.nodes import Update
from graphs.core.state import QueryState
from graphs.query.evidence.evidence import NEAREST
from graphs.query.evidence.exact_title import exact_title_matches
from graphs.query.retrieval.sense_scope import within_sense
from graphs.query.retrieval.supersession import supersessions
from tools.base.domain import (
    Event,
    Hit,
    Mode,
    Moment,
    NoteMetadata,
    Period,
    QueryPlan,
    Result,
    SourceWarning,
)
from tools.base.errors import BrainError, ModelUnavailableError
from tools.ranking import fusion
from tools.temporal.timeline import ranked_by_period
from tools.text.voice import counted, translate, way

_BROWSED_RESULTS = 50
_BEHIND = 12
"""Notes that are read beside those shown."""
_SUPERSEDED_SECONDS = 0.75


async def merge_hits(state: QueryState, deps: Deps, *, mode: Mode) -> Update:
    """Rank the notes the sources found; a model orders them anew where one is set up for it."""
    plan = state["plan"]
    hits = await asyncio.to_thread(within_sense, state["hits"], plan, deps)
    ranked, unlike = await _ranked(plan, hits, deps)
    found, warnings = await _reranked(plan, ranked, deps, mode=mode)
    wanted = _BROWSED_RESULTS if plan.intent == "exploratory" else plan.limit
    merged = fusion.first(found, wanted)
    shown = set(map(id, merged))
    behind = [one for one in (*found, *unlike) if id(one) not in shown]
    behind.sort(key=lambda one: -one.composite_relevance)
    near = fusion.nearest(behind[_BEHIND:], state["hits"])[:NEAREST]
    remarks = _left_out(state, merged) if browses_days(plan) else []
    return {
        "merged": merged,
        "behind": (*behind[:_BEHIND], *near),
        "warnings": warnings,
        "remarks": remarks,
    }


def _left_out(state: QueryState, shown: Sequence[Result]) -> list[str]:
    """How many notes of the days asked for are not shown: words find no others then."""
    of_days = {hit.note_path for hit in state["hits"] if hit.source == "text"}
    left = len(of_days - {one.note_path for one in shown})
    more = counted(left, "more note")
    limit = way("`--limit`", tool="`limit`")
    said = translate(
        "{more} of that time: {limit} shows more, a shorter time all.", more=more, limit=limit
    )
    return [said] if left else []


def reranks(plan: QueryPlan, deps: Deps, *, mode: Mode) -> bool:
    """Whether a model orders: a setting names one, and the question has one list of results."""
    one_list = plan.intent not in ("temporal", "comparative")
    return deps.rerank is not None and mode != "local" and one_list


async def _reranked(
    plan: QueryPlan, ranked: tuple[Result, ...], deps: Deps, *, mode: Mode
) -> tuple[tuple[Result, ...], list[SourceWarning]]:
    if deps.rerank is None or not reranks(plan, deps, mode=mode):
        return ranked, []
    try:
        return await deps.rerank(plan.reading.question, ranked), []
    except ModelUnavailableError as error:
        impact = "The notes are in the order of the searches."
        return ranked, [SourceWarning(source="reranker", error=str(error), impact=impact)]


async def _ranked(
    plan: QueryPlan, hits: Sequence[Hit], deps: Deps
) -> tuple[tuple[Result, ...], tuple[Result, ...]]:
    """Rank the notes that are still there, what another note replaced behind the others.

    Second, those that meaning alone found, less alike than the plan asks.
    """
    paths = {hit.note_path for hit in hits if fusion.may_find(hit)}
    # What was found by meaning has its vectors.
    unfound = paths - {hit.note_path for hit in hits if hit.source == "semantic"}
    catalog = deps.catalog
    (records, pending), replaced = await asyncio.gather(
        asyncio.to_thread(lambda: (catalog.records(paths), catalog.outbox.unembedded(unfound))),
        _superseded(paths, deps, at=moment(plan)),
    )
    metadata = {
        path: NoteMetadata(
            created_date=record.created,
            modified_date=record.modified,
            building_block=record.building_block,
            date_origin=record.date_origin,
        )
        for path, record in records.items()
    }
    wanted = fusion.leave_out(hits, plan.excluded)
    found = fusion.merge(wanted, metadata, plan=plan, limit=_BROWSED_RESULTS, unembedded=pending)
    if len(targets(plan)) > 1:
        found = fusion.by_whole(found)
        wanted = [hit for hit in wanted if hit.subject is not None]
    known = {one.note_path for one in found}
    unlike: tuple[Result, ...] = ()
    if not has_explicit_threshold(plan):
        unlike = fusion.merge(
            [hit for hit in wanted if hit.source == "semantic" and hit.note_path not in known],
            metadata,
            plan=replace(plan, similarity_threshold=0.0),
            limit=_BEHIND,
        )
    if plan.intent == "temporal":
        found = ranked_by_period(found, Period(start=plan.start_date, end=plan.end_date))
    else:
        found = fusion.demote(found, replaced)
    told = plan.reading.before.notes if plan.reading.before else ()
    named = await asyncio.to_thread(exact_title_matches, plan, deps)
    return fusion.put_first(found, [*named, *told]), unlike


async def _superseded(paths: Set[str], deps: Deps, *, at: Moment) -> dict[str, Event]:
    """Say which notes another took the place of. Without the graph nothing is known of that."""
    try:
        async with asyncio.timeout(_SUPERSEDED_SECONDS):
            replaced = await deps.graph.superseded(sorted(paths), at=at)
            return await supersessions(deps, replaced, at=at)
    except (BrainError, TimeoutError):
        return {}
