"""The ten-point completeness checklist of an answer, as a score. Pure."""

from collections.abc import Sequence

from tools.base.domain import (
    AnswerFormat,
    Checklist,
    Contradiction,
    QueryPlan,
    Result,
    Source,
    SourceWarning,
)

_CONFIDENT = 0.85
_RELEVANT = 0.7
_BUDGET_MS = 3000.0
_ENOUGH_RESULTS = 3


def check(
    *,
    plan: QueryPlan,
    shown_format: AnswerFormat,
    chosen_format: AnswerFormat | None,
    results: Sequence[Result],
    contradictions: Sequence[Contradiction],
    warnings: Sequence[SourceWarning],
    answered: Sequence[Source],
    failed: Sequence[Source],
    judged: bool,
    total_ms: float,
) -> Checklist:
    """Score from 0 to 1 with the names of the points passed and failed."""
    relevant = sum(r.composite_relevance >= _RELEVANT for r in results[:5])
    keys = [(result.subject, result.note_path) for result in results]
    warned = {warning.source for warning in warnings}
    points = {
        "intent": plan.confidence >= _CONFIDENT,
        "relevance": relevant >= min(_ENOUGH_RESULTS, max(1, len(results))),
        "attribution": all(_attributed(result) for result in results),
        "sources": set(plan.route) <= {*answered, *failed},
        "deduplication": len(keys) == len(set(keys)),
        "format": shown_format == (chosen_format or plan.format),
        "contradictions": judged and all(c.note_a.path != c.note_b.path for c in contradictions),
        "performance": total_ms < _BUDGET_MS,
        "error_handling": all(source in warned for source in failed),
        "completeness": len(results) >= _ENOUGH_RESULTS,
    }
    passed = tuple(name for name, met in points.items() if met)
    missed = tuple(name for name, met in points.items() if not met)
    return Checklist(score=len(passed) / len(points), passed=passed, failed=missed)


def _attributed(result: Result) -> bool:
    return bool(
        result.note_title
        and result.note_path
        and result.sources
        and result.excerpts
        and (result.metadata.created_date or result.metadata.modified_date)
    )
