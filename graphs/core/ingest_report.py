"""What an indexing run tells; apart from the state, whose channels import LangGraph."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.base.domain import Problem, SourceWarning


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What an indexing run did. Counts of notes, vectors for passages, problems in words.

    ``named`` are the first of the notes that were read anew or removed, by path. ``undated`` are
    the notes whose only date is their file's modification time.
    """

    notes: int = 0
    written: int = 0
    removed: int = 0
    named: tuple[str, ...] = ()
    unchanged: int = 0
    graph_written: int = 0
    vectors_written: int = 0
    vectors_removed: int = 0
    undated: int = 0
    problems: tuple[Problem, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
