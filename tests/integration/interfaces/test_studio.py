"""LangGraph Studio's own server on our graphs: run, interrupt, resume, streamed progress."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from langgraph_sdk import get_client

from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[3]
START_SECONDS = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def studio(indexed: Indexed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real ``langgraph dev``, started on the project's langgraph.json."""
    port = free_port()
    log = tmp_path_factory.mktemp("studio") / "log.txt"
    command = [str(Path(sys.executable).parent / "langgraph"), "dev", "--no-browser", "--no-reload"]
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            env={
                **indexed.environment,
                "LANGSMITH_TRACING": "false",
                "LANGGRAPH_CLI_NO_ANALYTICS": "1",
            },
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(url):
            assert server.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < deadline, log.read_text("utf-8")
        yield url
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ok", timeout=1).is_success
    except httpx.TransportError:
        return False


@pytest.fixture
async def client(studio: str) -> AsyncIterator[Any]:
    async with get_client(url=studio) as opened:
        yield cast("Any", opened)  # the SDK is partly untyped


async def test_a_question_streams_its_steps_and_ends_with_the_answer(
    client: Any,
) -> None:
    thread = await client.threads.create()
    steps: list[str] = []
    async for part in client.runs.stream(
        thread["thread_id"],
        "query",
        input={"question": "What is a Zettelkasten?"},
        stream_mode="updates",
    ):
        if part.event == "updates":
            steps += list(part.data)
    assert [step for step in steps if step not in ("semantic", "text")] == [
        "guard", "interpret", "merge", "read", "judge", "answer", "finish",
    ]  # fmt: skip
    state = await client.threads.get_state(thread["thread_id"])
    result = state["values"]["result"]
    assert result["status"] == "answered"
    assert result["results"][0]["note_path"] == "notes/Zettelkasten.md"


async def test_an_unclear_question_interrupts_and_resumes(client: Any) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "query", input={"question": "Tell me about Zettelkasten"})
    state = await client.threads.get_state(thread)
    (waiting,) = state["tasks"]
    asked = waiting["interrupts"][0]["value"]
    assert asked["kind"] == "clarification"
    assert [option["number"] for option in asked["options"]][:2] == [1, 2]
    values = await client.runs.wait(thread, "query", command={"resume": "not a number"})
    values = await client.runs.wait(thread, "query", command={"resume": "1"})
    assert values["result"]["status"] == "answered"
    assert values["result"]["plan"]["decided_by"] == "user"


async def test_a_run_without_a_question_is_told_what_lacks(client: Any) -> None:
    with pytest.raises(Exception, match="question is empty"):
        await client.runs.wait(None, "query", input={})


async def test_a_conversation_answers_asks_back_and_leans_on_what_was_said(client: Any) -> None:
    thread = (await client.threads.create())["thread_id"]

    async def said(text: str) -> Any:
        message = {"role": "user", "content": text}
        return await client.runs.wait(thread, "chat", input={"messages": [message]})

    unclear = await said("Tell me about Zettelkasten")
    (asked,) = unclear["__interrupt__"]
    assert [option["number"] for option in asked["value"]["options"]][:2] == [1, 2]
    chosen = await client.runs.wait(thread, "chat", command={"resume": "2"})
    later = await said("and when was it written?")
    for values, question in ((chosen, 1), (later, 3)):
        answer = values["messages"][question]
        assert answer["type"] == "ai"
        assert "[[Zettelkasten" in answer["content"]
        assert answer["additional_kwargs"]["sources"][0]["source"] == "notes/Zettelkasten.md"


async def test_what_cannot_be_asked_is_told_as_a_message(client: Any) -> None:
    asked = {"messages": [{"role": "user", "content": "What happened on 2024-13-45?"}]}
    values = await client.runs.wait(None, "chat", input=asked)
    assert "2024-13-45" in values["messages"][-1]["content"]


async def test_indexing_streams_its_progress(client: Any, indexed: Indexed) -> None:
    (indexed.vault / "studio.md").write_text("Written while Studio runs.", "utf-8")
    phases: set[str] = set()
    try:
        async for part in client.runs.stream(None, "ingest", input={}, stream_mode="custom"):
            if part.event == "custom":
                phases.add(part.data["phase"])
    finally:
        (indexed.vault / "studio.md").unlink()
        async with indexed.open() as brain:
            await brain.index()
    assert phases == {"text", "graph", "vectors"}
