"""What an answer is made of, ready-made: a test names only what it is about."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import Any

from agents.interpreter.classifiers.answer_kinds import answer_kinds
from agents.interpreter.classifiers.features import read_features
from agents.interpreter.plan import parse_question
from agents.interpreter.question import reading_of
from graphs.core.notes_read import Evidence, NotesRead
from tests.support.questions.reading import question_vector
from tools.base.domain import (
    Change,
    Contradiction,
    ContradictionSide,
    GraphRelation,
    NoteMetadata,
    QueryPlan,
    QuestionReading,
    Result,
)
from tools.evidence.features import Candidate, Found, query_terms
from tools.evidence.ranking import Scored
from tools.evidence.spans import spans_in


def a_plan(**changes: Any) -> QueryPlan:
    """A sure reading as a question for a fact, of any time, for meaning and words."""
    plan = QueryPlan(
        query="What is basil?",
        intent="factual",
        confidence=0.9,
        probabilities={},
        decided_by="local",
        reason="",
        concepts=("basil",),
        subjects=(),
        start_date=None,
        end_date=None,
        similarity_threshold=0.7,
        limit=10,
        route=("semantic", "text"),
        format="list",
    )
    ends = [day for name in ("start_date", "end_date") if (day := changes.get(name))]
    reading = a_reading(str(changes.get("query", plan.query)), now=ends[0] if ends else None)
    return replace(plan, **{"reading": reading, **changes})


def a_reading(question: str, *, now: datetime | None = None) -> QuestionReading:
    """A question without a command that compares nothing; with ``now`` the date in it is one."""
    asked = parse_question(question, now=now) if now else None
    features = asked.features if asked else read_features(question)
    return reading_of(
        question,
        asked=asked.text if asked else question,
        dates=asked.dates if asked else None,
        wanted=question,
        compared=(),
        kinds=answer_kinds(features, question_vector(question)),
    )


def a_result(path: str = "a.md", *, created: datetime | None = None, **changes: Any) -> Result:
    """An undated note that words found, without excerpts; its title is the file's name."""
    result = Result(
        note_path=path,
        note_title=_name(path),
        relevance_score=0.5,
        composite_relevance=0.5,
        tier="somewhat_relevant",
        sources=("text",),
        primary_source="text",
        match_types=("text",),
        excerpts=(),
        metadata=NoteMetadata(created_date=created, modified_date=None, building_block=None),
    )
    return replace(result, **changes)


def a_relation(
    source: str, relation: str, target: str, *, folder: str = "", **changes: Any
) -> GraphRelation:
    """What a note says on its line 5 about itself and another note of the same folder."""
    said = GraphRelation(
        source_title=source,
        relation=relation,
        target_title=target,
        source_path=f"{folder}{source}.md",
        target_path=f"{folder}{target}.md",
        note_path=f"{folder}{source}.md",
        line=5,
        strength=0.9,
    )
    return replace(said, **changes)


def a_side(path: str, **changes: Any) -> ContradictionSide:
    """An undated claim on the first line, above all headings."""
    side = ContradictionSide(
        path=path, title=_name(path), claim="It is.", line=1, heading=None, timestamp=None
    )
    return replace(side, **changes)


def a_change(before: ContradictionSide, after: ContradictionSide, *, on: datetime) -> Change:
    return Change(
        before=before,
        after=after,
        changed_on=on,
        known_from="notes",
        confidence=0.95,
        similarity=0.9,
        type="conflicting_values",
        explanation="One says 60 litres, the other 90 litres.",
        decided_by="local",
    )


def a_contradiction(
    one: ContradictionSide, other: ContradictionSide, **changes: Any
) -> Contradiction:
    """Two sides of which nobody knows the newer."""
    found = Contradiction(
        note_a=one,
        note_b=other,
        confidence=0.9,
        similarity=0.9,
        type="negation",
        newer="unknown",
        explanation="",
        decided_by="local",
    )
    return replace(found, **changes)


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md")


def a_notes_read(results: Sequence[Result]) -> NotesRead:
    """All that the results' excerpts say, as if the first span of each note answered best."""
    own: list[list[Scored]] = []
    for rank, result in enumerate(results):
        note = Found(
            path=result.note_path,
            title=result.note_title,
            rank=rank,
            score=result.composite_relevance,
            relevance=result.relevance_score,
            passages=(),
        )
        spans = [span for part, text in enumerate(result.excerpts) for span in spans_in(text, part)]
        own.append([Scored(Candidate(note, span, ()), 0.0) for span in spans])
    ordered = [one for some in zip_longest(*own) for one in some if one]
    asked = query_terms(a_reading("What is basil?"), (), ())
    return NotesRead(
        results=results,
        behind=(),
        lines={},
        looked=results,
        texts={result.note_path: result.excerpts for result in results},
        evidence=Evidence(asked=asked, spans=ordered, answerable=None),
    )
