"""What the nodes of the query graph do, each as one function from state to update."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, replace

from langgraph.types import Overwrite

from agents.answerer import Written
from agents.planning import moment, with_intent
from graphs.comparing import Compared, compare_results
from graphs.deps import Deps
from graphs.nodes import Update
from graphs.retrieval import text_hits
from graphs.state import QueryState
from graphs.succession import supersessions
from graphs.verifying import Verified, asked_words, cited_paths
from tools import checklist, ranking
from tools.answerability import ABSENT_BELOW, Support
from tools.claims.assertions import extract_claims
from tools.domain import (
    SOURCES,
    Answer,
    AnswerFormat,
    Claim,
    Clarification,
    Event,
    Mode,
    Moment,
    NoteMetadata,
    Period,
    QueryPlan,
    Result,
    SourceWarning,
    Status,
)
from tools.errors import BrainError
from tools.evidence import coverage
from tools.rendering import Page, plan_in_words, render
from tools.rendering_absent import Absence
from tools.timeline import falls_within, timeline, towards
from tools.vault.indexing import Freshness

_BROWSED_RESULTS = 50
_SUPERSEDED_SECONDS = 0.75
_JUDGED_RESULTS = 12
"""Claims are compared among the best results only."""
_ON_SUBJECT = 1 / 3
"""Share of the question's words that a contradiction must speak of to be shown with the answer."""


def blank(question: str) -> Update:
    """Start a question: nothing of an earlier one in the same thread is left."""
    lists = ("hits", "answered_sources", "failed_sources", "warnings", "remarks")
    return {
        "question": question,
        "declined": False,
        "merged": (),
        "contradictions": (),
        "answerable": None,
        "text": "",
        "timings_ms": Overwrite({}),
        **{name: Overwrite([]) for name in lists},
    }


# --- asking back ---------------------------------------------------------------------------


def ask_back(asked: Clarification) -> Update:
    """Payload of the clarifying interrupt."""
    return {"kind": "clarification", **asdict(asked)}


def ask_consent(plan: QueryPlan) -> Update:
    """Payload of the confirming interrupt: what would be searched, and the two answers."""
    options = [{"number": 1, "label": "Run it"}, {"number": 2, "label": "Leave it"}]
    return {
        "kind": "confirmation",
        "question": "Run this search?",
        "plan": plan_in_words(plan),
        "options": options,
    }


def assumed(plan: QueryPlan, asked: Clarification) -> Update:
    """Take a question that nobody clarified as factual, and say so."""
    open_point = (
        "The question can be read in several ways"
        if asked.options
        else "Only one thing to compare was named"
    )
    return {
        "plan": replace(
            with_intent(plan, "factual"),
            confidence=plan.probabilities["factual"],
            decided_by="fallback",
            reason="taken as asking for a fact, since nobody was asked",
        ),
        "remarks": [f"{open_point}; it was taken as asking for a fact."],
    }


def staleness(fresh: Freshness) -> list[SourceWarning]:
    """Warn when more notes changed than a question can wait for."""
    if not fresh.stale:
        return []
    notes = "1 new or changed note is" if fresh.stale == 1 else f"{fresh.stale} changed notes are"
    return [
        SourceWarning(
            source="index",
            error=f"{notes} not indexed yet.",
            impact="Their newest words are missing: run `brain index`.",
        )
    ]


# --- merging and judging -------------------------------------------------------------------


async def merge_hits(state: QueryState, deps: Deps) -> Update:
    """Rank the notes the sources found.

    When all that were asked failed, words are searched: they need no server.
    """
    if state["answered_sources"] or "text" in state["plan"].route:
        return {"merged": await _ranked(state, deps)}
    plan = replace(state["plan"], route=("text",))
    alone: QueryState = {**state, "plan": plan, "hits": await text_hits(plan, deps)}
    return {"merged": await _ranked(alone, deps), "answered_sources": ["text"]}


