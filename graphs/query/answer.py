"""The answer of one run: its markdown, and the object that everybody gets."""

import asyncio
from collections.abc import Mapping, Sequence

from agents.answerer.answerer import Written
from agents.interpreter.search_targets import (
    answer_format,
    browses_days,
    gathers,
    time_alone,
    wanted,
)
from graphs.core.deps import Deps
from graphs.core.nodes import Update
from graphs.core.notes_read import Evidence
from graphs.core.state import QueryState
from graphs.core.timings import complete, spent
from graphs.query.compare import Found, compare_results
from graphs.query.read import cited_paths
from graphs.query.verify_citations import Verified
from tools.base.domain import (
    Answer,
    AnswerFormat,
    Period,
    QueryPlan,
    Result,
    Status,
)
from tools.evidence import checklist
from tools.evidence.answerability import missing_evidence
from tools.evidence.citations import cite_relation
from tools.evidence.confidence import is_absent
from tools.evidence.coverage import coverage
from tools.ranking.fusion import each_once
from tools.rendering.answer import render
from tools.rendering.page import Absence, Page
from tools.temporal.timeline import timeline
from tools.text.markdown.quotes import quoted_first
from tools.text.stopwords import NOTING
from tools.text.voice import counted, translate
from tools.vault.catalog.text import text_query

_NO_TABLE = (
    "There is no table, for the question names nothing to compare: ask “compare X and Y” for one."
)


async def build_answer(
    state: QueryState,
    deps: Deps,
    verified: Verified,
    written: Written,
    chosen: AnswerFormat | None,
    *,
    whole: bool,
) -> Update:
    """Put the answer's markdown together, in the format chosen where that can be."""
    plan = state["plan"]
    shown = answer_format(plan, chosen)
    compared = Found()
    if shown == "table":
        compared = await compare_results(plan, verified.results, deps)
    # Only the columns of a table want a note that several subjects found several times.
    results = verified.results if shown == "table" else each_once(verified.results)
    # A search of the graph that failed has said what a comparison loses.
    lost = [] if "graph" in state["failed_sources"] else list(compared.warnings)
    period = Period(start=plan.start_date, end=plan.end_date)
    remarks = [*state["remarks"], *written.remarks]
    if verified.unshown:
        remarks.append(
            translate(
                "{lines} of that time: ask for less of it.",
                lines=counted(verified.unshown, "more line"),
            )
        )
    if chosen == "table" and shown != "table" and verified.results:
        remarks.append(translate(_NO_TABLE))
    placed = [
        *(citation for told in written.statements for citation in told.citations),
        *compared.comparison.citations,
        *(
            cite_relation(step)
            for result in (results if shown == "narrative" else ())
            for step in result.chain
        ),
    ]
    cited = {
        *cited_paths(verified.results),
        *(side.path for side in verified.sides),
        *(one.note_path for one in placed),
    }
    held = _held(plan, verified) if verified.asks_one else 1.0
    words = text_query(wanted(plan)).words
    evidence = verified.evidence
    likely = evidence.answerable if evidence else None
    # Where a comparison is asked for, its table answers, whatever line says most.
    tabled = bool(compared.comparison.citations) and gathers(plan, "compare")
    # Of an overview no single line is the answer.
    sure = None if tabled or verified.overview else _sure(evidence, results)
    absent = likely is not None and is_absent(likely) and verified.asks_one and results
    unanswered = evidence if absent else None

    def look() -> tuple[Mapping[str, str], Mapping[tuple[str, int], str], Absence | None]:
        places = {(one.note_path, one.line) for one in placed if one.heading_unknown}
        stale = state.get("stale", 0)
        said = _absence(unanswered, words, stale, deps) if unanswered else None
        return deps.catalog.full_names(cited), deps.catalog.headings_over(places), said

    names, headings, absence = await asyncio.to_thread(look)
    groups = timeline(results, period, every=browses_days(plan)) if shown == "timeline" else ()
    dated = {id(entry.result) for group in groups for entry in group.entries}
    page = Page(
        plan=plan,
        format=shown,
        results=results,
        absence=absence,
        asked=words,
        held=held,
        time_alone=time_alone(plan),
        contradictions=verified.contradictions,
        changes=verified.changes,
        warnings=[*state["warnings"], *lost],
        remarks=remarks,
        statements=written.statements,
        comparison=compared.comparison,
        groups=groups,
        undated=[r for r in results if id(r) not in dated] if shown == "timeline" else (),
        sources_available=state["answered_sources"],
        sources_failed=state["failed_sources"],
        timings_ms=state["timings_ms"],
        names=names,
        headings=headings,
        confidence=sure,
        by_model=written.decided_by == "llm",
        whole=whole,
        overview=verified.overview,
    )
    return {
        "text": render(page),
        "merged": verified.results,
        "answerable": _rounded(likely),
        "confidence": _rounded(sure),
        "contradictions": verified.contradictions,
        "changes": verified.changes,
        "remarks": list(written.remarks),
        "warnings": lost,
    }


