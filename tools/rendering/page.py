"""Everything one answer shows, before it becomes markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from tools.base.domain import (
    AnswerFormat,
    Change,
    Contradiction,
    ContradictionSide,
    QueryPlan,
    Result,
    Source,
    SourceWarning,
)
from tools.evidence.answerability import MissingEvidence
from tools.evidence.citations import Citation, CitedSentence, wikilink
from tools.evidence.coverage import covering
from tools.overview.overview import Overview
from tools.rendering.comparison import Comparison
from tools.temporal.timeline import Group

_ON_TOPIC = 0.5
"""Share of the asked words that both sides of a clash must have to be on what is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """An answer that is likely in no note, and what the notes lack of it.

    ``notes`` are indexed; ``stale`` of the files changed since, as ``checked`` found.
    """

    lacking: MissingEvidence
    notes: int
    stale: int
    checked: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything one answer shows.

    ``undated`` are results without anything in the period of a timeline; ``names`` is what links
    call the notes whose file name alone is ambiguous; ``headings`` has the heading over a line of
    a note, for citations that do not know it; ``absence`` is set where the answer is likely in no
    note; ``held`` is the share of the question's words in the line quoted first;
    ``asked`` are these words. ``time_alone`` is the time in words where nothing else is asked for;
    ``confidence`` is how likely the line quoted first answers; ``by_model`` says who
    wrote the ``statements``; ``whole`` shows all there is to say. ``overview`` is what is shown
    where one is asked for.
    """

    plan: QueryPlan
    format: AnswerFormat
    results: Sequence[Result]
    absence: Absence | None = None
    held: float = 1.0
    asked: Sequence[str] = ()
    time_alone: str = ""
    contradictions: Sequence[Contradiction] = ()
    changes: Sequence[Change] = ()
    warnings: Sequence[SourceWarning] = ()
    remarks: Sequence[str] = ()
    statements: Sequence[CitedSentence] = ()
    comparison: Comparison = field(default_factory=Comparison)
    groups: Sequence[Group] = ()
    undated: Sequence[Result] = ()
    sources_available: Sequence[Source] = ()
    sources_failed: Sequence[Source] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    headings: Mapping[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    confidence: float | None = None
    by_model: bool = False
    whole: bool = True
    overview: Overview | None = None

    @property
    def bounded(self) -> bool:
        """Whether a period is asked for."""
        return bool(self.plan.start_date or self.plan.end_date)

    @property
    def has_timeline(self) -> bool:
        """Whether a timeline has what it takes: of a period anything, else more than one entry."""
        entries = sum(len(group.entries) for group in self.groups)
        return entries >= (1 if self.bounded else 2)

    @property
    def answers_with_change(self) -> bool:
        """Whether what changed is asked for, known, and told over a timeline."""
        asked = self.format == "timeline" and self.plan.asks_for_change
        return asked and bool(self.changes) and self.has_timeline and not self.absence

    @property
    def relevant_contradictions(self) -> list[Contradiction]:
        """The contradictions on what is asked; the others are only on a thing of the same name."""
        covered = covering(self.asked)
        return [
            found
            for found in self.contradictions
            if not self.asked
            or min(covered(_said(found.note_a)), covered(_said(found.note_b))) >= _ON_TOPIC
        ]

    @property
    def gone(self) -> dict[str, str]:
        """By what each note that another one superseded was, by its path."""
        return {r.note_path: e.detail for r in self.results if (e := r.superseded)}

    def place(self, citation: Citation) -> str:
        """Note, heading and line of a citation; see ``wikilink``."""
        if citation.heading_unknown:
            heading = self.headings.get((citation.note_path, citation.line))
            citation = replace(citation, heading=heading)
        return wikilink(citation, self.names)


def _said(side: ContradictionSide) -> str:
    return f"{side.title} {side.heading or ''} {side.claim}"
