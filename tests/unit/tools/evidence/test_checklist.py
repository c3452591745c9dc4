"""The ten points, each on its own."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_contradiction, a_plan, a_result, a_side
from tools.base.domain import (
    AnswerFormat,
    Checklist,
    Contradiction,
    Excerpt,
    QueryPlan,
    Result,
    Source,
    SourceWarning,
)
from tools.evidence.checklist import check

POINTS = {
    "intent", "relevance", "attribution", "sources", "deduplication", "format", "contradictions",
    "performance", "error_handling", "completeness",
}  # fmt: skip
PLAN = a_plan()


def result(path: str, *, relevance: float = 0.9, **changes: Any) -> Result:
    dated = a_result(
        path,
        created=datetime(2024, 1, 1, tzinfo=UTC),
        relevance_score=relevance,
        composite_relevance=relevance,
        tier="highly_relevant",
        excerpts=(Excerpt(text="Words.", line_start=1, line_end=1),),
    )
    return replace(dated, **changes)


def contradiction(one: str, other: str) -> Contradiction:
    return a_contradiction(a_side(one), a_side(other))


@dataclass(frozen=True)
class Run:
    """An answer that meets every point; a test breaks one."""

    plan: QueryPlan = PLAN
    shown_format: AnswerFormat = "list"
    chosen_format: AnswerFormat | None = None
    results: tuple[Result, ...] = (result("a.md"), result("b.md"), result("c.md"))
    contradictions: tuple[Contradiction, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()
    answered: tuple[Source, ...] = ("semantic", "text")
    failed: tuple[Source, ...] = ()
    judged: bool = True
    total_ms: float = 120.0

    def check(self) -> Checklist:
        return check(
            plan=self.plan,
            shown_format=self.shown_format,
            chosen_format=self.chosen_format,
            results=self.results,
            contradictions=self.contradictions,
            warnings=self.warnings,
            answered=self.answered,
            failed=self.failed,
            judged=self.judged,
            total_ms=self.total_ms,
        )


GOOD = Run()
WARNED = SourceWarning(source="graph", error="No answer.", impact="Links are missing.")
BARE = result("a.md", excerpts=())
UNDATED = result("a.md", metadata=a_result().metadata)


def test_a_good_answer_meets_all_ten_points() -> None:
    scored = GOOD.check()
    assert (scored.score, scored.failed) == (1.0, ())
    assert set(scored.passed) == POINTS


@pytest.mark.parametrize(
    ("run", "missed"),
    [
        (replace(GOOD, plan=a_plan(confidence=0.84)), {"intent"}),
        (replace(GOOD, results=(result("a.md"), result("b.md", relevance=0.6), result("c.md"))),
         {"relevance"}),
        (replace(GOOD, results=(BARE, *GOOD.results[1:])), {"attribution"}),
        (replace(GOOD, results=(UNDATED, *GOOD.results[1:])), {"attribution"}),
        (replace(GOOD, answered=("text",)), {"sources"}),
        (replace(GOOD, results=(*GOOD.results, result("a.md"))), {"deduplication"}),
        (replace(GOOD, shown_format="table"), {"format"}),
        (replace(GOOD, chosen_format="table"), {"format"}),
        (replace(GOOD, judged=False), {"contradictions"}),
        (replace(GOOD, contradictions=(contradiction("a.md", "a.md"),)), {"contradictions"}),
        (replace(GOOD, total_ms=3000.0), {"performance"}),
        (replace(GOOD, answered=("text",), failed=("semantic",)), {"error_handling"}),
        (replace(GOOD, results=GOOD.results[:2]), {"completeness"}),
        (replace(GOOD, results=()), {"completeness", "relevance"}),
    ],
)  # fmt: skip
def test_each_point_can_be_missed(run: Run, missed: set[str]) -> None:
    scored = run.check()
    assert set(scored.failed) == missed
    assert scored.score == pytest.approx(1 - len(missed) / 10)


@pytest.mark.parametrize(
    "run",
    [
        replace(GOOD, plan=a_plan(confidence=0.85)),
        replace(GOOD, shown_format="table", chosen_format="table"),
        replace(GOOD, contradictions=(contradiction("a.md", "b.md"),)),
        replace(GOOD, answered=("text", "semantic", "graph")),
        replace(GOOD, results=(*GOOD.results, result("a.md", subject="basil"))),
        replace(
            GOOD,
            plan=a_plan(route=("semantic", "text", "graph")),
            failed=("graph",),
            warnings=(WARNED,),
        ),
    ],
)
def test_what_is_allowed_costs_no_point(run: Run) -> None:
    assert run.check().failed == ()


@given(
    st.builds(
        Run,
        plan=st.floats(0, 1).map(lambda confidence: a_plan(confidence=confidence)),
        shown_format=st.sampled_from(["list", "table", "timeline", "narrative"]),
        results=st.lists(
            st.builds(result, st.sampled_from(["a.md", "b.md"]), relevance=st.floats(0, 1)),
            max_size=6,
        ).map(tuple),
        answered=st.sampled_from([(), ("text",), ("semantic", "text")]),
        failed=st.sampled_from([(), ("graph",)]),
        judged=st.booleans(),
        total_ms=st.floats(0, 10_000),
    )
)
def test_every_point_is_passed_or_missed_and_the_score_counts_them(run: Run) -> None:
    scored = run.check()
    assert set(scored.passed) | set(scored.failed) == POINTS
    assert len(scored.passed) + len(scored.failed) == len(POINTS)
    assert scored.score == len(scored.passed) / len(POINTS)