def _sure(evidence: Evidence | None, results: Sequence[Result]) -> float | None:
    """How likely the line quoted first answers, where that is the best one of the evidence."""
    first = quoted_first(results)
    if evidence is None or first is None or not evidence.spans:
        return None
    best = evidence.spans[0].candidate.note.path
    return evidence.confidence if first.note_path == best else None


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 3)


def _held(plan: QueryPlan, verified: Verified) -> float:
    """The share of the question's words in the line that is quoted first."""
    first = quoted_first(verified.results)
    words = [word for word in text_query(wanted(plan)).words if word not in NOTING]
    return coverage(first.excerpts[0].text, words) if first and first.excerpts and words else 0.0


def _absence(evidence: Evidence, words: Sequence[str], stale: int, deps: Deps) -> Absence:
    """What to say where the answer is likely in no note."""
    found = missing_evidence(evidence.asked, words, [one.candidate for one in evidence.spans])
    notes = deps.catalog.note_count()
    return Absence(lacking=found, notes=notes, stale=stale, checked=deps.clock())


def finalize(state: QueryState, thread_id: str, *, chosen_format: AnswerFormat | None) -> Answer:
    """Close the run: status, checklist and the one object everybody gets."""
    plan, results, listing = state["plan"], tuple(state["merged"]), state.get("listing")
    shown = answer_format(plan, chosen_format)
    took = state["timings_ms"]
    timings = complete(took, total=spent(took, beside=plan.route), beside=plan.route)
    # What the catalog lists was neither searched for nor judged.
    score = (
        None
        if listing
        else checklist.check(
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
    )
    return Answer(
        status=_status(state),
        query=state["question"],
        thread_id=thread_id,
        plan=plan,
        format=shown,
        answer=f"{translate('Not run: you left the plan.')}\n"
        if state["declined"]
        else state["text"],
        results=results,
        contradictions=tuple(state["contradictions"]),
        # A question left open by an older program has none of what is new.
        changes=tuple(state.get("changes", ())),
        warnings=tuple(state["warnings"]),
        sources_available=tuple(s for s in plan.route if s in state["answered_sources"]),
        sources_failed=tuple(s for s in plan.route if s in state["failed_sources"]),
        timings_ms=timings,
        checklist=score,
        answerable=state.get("answerable"),
        confidence=state.get("confidence"),
        listing=listing,
    )


def _status(state: QueryState) -> Status:
    listing = state.get("listing")
    clashes = state["contradictions"] or state.get("changes")
    if state["merged"] or clashes or (listing and not listing.unknown):
        return "answered"
    if listing:
        return "no_results"
    route = state["plan"].route
    if route and all(source in state["failed_sources"] for source in route):
        return "failed"
    return "no_results"
