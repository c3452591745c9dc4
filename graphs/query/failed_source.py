"""What an answer says of a search that failed, and what it may lack without it."""

import asyncio

from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.types import Command

from graphs.core import crash_report
from graphs.core.nodes import ErrorHandler, TimedError
from graphs.core.state import QueryState
from graphs.query.retrieval.retriever import Retriever
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError, TransientError
from tools.runtime.sqlite import is_busy


def is_transient(error: Exception) -> bool:
    """Whether a search that failed so would likely answer if it were asked again at once."""
    cause = error.reason if isinstance(error, TimedError) else error
    return isinstance(cause, TransientError) or is_busy(cause)


def recover_from(retriever: Retriever) -> ErrorHandler:
    """What is done where a search failed: the answer warns of it, and rests on the others."""

    async def source_failed(state: QueryState, error: NodeError) -> Command[str]:
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
        source, impact = retriever.source, retriever.impact(state["plan"].intent)
        update = {
            "warnings": [SourceWarning(source=source, error=reason, impact=impact)],
            "failed_sources": [source],
            "timings_ms": {source: round(took, 1)},
        }
        # A node that failed goes nowhere by itself; were all to fail, no answer came.
        return Command(update=update, goto="merge")

    return source_failed
