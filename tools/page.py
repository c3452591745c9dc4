"""Everything one answer shows, before it becomes markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from tools.answerability import Lacking
from tools.citations import Citation, CitedSentence, wikilink
from tools.comparison import Comparison
from tools.domain import (
    AnswerFormat,
    Change,
    Contradiction,
    QueryPlan,
    Result,
    Source,
    SourceWarning,
)
from tools.evidence import covering
from tools.overview.overview import Overview
from tools.timeline import Group

_ON_TOPIC = 0.5
"""Share of the asked words that both sides of a clash must have to be on what is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """An answer that is likely in no note, and what the notes lack of it.

    ``notes`` are indexed; ``stale`` of the files changed since, as ``checked`` found.
    """

    lacking: Lacking
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
    def clashing(self) -> list[Contradiction]:
        """The contradictions on what is asked; the others are only on a thing of the same name."""
        covered = covering(self.asked)
        return [
            found
            for found in self.contradictions
            if not self.asked
            or min(covered(found.note_a.claim), covered(found.note_b.claim)) >= _ON_TOPIC
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
