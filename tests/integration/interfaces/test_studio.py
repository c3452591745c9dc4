"""LangGraph Studio's own server on our graphs: run, interrupt, resume, streamed progress."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import pytest
from langgraph_sdk import get_client

from tests.support.processes.studio import studio_server
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def studio(indexed: Indexed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("studio") / "log.txt"
    with studio_server(indexed.environment, log=log) as url:
        yield url


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
