"""A search of a question, and what all of them are given."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field

from agents.interpreter.search_targets import Part
from graphs.core.deps import Deps
from graphs.core.prefetch import Prefetch, SingleFlight
from tools.base.domain import Hit, Intent, QueryPlan, Source, SourceWarning

type Similar = list[tuple[str, float]]
"""Vectors, with their similarities to a text, the nearest first."""
type Nearest = Callable[[str, int], Coroutine[None, None, Similar]]
"""The vectors nearest to a text, at most so many."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """What is searched: ``deps``, the vectors ``nearest`` to a text (at most so many), begun early.

    Searches that need the same hits by words wait for them together (``shared``).
    """

    deps: Deps
    nearest: Prefetch[str, int, Similar]
    shared: SingleFlight[list[Hit]] = field(default_factory=SingleFlight[list[Hit]])


def search_scope(deps: Deps) -> SearchScope:
    """The scope of all questions of an event loop."""

    async def similar(text: str, limit: int) -> Similar:
        return await deps.index.search(text, limit=limit)

    return SearchScope(deps, Prefetch(similar))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retriever:
    """One search: a node of the question's graph, with a time limit of its own.

    ``applies`` says for which plans it is asked; one that knows today only must leave out those of
    an earlier moment. ``search`` gives the hits for a plan, or for a part of its comparison, at
    most ``note_limit`` notes; what blocks belongs in a thread. Scores are in [0, 1], 1 for a note
    that surely is on what is asked; what the question excludes is left out by the merge. ``impact``
    says what an answer to an intent may lack without it. ``gaps`` warns of what it cannot find just
    now and blocks; ``begin`` has a server at work before the searches.
    """

    source: Source
    applies: Callable[[QueryPlan], bool]
    search: Callable[[QueryPlan, Part | None, SearchScope], Awaitable[list[Hit]]]
    impact: Callable[[Intent], str]
    gaps: Callable[[Deps], list[SourceWarning]] | None = None
    begin: Callable[[QueryPlan, SearchScope], None] | None = None
