"""An overview of what the notes found say: by note, of one note, by side, or word for word."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from agents.planning import GATHERING
from graphs.deps import Deps
from graphs.evidence import Evidence, Texts
from graphs.overview_material import MOST, ROOM, Found, chosen_of, found_in
from graphs.overview_sides import argued_by, by_side
from tools.domain import Excerpt, OverviewKind, QueryPlan, Result
from tools.evidence_confidence import is_absent
from tools.evidence_features import FEATURES
from tools.evidence_ranking import Scored
from tools.overview.overview import Group, Overview
from tools.overview.quotations import block_quoted, is_quotation
from tools.overview.relevance import is_named, relevances
from tools.overview.statements import Statement, statements
from tools.spans import spans_of
from tools.text.normalize import fold_name

_READ = 100_000
"""Characters of a note that a summary is made of: its first."""
_LINES = 12
"""Lines of a note without headings."""
_NOTES = 6
_CALLED = 0.5
"""Share of a note's name that is asked for and of the question in it, together, from which on it is
the note that is meant."""
_QUOTED = 3
"""Lines of one note where words are asked for that can be quoted."""
_FEWEST = 3
"""Lines of somebody's words from which on nothing else is shown where these are asked for."""


async def find_overview(
    plan: QueryPlan,
    results: Sequence[Result],
    evidence: Evidence,
    *,
    texts: Texts,
    lines: Mapping[str, Sequence[str]],
    deps: Deps,
) -> Overview | None:
    """The overview asked for; None where none is, or where the notes do not speak of it.

    ``texts`` are what was read of the ``results`` for the ``evidence``, ``lines`` all they say.
    """
    kind, spans = plan.reading.overview, evidence.spans
    if kind is None or plan.intent not in GATHERING or not spans:
        return None
    known = {one.note_path: one for one in reversed(results)}
    subject = _subject(evidence)
    if subject is None and not is_named(spans):
        return None
    if evidence.answerable is not None and is_absent(evidence.answerable) and subject is None:
        return None
    if kind == "summary" and subject is not None:
        return await asyncio.to_thread(_summary, known[subject], lines[subject])
    kind = "overview" if kind == "summary" else kind
    argued = await argued_by(plan, spans, deps) if kind == "sides" else None
    if kind == "sides" and argued is None:
        kind = "overview"
    relevant = argued.relevant if argued else list(zip(spans, relevances(spans), strict=True))
    found = await asyncio.to_thread(found_in, known, relevant, texts, lines, kind)
    if argued and (sided := await by_side(found, argued, deps)):
        return sided
    kind = "overview" if kind == "sides" else kind
    return await asyncio.to_thread(_by_note, found, lines, kind)


def _subject(evidence: Evidence) -> str | None:
    """The note that is named, else the one called most like what is asked.

    The share of its name and that of the question count; of two called alike it is the one that
    answers better.
    """
    asked, covered = FEATURES.index("title_asked"), FEATURES.index("title_coverage")

    def called(one: Scored) -> float:
        return one.candidate.features[asked] + one.candidate.features[covered]

    best = max(
        evidence.spans, key=lambda one: (one.candidate.note.path in evidence.named, called(one))
    )
    path = best.candidate.note.path
    return path if path in evidence.named or called(best) >= _CALLED else None


def _in_order(told: Sequence[Statement]) -> list[Statement]:
    return sorted(told, key=lambda one: (one.span.part, one.span.line_start, one.span.order))


def _by_note(
    found: Found, lines: Mapping[str, Sequence[str]], kind: OverviewKind
) -> Overview | None:
    """The notes that speak of it most, each with its most central lines in its order."""
    if kind == "quotes":
        quoted = [one for one in found.told if is_quotation(one.span, lines[one.path])]
        found = replace(found, told=quoted if len(quoted) >= _FEWEST else found.told)
    first: dict[str, float] = {}
    for one in found.told:
        first[one.path] = max(one.relevance, first.get(one.path, 0.0))
    paths = sorted(first, key=lambda path: -first[path])[:_NOTES]

    told = [one for one in found.told if one.path in paths]
    most = _QUOTED if kind == "quotes" else MOST
    chosen = chosen_of(told, room=ROOM, most=most, group=lambda one: one.path)
    groups = [
        Group(lines=found.lines(_in_order(own)))
        for path in paths
        if (own := [one for one in chosen if one.path == path])
    ]
    return Overview(kind=kind, groups=groups, notes=len(first)) if groups else None


def _summary(result: Result, lines: Sequence[str]) -> Overview | None:
    """The whole of a note in its order: of each heading the most central lines."""
    text = "\n".join(lines)[:_READ]
    told = statements(result.note_path, spans_of(text), block_quoted=block_quoted(lines))
    parts = len({one.span.headings for one in told})
    chosen = chosen_of(
        told,
        room=ROOM,
        most=max(MOST, _LINES // max(1, parts)),
        group=lambda one: one.span.headings,
    )
    whole = Excerpt(text=text, line_start=1, line_end=len(lines))
    found = Found({result.note_path: result}, told, {result.note_path: [whole]})
    groups = [
        Group(title=_part(headings, result), lines=found.lines([*own]))
        for headings, own in groupby(_in_order(chosen), key=lambda one: one.span.headings)
    ]
    return Overview(kind="summary", groups=groups, notes=1, lines=len(told)) if groups else None


def _part(headings: Sequence[str], result: Result) -> str | None:
    """The heading of a part; the one that is the note's name says nothing new."""
    last = headings[-1] if headings else ""
    return last if last and fold_name(last) != fold_name(result.note_title) else None
