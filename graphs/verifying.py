"""Results held against the files: what is quoted stands there now, at the line that is named."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from agents.planning import moment
from agents.targets import browses_days, gathers, goes_around, tells_days, wanted
from graphs.browsing import of_time_alone
from graphs.days_told import told_of_days, told_of_sections
from graphs.deps import Deps
from graphs.evidence import (
    Evidence,
    Sought,
    Texts,
    find_evidence,
    looked_through,
    passages_alone,
    sought_by,
    told_by_notes,
    with_evidence,
)
from graphs.merging import reranks
from graphs.overviews import find_overview
from graphs.state import QueryState
from tools import ranking
from tools.causation import to_the_point
from tools.domain import (
    Change,
    Contradiction,
    ContradictionSide,
    GraphRelation,
    Mode,
    Moment,
    QueryPlan,
    Result,
)
from tools.evidence import Places, verify
from tools.overview.overview import Overview
from tools.spans import spans_of
from tools.text.markdown_tables import columns_over
from tools.text.normalize import fold
from tools.vault.lines import read_lines
from tools.vault.text import text_query

_LIST_LINES = 12
"""A frontmatter list may name the linked note this many lines below its key."""


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
    def told(self) -> Sequence[Result]:
        """The notes with the lines that are shown of them."""
        return self.overview.results if self.overview else self.results

    @property
    def sides(self) -> tuple[ContradictionSide, ...]:
        """Both sides of everything that clashes."""
        return _sides(self.contradictions, self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """The notes found that say something, and the lines of every cited note as they are now.

    ``behind`` are those that are only read.
    """

    results: Sequence[Result]
    behind: Sequence[Result]
    lines: Mapping[str, Sequence[str]]


async def verify_results(state: QueryState, deps: Deps, *, mode: Mode) -> Verified:
    """Read every cited note again; keep, move or drop each quotation. What is gone is dropped."""
    plan = state["plan"]

    def look() -> tuple[_Standing, Sought, Sequence[Result], Texts]:
        standing, sought = _standing(state, deps), sought_by(plan, deps)
        if _is_bounded(plan):
            return standing, sought, standing.results, passages_alone(standing.results)
        looked = looked_through(standing.results, standing.behind, state["hits"])
        texts = told_by_notes(sought, looked, standing.lines, state["hits"])
        return standing, sought, looked, texts

    standing, sought, looked, texts = await asyncio.to_thread(look)
    hits = state["hits"]
    evidence = await find_evidence(sought, ranking.each_once(looked), texts, hits, deps)
    failed = any(warning.source == "reranker" for warning in state["warnings"])
    ordered = tells_days(plan) or (reranks(plan, deps, mode=mode) and not failed)
    verified = await asyncio.to_thread(_verify, state, standing, evidence, texts, ordered=ordered)
    if _is_bounded(plan):
        return verified
    overview = await find_overview(
        plan, looked, evidence, texts=texts, lines=standing.lines, deps=deps
    )
    return verified if overview is None else _with_overview(verified, overview)


def _with_overview(verified: Verified, overview: Overview) -> Verified:
    """The notes of an overview first, with the lines it shows; it never asks for one thing."""
    own = overview.results
    shown = {one.note_path for one in own}
    others = (one for one in verified.results if one.note_path not in shown)
    return replace(verified, results=(*own, *others), asks_one=False, overview=overview)


def _is_bounded(plan: QueryPlan) -> bool:
    """Whether a question is answered by what was found of the notes alone, not by all of them.

    It stands in a past version, or tells of the days that are asked for.
    """
    return moment(plan) != Moment() or tells_days(plan)


def _standing(state: QueryState, deps: Deps) -> _Standing:
    plan = state["plan"]
    lines = read_lines(  # nothing is quoted of what is gone or unreadable
        cited_paths(
            (*state["merged"], *state.get("behind", ())),
            _sides(state["contradictions"], state["changes"]),
        ),
        root=deps.settings.vault,
        max_bytes=deps.settings.max_note_bytes,
    )
    names = deps.catalog.names_of(
        path
        for result in state["merged"]
        for step in result.chain
        for path in (step.source_path, step.target_path)
        if path
    )
    results = [r for r in state["merged"] if r.note_path in lines]
    behind: list[Result] = []
    if moment(plan) == Moment():  # what was is as it was: versions do not change
        results = [_verified(r, lines, names) for r in results]
        own = (r for r in state.get("behind", ()) if r.note_path in lines)
        behind = [r for r in (_verified(one, lines, names) for one in own) if r.excerpts]
    if plan.intent == "causal":
        results = to_the_point(results, text_query(wanted(plan)).words)
    # A note whose every quotation is gone says nothing that could be traced.
    said = [r for r in results if r.excerpts or r.chain or r.events]
    return _Standing(results=said, behind=behind, lines=lines)


def _verify(
    state: QueryState,
    standing: _Standing,
    evidence: Evidence,
    texts: Texts,
    *,
    ordered: bool,
) -> Verified:
    plan, lines = state["plan"], standing.lines
    told = evidence.taken
    if standing.results:  # else nothing is as close as was asked for
        told |= evidence.best
    traced = [*standing.results, *(r for r in standing.behind if r.note_path in told)]
    contradictions, changes = state["contradictions"], state["changes"]
    read = with_evidence(traced, evidence, texts, ordered=ordered)
    unshown = 0
    if browses_days(plan):
        read, unshown = told_of_days(read, plan, found=traced)
    elif tells_days(plan):
        read, unshown = told_of_sections(read, plan, found=traced)
    else:
        read = ranking.first(read, max(plan.limit, len(standing.results)))
    results = of_time_alone(read, plan)
    if not (results or plan.reading.clashes):
        # Nobody asked for notes that are not shown, nor for what clashes in them.
        contradictions, changes = (), ()
    return Verified(
        results=results,
        asks_one=_asks_one(plan, traced),
        # What is found of some days, or of a past version, is not all that the notes say.
        evidence=None if _is_bounded(plan) else evidence,
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


def asked_words(plan: QueryPlan) -> tuple[str, ...]:
    """Words that evidence should hold: of a fact or a cause all, else what is asked about."""
    about = " ".join((*plan.subjects, *plan.concepts))
    wide = plan.intent == "comparative" or goes_around(plan)
    if about and wide:
        return text_query(about).words
    return text_query(f"{about} {wanted(plan)}").words


def cited_paths(results: Sequence[Result], sides: Iterable[ContradictionSide]) -> set[str]:
    """Paths of all notes that are quoted, by a result, a step of its chain or a side."""
    return {
        *(result.note_path for result in results),
        *(step.note_path for result in results for step in result.chain),
        *(side.path for side in sides),
    }


def _verified(
    result: Result, lines: Mapping[str, Sequence[str]], names: Mapping[str, Set[str]]
) -> Result:
    own = lines[result.note_path]
    standing = (e for e in (verify(x, own) for x in result.excerpts) if e is not None)
    # A long table is more than one passage: what its columns are called stands in the first.
    excerpts = tuple(replace(e, columns=columns_over(own, e.line_start - 1)) for e in standing)
    whole = all(_links(step, lines.get(step.note_path, ()), names) for step in result.chain)
    return replace(result, excerpts=excerpts, chain=result.chain if whole else ())


def _links(step: GraphRelation, lines: Sequence[str], names: Mapping[str, Set[str]]) -> bool:
    """Say whether the note still names the other end at, or in the list below, the line.

    ``names`` has the folded names that a link may call a note by.
    """
    ends = ((step.source_path, step.source_title), (step.target_path, step.target_title))
    called = {fold(title) for path, title in ends if path != step.note_path}
    for path, _ in ends:
        if path is not None and path != step.note_path:
            called |= {fold(PurePosixPath(path).stem), *names.get(path, ())}
    # Almost always the line itself has it, and those below need not be looked at.
    for end in (step.line, step.line + _LIST_LINES):
        here = fold(" ".join(lines[step.line - 1 : end]))
        if any(name in here for name in called if name):
            return True
    return False


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