async def _ranked(state: QueryState, deps: Deps) -> tuple[Result, ...]:
    """Rank the notes that are still there, what another note replaced behind the others."""
    paths = {hit.note_path for hit in state["hits"]}
    records, pending, replaced = await asyncio.gather(
        asyncio.to_thread(deps.catalog.records, paths),
        asyncio.to_thread(deps.catalog.outbox.unembedded, paths),
        _superseded(paths, deps, at=moment(state["plan"])),
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
    plan = state["plan"]
    wanted = ranking.leave_out(state["hits"], plan.excluded)
    found = ranking.merge(wanted, metadata, plan=plan, limit=_BROWSED_RESULTS, unembedded=pending)
    if plan.intent == "temporal":
        found = towards(found, Period(start=plan.start_date, end=plan.end_date))
    else:
        found = ranking.demote(found, replaced)
    return ranking.first(found, _BROWSED_RESULTS if plan.intent == "exploratory" else plan.limit)


async def _superseded(paths: Set[str], deps: Deps, *, at: Moment) -> dict[str, Event]:
    """Say which notes another took the place of. Without the graph nothing is known of that."""
    try:
        async with asyncio.timeout(_SUPERSEDED_SECONDS):
            replaced = await deps.graph.superseded(sorted(paths), at=at)
            return await supersessions(deps, replaced, at=at)
    except (BrainError, TimeoutError):
        return {}


async def find_contradictions(state: QueryState, deps: Deps, *, mode: Mode) -> Update:
    """Judge the claims of the best results against each other."""
    judgement = await deps.judge(_claims(state["merged"][:_JUDGED_RESULTS]), mode)
    words = asked_words(state["plan"])
    about = [
        found
        for found in judgement.contradictions
        if coverage(f"{found.note_a.claim} {found.note_b.claim}", words) >= _ON_SUBJECT
    ]
    # Only who insisted on the model misses it; otherwise the answer's own remark says enough.
    missed = judgement.warnings if mode == "llm" else ()
    return {"contradictions": tuple(about), "warnings": list(missed)}


def _claims(results: Sequence[Result]) -> list[Claim]:
    found: dict[tuple[str, int, str], Claim] = {}
    for result in results:
        for excerpt in result.excerpts:
            for claim in extract_claims(
                excerpt.text,
                line_start=excerpt.line_start,
                note_path=result.note_path,
                note_title=result.note_title,
                heading=excerpt.heading,
                timestamp=result.metadata.created_date,
            ):
                found.setdefault((claim.note_path, claim.line, claim.text), claim)
    return list(found.values())


# --- answering -----------------------------------------------------------------------------


async def compose(
    state: QueryState, deps: Deps, verified: Verified, written: Written, shown: AnswerFormat
) -> Update:
    """Put the answer's markdown together."""
    plan = state["plan"]
    compared = Compared()
    if shown == "table":
        compared = await compare_results(plan, verified.results, deps)
    # A search of the graph that failed has said what a comparison loses.
    lost = [] if "graph" in state["failed_sources"] else list(compared.warnings)
    period = Period(start=plan.start_date, end=plan.end_date)
    remarks = [*state["remarks"], *written.remarks]
    # Only who searched by meaning, too, can say that nothing was found.
    support = verified.support if "semantic" in state["answered_sources"] else None
    page = Page(
        plan=plan,
        format=shown,
        results=verified.results,
        absence=await _absence(support, state["stale"], deps) if verified.asks_one else None,
        held=support.held if support and verified.asks_one else 1.0,
        contradictions=verified.contradictions,
        warnings=[*state["warnings"], *lost],
        remarks=remarks,
        statements=written.statements,
        rows=compared.rows,
        groups=timeline(verified.results, period) if shown == "timeline" else (),
        undated=[r for r in verified.results if not falls_within(r, period)],
        sources_available=state["answered_sources"],
        sources_failed=state["failed_sources"],
        timings_ms=state["timings_ms"],
        names=await asyncio.to_thread(
            deps.catalog.full_names, cited_paths(verified.results, verified.contradictions)
        ),
    )
    return {
        "text": render(page),
        "merged": verified.results,
        "answerable": round(support.probability(), 3) if support else None,
        "contradictions": verified.contradictions,
        "remarks": list(written.remarks),
        "warnings": lost,
    }


async def _absence(support: Support | None, stale: int, deps: Deps) -> Absence | None:
    """What to say where the answer is likely in no note."""
    if support is None or support.probability() >= ABSENT_BELOW:
        return None
    counts = await asyncio.to_thread(deps.catalog.counts)
    return Absence(support=support, notes=counts.notes, stale=stale, checked=deps.clock())


def finish(state: QueryState, thread_id: str, *, chosen_format: AnswerFormat | None) -> Answer:
    """Close the run: status, checklist and the one object everybody gets."""
    plan, results = state["plan"], tuple(state["merged"])
    shown = chosen_format or plan.format
    timings = {**state["timings_ms"], "total": _total_ms(state["timings_ms"])}
    score = checklist.check(
        plan=plan,
        shown_format=shown,
        chosen_format=chosen_format,
        results=results,
        contradictions=state["contradictions"],
        warnings=state["warnings"],
        answered=state["answered_sources"],
        failed=state["failed_sources"],
        judged="judge" in timings,
        total_ms=timings["total"],
    )
    return Answer(
        status=_status(state),
        query=state["question"],
        thread_id=thread_id,
        plan=plan,
        format=shown,
        answer="Not run: you left the plan.\n" if state["declined"] else state["text"],
        results=results,
        contradictions=tuple(state["contradictions"]),
        warnings=tuple(state["warnings"]),
        sources_available=tuple(s for s in SOURCES if s in state["answered_sources"]),
        sources_failed=tuple(s for s in SOURCES if s in state["failed_sources"]),
        timings_ms=timings,
        checklist=score,
        answerable=state["answerable"],
    )


def leftovers() -> Update:
    """Empty what the result holds too: a thread's checkpoint need not keep it twice."""
    return {"hits": Overwrite([]), "merged": (), "contradictions": (), "text": ""}


def _total_ms(timings: Mapping[str, float]) -> float:
    """Time of the whole run: the searches ran side by side, the rest one after another."""
    searches = max((timings.get(source, 0.0) for source in SOURCES), default=0.0)
    rest = sum(ms for name, ms in timings.items() if name not in SOURCES)
    return round(searches + rest, 1)


def _status(state: QueryState) -> Status:
    if state["merged"]:
        return "answered"
    route = state["plan"].route
    if route and all(source in state["failed_sources"] for source in route):
        return "failed"
    return "no_results"
