"""From what was asked to its answer, whoever asks: the command line or a client of ``serve``."""

from collections.abc import Callable
from dataclasses import replace

from agents.interpreter.commands import require_question
from graphs.brain import Brain
from graphs.core.state import QueryContext
from graphs.query.progress import QueryProgress
from graphs.toolkit.request import QueryRequest, Wording, require_consistent
from tools.base.domain import Answer


def check(asked: QueryRequest) -> None:
    """Raise InputError for what does not go together, or is no question."""
    require_consistent(asked, Wording())
    if asked.choose is None:
        require_question(asked.question or "")


async def answer_to(
    brain: Brain,
    asked: QueryRequest,
    *,
    on_progress: Callable[[QueryProgress], None] | None = None,
) -> Answer:
    """Answer a question, or go on with one that asked back. Raises InputError and SourceError."""
    if asked.choose is not None and asked.thread is not None:
        before = await brain.query_context(asked.thread)
        return await brain.resume(
            asked.thread, asked.choose, context=_changed(before, asked), on_progress=on_progress
        )
    return await brain.ask(
        asked.question or "",
        intent=asked.intent,
        thread_id=asked.thread,
        context=_changed(QueryContext(), asked),
        on_progress=on_progress,
    )


def _changed(context: QueryContext, asked: QueryRequest) -> QueryContext:
    """The context with what was said on the command line; what was not said stays."""
    return replace(
        context,
        mode=asked.mode or context.mode,
        yolo=context.yolo and not asked.confirm,
        interactive=context.interactive and asked.interactive,
        limit=context.limit if asked.limit is None else asked.limit,
        format=asked.format or context.format,
        as_of=asked.as_of or context.as_of,
        known_at=asked.known_at or context.known_at,
        whole=asked.whole or context.whole,
    )
