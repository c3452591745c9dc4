"""What was found for a question: hits of one source, results of all, the words quoted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from tools.base.domain.facts import Event, GraphRelation
from tools.base.domain.notes import NoteMetadata
from tools.base.domain.sources import Source

Reading = Literal["together", "alone"]
"""Whether spans are read beside what stands around them, or each under its headings alone."""
type Scores = Sequence[Sequence[float | None]]
"""For each of several marked texts what each of its parts scores: None for one not looked at."""


class Marked(NamedTuple):
    """A text that is read beside a question; ``marks`` are where some parts of it stand.

    They are characters, from and to.
    """

    question: str
    text: str
    marks: Sequence[tuple[int, int]]


Tier = Literal["highly_relevant", "relevant", "somewhat_relevant", "low_relevance"]
MatchType = Literal["semantic", "title", "exact_phrase", "text", "neighbour", "chain", "version"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Words quoted from a note: ``text`` stands in the file within these lines.

    They stand under ``heading``, and that under those ``over`` it, the outermost first. With
    ``version`` they stand in the version of the note that held from then on. ``columns`` are the
    headings of the table in which the words begin; ``reads`` is how they read where that is
    otherwise than they stand: a row with its columns, a part of a long sentence, a reply under the
    question, an item under what introduces it, and the best sentence with what follows it.
    """

    text: str
    line_start: int
    line_end: int
    heading: str | None = None
    block_id: str | None = None
    version: datetime | None = None
    columns: tuple[str, ...] = ()
    reads: str | None = None
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One note found by one source. ``score`` is comparable across sources.

    ``places`` are the note's passages that meaning found: their lines (1-based, inclusive), and
    how similar each is to what was searched for.
    """

    source: Source
    note_path: str
    note_title: str
    score: float
    match_type: MatchType
    excerpts: tuple[Excerpt, ...] = ()
    subject: str | None = None
    chain: tuple[GraphRelation, ...] = ()
    events: tuple[Event, ...] = ()
    places: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One note after merging: every source that found it, ranked."""

    note_path: str
    note_title: str
    relevance_score: float
    composite_relevance: float
    tier: Tier
    sources: tuple[Source, ...]
    primary_source: Source
    match_types: tuple[MatchType, ...]
    excerpts: tuple[Excerpt, ...]
    metadata: NoteMetadata
    subject: str | None = None
    chain: tuple[GraphRelation, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def superseded(self) -> Event | None:
        """That another note took this one's place; None if it holds."""
        return next((one for one in reversed(self.events) if one.kind == "superseded"), None)
