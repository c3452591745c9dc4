"""The part of LangGraph that the graphs use, typed: its own types are partly open."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import wraps
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

type Update = dict[str, Any]
type Node = Callable[..., Awaitable[Update]]
type Builder = StateGraph[Any, Any, Any, Any]
type Graph = CompiledStateGraph[Any, Any, Any, Any]


def add_node(builder: Builder, name: str, node: Node, **options: object) -> None:
    """Add a node that takes what it names: state, runtime, config."""
    cast("Any", builder).add_node(name, node, **options)


def timed(name: str, node: Node, *, key: str) -> Node:
    """Record the node's milliseconds under ``name`` in the state's ``key``."""

    @wraps(node)
    async def run(*args: object, **kwargs: object) -> Update:
        started = time.perf_counter()
        update = await node(*args, **kwargs)
        return {**update, key: {name: round((time.perf_counter() - started) * 1000, 1)}}

    return run


def compiled(builder: Builder, *, saver: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Make the graph runnable; with a saver its questions can be asked back and resumed."""
    return cast("Graph", cast("Any", builder).compile(checkpointer=saver))


def stream(graph: Graph, asked: object, **options: object) -> AsyncIterator[Any]:
    """Run the graph and yield what it streams."""
    return cast("AsyncIterator[Any]", cast("Any", graph).astream(asked, **options))
