"""Questions whose results a model orders, through a server that speaks Ollama's protocol."""

import json
from collections.abc import Mapping
from typing import cast

import pytest

from agents.reranker.reranker import RERANKED
from graphs.core.state import QueryContext
from tests.fakes.ollama import FakeOllama
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer

pytestmark = pytest.mark.integration

ASKED = "What helps recall?"
MODEL = "orders"


def backwards(prompt: str) -> Mapping[str, object]:
    """The notes from the last to the first, and no help with anything else."""
    if "`order`" not in prompt:
        return {}
    listed = json.JSONDecoder().raw_decode(prompt[prompt.index("[\n") :])[0]
    return {"order": [note["number"] for note in reversed(cast("list[dict[str, int]]", listed))]}


async def ask(indexed: Indexed, **settings: object) -> Answer:
    async with indexed.open(**settings) as brain:
        return await brain.ask(
            ASKED, intent="factual", context=QueryContext(interactive=False, limit=RERANKED)
        )


def paths(answer: Answer) -> list[str]:
    return [result.note_path for result in answer.results]


async def test_the_named_model_orders_what_was_found(indexed: Indexed) -> None:
    plain = await ask(indexed)
    with FakeOllama(replies=backwards, models=(f"{MODEL}:latest",)) as server:
        ordered = await ask(indexed, mode="auto", rerank_model=MODEL, ollama_url=server.url)
    assert len(paths(plain)) > 1
    by_search = sorted(plain.results, key=lambda one: -one.composite_relevance)
    assert paths(ordered) == [one.note_path for one in by_search][::-1]


async def test_mode_local_asks_no_model(indexed: Indexed) -> None:
    with FakeOllama(replies=backwards, models=(f"{MODEL}:latest",)) as server:
        await ask(indexed, mode="local", rerank_model=MODEL, ollama_url=server.url)
        assert server.prompts == []


async def test_without_the_model_the_order_is_as_it_is_without_a_setting(indexed: Indexed) -> None:
    plain = await ask(indexed)
    with FakeOllama(models=()) as server:
        answer = await ask(indexed, mode="auto", rerank_model=MODEL, ollama_url=server.url)
    assert paths(answer) == paths(plain)
    (said,) = [warning for warning in answer.warnings if warning.source == "reranker"]
    assert MODEL in said.error
    assert "order of the searches" in said.impact
