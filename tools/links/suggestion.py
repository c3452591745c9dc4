"""Links that are suggested for a note, as they are shown and given to programs. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tools.base.domain import SourceWarning
from tools.links.mentions import Mention


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedRelation:
    """The type that "source <relation> suggested note" is likeliest.

    ``probability`` is how likely it is right, against the other types and against none;
    ``reason`` is one sentence that quotes both notes.
    """

    relation: str
    probability: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSuggestion:
    """A note to link to.

    ``probability`` is how likely the person would make the link; ``similarity_score`` how likely
    the two are on one topic, as far as their meaning tells, None where that is unknown or low.
    ``mentions`` are the places where its name stands in the source, unlinked. ``relation`` is None
    where no type is likely enough. ``features`` are what its probability was made of.
    """

    note_id: str
    note_title: str
    note_path: str
    probability: float
    similarity_score: float | None
    already_linked: bool
    shared_concepts: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    relation: SuggestedRelation | None = None
    features: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSuggestions:
    """The suggestions for a note, the likeliest first.

    ``total_candidates`` had anything that speaks for them, ``filtered_count`` were left when those
    linked already, or less similar than was asked for, were taken out.
    """

    source_note: str
    source_title: str
    query_timestamp: datetime
    total_candidates: int
    filtered_count: int
    results: tuple[LinkSuggestion, ...]
    execution_time_ms: int
    warnings: tuple[SourceWarning, ...] = ()
