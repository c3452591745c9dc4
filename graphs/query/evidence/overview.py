"""An overview of what the notes found say: by note, of one note, by side, or word for word."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from agents.interpreter.plan import GATHERING
from graphs.core.deps import Deps
from graphs.core.notes_read import Evidence, Texts
from graphs.query.evidence.overview_material import (
    Found,
    semantic_score,
    statements_of_note,
    statements_of_notes,
)
from graphs.query.evidence.overview_sides import by_side
from tools.base.domain import OverviewKind, QueryPlan, Result
from tools.evidence.confidence import is_absent
from tools.evidence.features import FEATURES
from tools.evidence.ranking import Scored
from tools.overview.overview import Group, Overview
from tools.overview.selection import ScoredStatements, score_statements, select, weights_of
from tools.overview.statements import Statement
from tools.text.normalize import fold_name

_CALLED = 0.5
"""Share of a note's name that is asked for and of the question in it, together, from which on it is
the note that is meant."""
_NAMED = 0.5
"""Share of what is asked, by meaning, from which on a line, under its headings, speaks of it."""


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
    subject = _answered_before(plan, known.values()) if kind == "summary" else None
    subject = subject or _subject(evidence)
    if subject is None and not any(semantic_score(one) >= _NAMED for one in spans):
        return None
    if evidence.answerable is not None and is_absent(evidence.answerable) and subject is None:
        return None
    if kind == "summary" and subject is not None:
        return await asyncio.to_thread(_summary, known[subject], lines[subject])
    wanted: OverviewKind = "overview" if kind == "summary" else kind

    def chosen() -> tuple[Found, ScoredStatements, list[Statement]]:
        found = statements_of_notes(known, spans, texts, lines, wanted)
        weights = score_statements(found.told, weights_of(wanted))
        return found, weights, select(weights)

    found, weights, shown = await asyncio.to_thread(chosen)
    if wanted == "sides" and (sided := await by_side(found, shown, deps)):
        return sided
    notes = len({one.path for one in weights.selected})
    return _by_note(found, shown, wanted, notes)


def _answered_before(plan: QueryPlan, found: Collection[Result]) -> str | None:
    """The note that answered the question which one leans on that names no other note."""
    before = plan.reading.before
    if before is None or not before.notes:
        return None
    named = {fold_name(one) for one in plan.concepts if one not in before.concepts}
    if any(fold_name(one.note_title) in named for one in found):
        return None
    return next((one.note_path for one in found if one.note_path == before.notes[0]), None)


def _by_note(
    found: Found, shown: Sequence[Statement], kind: OverviewKind, notes: int
) -> Overview | None:
    groups = [
        Group(lines=found.lines(_in_order(one for one in shown if one.path == path)))
        for path in dict.fromkeys(one.path for one in shown)
    ]
    quotes = kind == "quotes" and any(one.quoted for one in shown)
    kind = "quotes" if quotes else "overview"
    return Overview(kind=kind, groups=groups, notes=notes) if groups else None


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


def _in_order(told: Iterable[Statement]) -> list[Statement]:
    return sorted(told, key=lambda one: (one.span.part, one.span.line_start, one.span.order))


def _summary(result: Result, lines: Sequence[str]) -> Overview | None:
    """The whole of a note in its order, by its headings."""
    found = statements_of_note(result, lines)
    shown = _in_order(select(score_statements(found.told, weights_of("summary"))))
    groups = [
        Group(title=_part(headings, result), lines=found.lines([*own]))
        for headings, own in groupby(shown, key=lambda one: one.span.headings)
    ]
    if not groups:
        return None
    (read,) = found.texts[result.note_path]
    cut = len(read.text) < len("\n".join(lines))
    return Overview(
        kind="summary",
        groups=groups,
        notes=1,
        lines=len(found.told),
        read_to=read.line_end if cut else None,
    )


def _part(headings: Sequence[str], result: Result) -> str | None:
    """The heading of a part; the one that is the note's name says nothing new."""
    last = headings[-1] if headings else ""
    return last if last and fold_name(last) != fold_name(result.note_title) else None
