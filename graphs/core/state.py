"""State, input, output, reducers and run-time context of the graphs."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

from langgraph.channels import UntrackedValue

from agents.interpreter.search_targets import Part
from graphs.core.notes_read import NotesRead
from tools.base.domain import (
    Answer,
    AnswerFormat,
    Before,
    Change,
    Contradiction,
    Hit,
    Intent,
    Mode,
    QueryPlan,
    Result,
    Sense,
    Source,
    SourceWarning,
)
from tools.base.vault_query import Listing


def merge_timings(old: Mapping[str, float], new: Mapping[str, float]) -> dict[str, float]:
    """Add the milliseconds of further nodes; of those that ran side by side the longest count."""
    return {**old, **{name: max(ms, old.get(name, 0.0)) for name, ms in new.items()}}


def add_new[T](old: Sequence[T], new: Sequence[T]) -> list[T]:
    """Add what is not there yet, in order: several searches of one source may say the same."""
    return [*dict.fromkeys((*old, *new))]


def merge_senses(old: Mapping[str, Sense], new: Mapping[str, Sense]) -> dict[str, Sense]:
    """Keep what was chosen for each name of several senses."""
    return {**old, **new}


def merge_choices(old: Mapping[str, Intent], new: Mapping[str, Intent]) -> dict[str, Intent]:
    """Keep what was chosen for each form of question; a later choice takes the place."""
    return {**old, **new}


type Until = Literal["found", "read", "answered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryContext:
    """Knobs of one run. JSON-able, so that LangGraph Studio can show and set them.

    ``mode`` None is the one of the settings. ``interactive`` false never asks back: an unclear
    question is then read as factual. ``yolo`` false shows the plan and asks before searching.
    ``whole`` shows all there is to say instead of a short page.
    ``logged`` false keeps it out of the files of unclear and of slow questions.
    ``as_of`` and ``known_at`` are dates, moments or words: what was true then, as known by then.
    ``until`` is how far it goes: to the notes ``found`` and what is quoted of them, to what was
    ``read`` in them, which ranks them better, or to all that makes an answer.
    """

    mode: Mode | None = None
    yolo: bool = True
    interactive: bool = True
    limit: int = 10
    format: AnswerFormat | None = None
    as_of: str | None = None
    known_at: str | None = None
    whole: bool = False
    logged: bool = True
    until: Until = "answered"


class QueryInput(TypedDict):
    """A question in plain words; ``intent`` forces how it is read."""

    question: str
    intent: NotRequired[Intent | None]


class QueryState(QueryInput):
    """Everything known about the question under way, and what holds for its thread.

    Searches append to ``hits``; one for a ``part`` of a comparison is told so by a Send.
    ``asked_with`` are the knobs of the run that asked. ``choices`` are the readings chosen in the
    thread, by the form of the question (``graphs/query/ambiguity_log.py``), and ``senses`` those of
    names, by the name folded;
    ``before`` is what the thread has said that its next question may lean on. ``merged`` is what
    was found, the best first, and ``behind`` what is less alike than the plan asks or comes after
    as many as are shown: it is read too, and shown where it answers. ``read`` is what these notes
    say, and no checkpoint keeps it: whoever lacks it reads them anew. ``stale`` is the number of
    notes that changed and are not indexed yet.
    """

    asked_with: QueryContext
    plan: QueryPlan
    part: NotRequired[Part]
    before: Before
    choices: Annotated[dict[str, Intent], merge_choices]
    senses: Annotated[dict[str, Sense], merge_senses]
    declined: bool
    hits: Annotated[list[Hit], operator.add]
    answered_sources: Annotated[list[Source], add_new]
    failed_sources: Annotated[list[Source], add_new]
    warnings: Annotated[list[SourceWarning], add_new]
    remarks: Annotated[list[str], operator.add]
    merged: tuple[Result, ...]
    behind: tuple[Result, ...]
    contradictions: tuple[Contradiction, ...]
    changes: tuple[Change, ...]
    listing: Listing | None
    read: NotRequired[Annotated[NotesRead | None, UntrackedValue]]
    answerable: float | None
    confidence: float | None
    stale: int
    text: str
    timings_ms: Annotated[dict[str, float], merge_timings]
    result: Answer


class QueryOutput(TypedDict):
    """The answer as one object."""

    result: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestContext:
    """Knobs of one indexing run: ``rebuild`` empties graph and vectors and reads every note."""

    rebuild: bool = False
