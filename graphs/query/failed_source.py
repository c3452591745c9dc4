"""What an answer says of a search that failed, and what it may lack without it."""

import asyncio
from collections.abc import Mapping

from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.types import Command

from graphs.core import crash_report
from graphs.core.nodes import TimedError
from graphs.core.state import QueryState
from tools.base.domain import SOURCES, Intent, Source, SourceWarning
from tools.base.errors import BrainError, TransientError
from tools.runtime.sqlite import is_busy

_IMPACT: Mapping[Source, str] = {
    "semantic": "Notes that say it in other words may be missing.",
    "text": "Notes with exactly these words or names may be missing.",
    "graph": "Notes that are only linked, not named, may be missing.",
}
_GRAPH_IMPACT: Mapping[Intent, str] = {
    "temporal": "What changed, was linked or superseded is missing: only when notes were written "
    "is shown.",
    "causal": "Chains of causes and effects are missing: only what notes say in words is shown.",
    "comparative": "What the compared things share in links is missing.",
    "exploratory": "Notes at the other end of links are missing.",
}
"""What is lost without the graph, where an intent lives by it."""


def is_transient(error: Exception) -> bool:
    """Whether a search that failed so would likely answer if it were asked again at once."""
    cause = error.reason if isinstance(error, TimedError) else error
    return isinstance(cause, TransientError) or is_busy(cause)


async def source_failed(state: QueryState, error: NodeError) -> Command[str]:
    """Warn of the search, and go on with what the others found."""
    source: Source = next(source for source in SOURCES if source == error.node)
    match error.error:
        case NodeTimeoutError(elapsed=seconds):
            took, cause = seconds * 1000, error.error
        case TimedError(reason=cause, milliseconds=took):
            pass
        case cause:
            took = 0.0
    match cause:
        case NodeTimeoutError():
            reason = "no answer within the time limit."
        case BrainError():
            reason = str(cause)
        case _:
            reason = await asyncio.to_thread(crash_report.record, cause)
    warning = SourceWarning(
        source=source, error=reason, impact=_impact(source, state["plan"].intent)
    )
    # A node that failed goes nowhere by itself; without this, three failures end without an answer.
    failed = {"warnings": [warning], "failed_sources": [source]}
    return Command(update={**failed, "timings_ms": {source: round(took, 1)}}, goto="merge")


def _impact(source: Source, intent: Intent) -> str:
    return _GRAPH_IMPACT.get(intent, _IMPACT[source]) if source == "graph" else _IMPACT[source]
