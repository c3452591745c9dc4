"""Pages of an answer in every format, ready-made: a test names only what it is about."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tests.support.values.results import a_contradiction, a_plan, a_relation, a_result, a_side
from tools.base.domain import (
    AnswerFormat,
    Contradiction,
    ContradictionSide,
    Excerpt,
    GraphRelation,
    Intent,
    QueryPlan,
    Result,
)
from tools.evidence.attributes import Cell
from tools.evidence.citations import Citation, CitedSentence
from tools.rendering.comparison import Comparison, Row
from tools.rendering.page import Page

WRITTEN = datetime(2024, 3, 12, tzinfo=UTC)


def plan(intent: Intent = "factual", **changes: Any) -> QueryPlan:
    usual = {
        "query": "What does basil want?",
        "confidence": 0.91,
        "reason": "likelier than temporal, 0.05",
    }
    return a_plan(intent=intent, **{**usual, **changes})


def step(source: str = "Low EC", target: str = "Yellow leaves") -> GraphRelation:
    return a_relation(
        source,
        "LEADS_TO",
        target,
        source_path=None,
        target_path=None,
        note_path="notes/Low EC.md",
        line=9,
    )


def result(
    path: str = "notes/Basil.md",
    *,
    text: str = "Basil wants a weak solution.",
    heading: str | None = "Dosing",
    chain: tuple[GraphRelation, ...] = (),
    **changes: Any,
) -> Result:
    """A dated note that says ``text`` on its line 7; one with a chain only the graph found."""
    found = a_result(
        path,
        created=WRITTEN,
        relevance_score=0.7,
        composite_relevance=0.72,
        tier="relevant",
        sources=("graph",) if chain else ("semantic", "text"),
        primary_source="graph" if chain else "text",
        excerpts=(Excerpt(text=text, line_start=7, line_end=8, heading=heading),),
        chain=chain,
    )
    return replace(found, **changes)


def contradiction(
    claim: str = "Basil wants 1.2.", *, explanation: str = "The numbers differ."
) -> Contradiction:
    """The first side is dated and so the newer one."""

    def side(path: str, when: datetime | None) -> ContradictionSide:
        return a_side(path, claim=claim, line=4, heading="Dosing", timestamp=when)

    return a_contradiction(
        side("notes/New.md", WRITTEN),
        side("notes/Old.md", None),
        confidence=0.88,
        type="conflicting_values",
        newer="a",
        explanation=explanation,
    )


def statement(text: str = "Basil wants a weak solution.", *lines: int) -> CitedSentence:
    return CitedSentence(
        text=text,
        citations=tuple(
            Citation(note_path="notes/Basil.md", note_title="Basil", line=line, heading="Dosing")
            for line in lines or (7,)
        ),
    )


def row(attribute: str = "Cost", *texts: str | None) -> Row:
    return Row(
        attribute=attribute,
        cells=tuple(
            None
            if text is None
            else Cell(
                text=text,
                citation=Citation(note_path="notes/a.md", note_title="a", line=3, heading="Cost"),
            )
            for text in texts
        ),
    )


def comparison(*rows: Row, **parts: Any) -> Comparison:
    return Comparison(rows=rows, **parts)


def page(shown: AnswerFormat = "list", *results: Result, **parts: object) -> Page:
    intents: dict[AnswerFormat, Intent] = {
        "list": "factual",
        "narrative": "causal",
        "table": "comparative",
        "timeline": "temporal",
    }
    subjects = ("basil", "mint") if shown == "table" else ()
    made = Page(
        plan=plan(intents[shown], subjects=subjects),
        format=shown,
        results=results or (result(),),
        sources_available=("semantic", "text"),
        timings_ms={"semantic": 12.3, "text": 4.0},
    )
    return replace(made, **parts)
