"""The part of LangGraph that the graphs use, typed: its own types are partly open."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, cast

from langgraph.channels import UntrackedValue
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphBubbleUp
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Overwrite, RetryPolicy, TimeoutPolicy

from tools.runtime.tracing import parts, span
from tools.text.voice import ENGLISH, load, set_language

type Update = dict[str, Any]
type Node = Callable[..., Awaitable[Update]]
type Builder = StateGraph[Any, Any, Any, Any]
type Graph = CompiledStateGraph[Any, Any, Any, Any]
type ErrorHandler = Callable[..., Awaitable[Command[str]]]


def add_node(
    builder: Builder,
    name: str,
    node: Node,
    *,
    defer: bool = False,
    timeout: TimeoutPolicy | None = None,
    retry: RetryPolicy | None = None,
    error_handler: ErrorHandler | None = None,
) -> None:
    """Add a node that takes what it names: state, runtime, config."""
    builder.add_node(  # pyright: ignore[reportUnknownMemberType]
        name,
        node,
        defer=defer,
        timeout=timeout,
        retry_policy=retry,
        error_handler=error_handler,
    )


async def load_and_set_language(language: str) -> None:
    """Have the task that awaits it speak a language, which is read from disk aside."""
    if language != ENGLISH:
        await asyncio.to_thread(load, language)
    set_language(language)


class TimedError(Exception):
    """A node failed, by ``reason``, after ``milliseconds``."""

    def __init__(self, reason: Exception, milliseconds: float) -> None:
        super().__init__(type(reason).__name__)
        self.reason = reason
        self.milliseconds = milliseconds


def timed(name: str, node: Node, *, key: str, anew: bool = False, handled: bool = False) -> Node:
    """Trace the node, and record its milliseconds under ``name`` in the state's ``key``.

    Its parts are recorded as ``<name>.<part>``. ``anew`` forgets what was recorded before. A node
    whose errors are ``handled`` raises them as TimedError, for its handler to record.
    """

    @wraps(node)
    async def run(*args: object, **kwargs: object) -> Update:
        started = time.perf_counter()

        def elapsed() -> float:
            return round((time.perf_counter() - started) * 1000, 1)

        with span(name, passing=(GraphBubbleUp, TimedError)) as traced, parts() as found:
            try:
                update = await node(*args, **kwargs)
            except GraphBubbleUp:
                raise
            except Exception as error:
                if not handled:
                    raise
                traced.fail(error)
                raise TimedError(error, elapsed()) from error
            if isinstance(hits := update.get("hits"), list):
                traced.set({"hits": len(cast("list[object]", hits))})
        took = {name: elapsed()} | {f"{name}.{part}": round(ms, 1) for part, ms in found.items()}
        return {**update, key: Overwrite(took) if anew else took}

    return run


def compiled(builder: Builder, *, saver: BaseCheckpointSaver[str] | bool | None = None) -> Graph:
    """Make the graph runnable; with a saver its questions can be asked back and resumed.

    True is the saver of the graph that it is a part of, over all its runs in a thread.

    What no checkpoint keeps is not streamed either: it is large, and nobody's to see.
    """
    graph: Graph = builder.compile(  # pyright: ignore[reportUnknownMemberType]
        checkpointer=saver
    )
    channels = cast("Mapping[str, object]", graph.channels)  # pyright: ignore[reportUnknownMemberType]
    graph.stream_channels = [
        name
        for name in graph.stream_channels_list
        if not isinstance(channels[name], UntrackedValue)
    ]
    return graph


def stream(graph: Graph, asked: object, **options: Any) -> AsyncIterator[Any]:
    """Run the graph and yield what it streams."""
    return graph.astream(asked, **options)  # pyright: ignore[reportUnknownMemberType]


async def run(graph: Graph, asked: object, **options: Any) -> Update:
    """Run the graph to its end, or to what it asks back; return its output."""
    return cast("Update", await graph.ainvoke(asked, **options))  # pyright: ignore[reportUnknownMemberType]
