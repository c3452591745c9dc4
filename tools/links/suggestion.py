"""Links that are suggested for a note, as they are shown and given to programs. Pure."""

from dataclasses import dataclass
from datetime import datetime

from tools.base.domain import SourceWarning
from tools.links.mentions import Mention


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSuggestion:
    """A note to link to.

    ``probability`` is how likely the person would make the link; ``similarity_score`` how likely
    the two are on one topic, as far as their meaning tells, None where that is unknown or low.
    ``mentions`` are the places where its name stands in the source, unlinked.
    """

    note_id: str
    note_title: str
    note_path: str
    probability: float
    similarity_score: float | None
    shared_concepts: tuple[str, ...]
    already_linked: bool
    mentions: tuple[Mention, ...] = ()


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
