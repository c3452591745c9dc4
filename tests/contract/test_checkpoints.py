"""What every place for open questions does: the SQLite file, and a real Postgres."""

import asyncio
import operator
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from threading import Timer
from typing import Annotated, Any, TypedDict, cast

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import SecretStr

from graphs.checkpoints.deferred_saver import DeferredSaver
from graphs.checkpoints.factory import open_checkpoints
from graphs.core.nodes import Graph, compiled
from tests.support.values.results import a_result
from tools.base.domain import Result, SourceWarning

type Opens = Callable[[], AbstractAsyncContextManager[BaseCheckpointSaver[str]]]
"""Opens the store as the next process would."""


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.integration)])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Opens:
    if request.param == "file":
        return lambda: open_checkpoints(tmp_path / "checkpoints.db")
    uri = SecretStr(request.getfixturevalue("postgres_uri"))
    return lambda: open_checkpoints(tmp_path / "never", uri=uri, vault="Nötes 🌱-0123456789")


class State(TypedDict, total=False):
    question: str
    found: Annotated[list[Result], operator.add]
    warnings: list[SourceWarning]
    reply: str


WARNING = SourceWarning(source="text", error="Slow, and “odd” \U0001f331.", impact="None.")


def asking(saver: BaseCheckpointSaver[str], *, found: int = 2) -> Graph:
    """A graph that finds something, asks back, and keeps the reply."""

    async def search(state: State) -> State:
        return {"found": [RESULTS[n % 5] for n in range(found)], "warnings": [WARNING]}

    async def ask(state: State) -> State:
        return {"reply": interrupt({"asked": state.get("question")})}

    builder = cast("Any", StateGraph(State))
    builder.add_node("search", search)
    builder.add_node("ask", ask)
    builder.add_edge(START, "search")
    builder.add_edge("search", "ask")
    builder.add_edge("ask", END)
    return compiled(builder, saver=saver)


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name}}


async def run(graph: Graph, given: object, name: str) -> dict[str, Any]:
    return await cast("Any", graph).ainvoke(given, thread(name), durability="exit")


async def waiting(graph: Graph, name: str) -> bool:
    return bool((await graph.aget_state(thread(name))).interrupts)


async def test_a_question_goes_on_where_it_is_opened_next(opens: Opens) -> None:
    async with opens() as saver:
        await run(asking(saver), {"question": "Which?"}, "one")
    async with opens() as saver:
        assert not isinstance(saver, InMemorySaver)
        graph = asking(saver)
        (left,) = (await graph.aget_state(thread("one"))).interrupts
        assert left.value == {"asked": "Which?"}
        ended = await run(graph, Command(resume="2"), "one")
    # Equal, and so of our own types, with the tuples in them.
    assert (ended["reply"], ended["warnings"]) == ("2", [WARNING])
    assert ended["found"] == [RESULTS[0], RESULTS[1]]
    async with opens() as saver:
        assert not await waiting(asking(saver), "one")


async def test_a_question_that_was_deferred_goes_on_once_it_is_kept(opens: Opens) -> None:
    async with opens() as saver:
        deferred = DeferredSaver(saver)
        await run(asking(deferred), {"question": "Which?"}, "known")
        assert await waiting(asking(saver), "known")
        for name in ("one", "other"):
            deferred.defer(name)
            await run(asking(deferred), {"question": "Which?"}, name)
            assert not await waiting(asking(saver), name)
        await deferred.keep("one")
        deferred.drop("other")
    async with opens() as saver:
        graph = asking(saver)
        assert not await waiting(graph, "other")
        assert await waiting(graph, "one")
        ended = await run(graph, Command(resume="2"), "one")
    assert (ended["question"], ended["reply"], ended["warnings"]) == ("Which?", "2", [WARNING])
    assert ended["found"] == [RESULTS[0], RESULTS[1]]


async def test_many_threads_at_once_keep_apart(opens: Opens) -> None:
    names = [f"thread{number}" for number in range(24)]
    async with opens() as saver, opens() as another:
        graphs = [asking(saver), asking(another)]
        await asyncio.gather(
            *(run(graphs[n % 2], {"question": name}, name) for n, name in enumerate(names))
        )
        ended = await asyncio.gather(
            *(
                run(graphs[(n + 1) % 2], Command(resume=str(n)), name)
                for n, name in enumerate(names)
            )
        )
    assert [(end["question"], end["reply"]) for end in ended] == [
        (name, str(n)) for n, name in enumerate(names)
    ]


async def test_a_deleted_thread_is_gone_and_no_other(opens: Opens) -> None:
    async with opens() as saver:
        graph = asking(saver)
        for name in ("one", "two"):
            await run(graph, {"question": name}, name)
        await saver.adelete_thread("one")
        await saver.adelete_thread("never there")
        assert not await waiting(graph, "one")
    async with opens() as saver:
        assert not await waiting(asking(saver), "one")
        assert await waiting(asking(saver), "two")


async def test_a_big_state_is_kept_whole(opens: Opens) -> None:
    async with opens() as saver:
        await run(asking(saver, found=4000), {"question": "q" * 1_000_000}, "big")
    async with opens() as saver:
        ended = await run(asking(saver), Command(resume="yes"), "big")
    assert len(ended["question"]) == 1_000_000
    assert ended["found"] == [RESULTS[n % 5] for n in range(4000)]


async def test_first_starts_at_once_do_not_collide(opens: Opens) -> None:
    async def start(name: str) -> None:
        async with opens() as saver:
            assert not isinstance(saver, InMemorySaver)
            await run(asking(saver), {"question": name}, name)

    await asyncio.gather(*(start(f"thread{number}") for number in range(8)))
    async with opens() as saver:
        graph = asking(saver)
        assert all([await waiting(graph, f"thread{number}") for number in range(8)])


async def test_a_file_that_another_process_is_beginning_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA user_version = 1")
        other.execute("BEGIN IMMEDIATE")
        # In a thread: it waits for whoever reads the file, and must not keep the reader waiting.
        commit = Timer(0.1, other.execute, ("COMMIT",))
        commit.start()
        async with open_checkpoints(path) as saver:
            assert not isinstance(saver, InMemorySaver)
        commit.join()


RESULTS = [a_result(f"{number}.md") for number in range(5)]
