"""Results held against the files: what is quoted stands there now, at the line that is named."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.interpreter.search_targets import asks_for_period, browses_days, gathers
from graphs.core.deps import Deps
from graphs.core.notes_read import Evidence, NotesRead
from graphs.core.state import QueryState
from graphs.query.evidence.evidence import with_evidence
from graphs.query.evidence.overview import find_overview
from graphs.query.merge import reranks
from graphs.query.read import quotes_found_passages_only, read_for
from graphs.query.retrieval.by_day import of_time_alone
from graphs.query.retrieval.dated_sections import select_by_date, select_by_dated_section
from tools.base.domain import (
    Change,
    Contradiction,
    ContradictionSide,
    Mode,
    QueryPlan,
    Result,
)
from tools.evidence.quotation_check import Places
from tools.evidence.spans import spans_of
from tools.overview.overview import Overview
from tools.ranking import fusion
from tools.vault.notes.lines import read_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Results, contradictions and changes whose every quoted line stands in its file now.

    ``asks_one`` says whether the question asks for one thing, which can be missing; ``evidence`` is
    what was read of all results together; ``unshown`` is the number of lines of the days asked for
    that are not quoted; ``overview`` is there where one is asked for.
    """

    results: tuple[Result, ...]
    contradictions: tuple[Contradiction, ...]
    changes: tuple[Change, ...]
    asks_one: bool
    evidence: Evidence | None = None
    unshown: int = 0
    overview: Overview | None = None

    @property
    def shown_results(self) -> Sequence[Result]:
        """The notes with the lines that are shown of them."""
        return self.overview.results if self.overview else self.results

    @property
    def sides(self) -> tuple[ContradictionSide, ...]:
        """Both sides of everything that clashes."""
        return _sides(self.contradictions, self.changes)


async def verify_results(state: QueryState, deps: Deps, *, mode: Mode) -> Verified:
    """Hold what is quoted against the notes as read; what is gone from them is dropped."""
    plan = state["plan"]
    read = await read_for(state, deps)
    failed = any(warning.source == "reranker" for warning in state["warnings"])
    ordered = asks_for_period(plan) or (reranks(plan, deps, mode=mode) and not failed)
    verified = await asyncio.to_thread(_verify, state, read, deps, ordered=ordered)
    if quotes_found_passages_only(plan):
        return verified
    overview = await find_overview(
        plan, read.looked, read.evidence, texts=read.texts, lines=read.lines, deps=deps
    )
    return verified if overview is None else _with_overview(verified, overview)


def _with_overview(verified: Verified, overview: Overview) -> Verified:
    """The notes of an overview first, with the lines it shows; it never asks for one thing."""
    own = overview.results
    shown = {one.note_path for one in own}
    others = (one for one in verified.results if one.note_path not in shown)
    return replace(verified, results=(*own, *others), asks_one=False, overview=overview)


def _verify(
    state: QueryState,
    notes: NotesRead,
    deps: Deps,
    *,
    ordered: bool,
) -> Verified:
    plan, evidence = state["plan"], notes.evidence
    told = evidence.taken
    if notes.results:  # else nothing is as close as was asked for
        told |= evidence.best
    traced = [*notes.results, *(r for r in notes.behind if r.note_path in told)]
    contradictions, changes = state["contradictions"], state["changes"]
    read = with_evidence(traced, evidence, notes.texts, ordered=ordered)
    unshown = 0
    if browses_days(plan):
        read, unshown = select_by_date(read, plan, found=traced)
    elif asks_for_period(plan):
        read, unshown = select_by_dated_section(read, plan, found=traced)
    else:
        read = fusion.first(read, max(plan.limit, len(notes.results)))
    results = of_time_alone(read, plan)
    if not (results or plan.reading.clashes):
        # Nobody asked for notes that are not shown, nor for what clashes in them.
        contradictions, changes = (), ()
    elsewhere = {side.path for side in _sides(contradictions, changes)} - notes.lines.keys()
    settings = deps.settings
    found = read_lines(elsewhere, root=settings.vault, max_bytes=settings.max_note_bytes)
    lines = {**notes.lines, **found}
    return Verified(
        results=results,
        asks_one=_asks_one(plan, traced),
        # What is found of some days, or of a past version, is not all that the notes say.
        evidence=None if quotes_found_passages_only(plan) else evidence,
        unshown=unshown if results else 0,
        contradictions=tuple(
            now for c in contradictions if (now := _contradiction_now(c, lines)) is not None
        ),
        changes=tuple(now for c in changes if (now := _change_now(c, lines)) is not None),
    )


def _asks_one(plan: QueryPlan, results: Sequence[Result]) -> bool:
    """Whether the answer can be missing: a chain of causes is one, what is gathered is as found."""
    chained = plan.intent == "causal" and any(result.chain for result in results)
    return len(plan.subjects) < 2 and not gathers(plan, "compare") and not chained


def _contradiction_now(
    found: Contradiction, lines: Mapping[str, Sequence[str]]
) -> Contradiction | None:
    """Give the contradiction with its lines as they are now, or None if a side is gone."""
    a, b = _moved(found.note_a, lines), _moved(found.note_b, lines)
    return None if a is None or b is None else replace(found, note_a=a, note_b=b)


def _change_now(found: Change, lines: Mapping[str, Sequence[str]]) -> Change | None:
    before, after = _moved(found.before, lines), _moved(found.after, lines)
    return None if before is None or after is None else replace(found, before=before, after=after)


def _sides(
    contradictions: Iterable[Contradiction], changes: Iterable[Change]
) -> tuple[ContradictionSide, ...]:
    return (
        *(side for found in contradictions for side in (found.note_a, found.note_b)),
        *(side for found in changes for side in (found.before, found.after)),
    )


def _moved(side: ContradictionSide, lines: Mapping[str, Sequence[str]]) -> ContradictionSide | None:
    if side.version is not None:  # versions do not change
        return side
    own = lines.get(side.path, ())
    line = Places(own).locate(side.claim, near=side.line)
    if line is None:  # a row reads otherwise than it stands
        read = [one.line_start for one in spans_of("\n".join(own)) if one.text == side.claim]
        line = min(read, key=lambda at: abs(at - side.line), default=None)
    return None if line is None else replace(side, line=line)
