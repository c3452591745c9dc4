"""What one question came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tools.base.domain.claims import Change, Contradiction
from tools.base.domain.evidence import Result
from tools.base.domain.plan import AnswerFormat, Clarification, QueryPlan
from tools.base.domain.sources import Source, SourceWarning
from tools.base.vault_query import Listing

Status = Literal["answered", "needs_clarification", "needs_confirmation", "no_results", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checklist:
    score: float
    passed: tuple[str, ...]
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one question came to: the object that ``brain ask --json`` prints.

    ``answerable`` is how likely the notes found hold what is asked, ``confidence`` how likely the
    line quoted first says it (calibrated); None where nothing was read for it. ``listing`` is what
    the catalog says to a question about the vault itself.
    """

    status: Status
    query: str
    thread_id: str
    plan: QueryPlan | None = None
    clarification: Clarification | None = None
    format: AnswerFormat | None = None
    answer: str = ""
    results: tuple[Result, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    changes: tuple[Change, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()
    sources_available: tuple[Source, ...] = ()
    sources_failed: tuple[Source, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    checklist: Checklist | None = None
    answerable: float | None = None
    confidence: float | None = None
    listing: Listing | None = None
