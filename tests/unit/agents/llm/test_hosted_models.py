"""A chat model of another provider, as LangChain reaches it."""

import re

import pytest
from pydantic import BaseModel

from agents.llm.language_model import language_model, probe, provider_of
from tests.fakes.openai import FakeOpenAI
from tools.base.errors import ModelAbsentError, ModelUnavailableError
from tools.settings.settings import ModelSettings

NAME = "openai:small"


class Verdict(BaseModel):
    contradiction: bool


async def ask(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, *, name: str = NAME) -> Verdict:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    model = language_model(url="http://127.0.0.1:1", name=name, timeout=60)
    return await model("Do they clash?", Verdict)


async def test_it_gives_values_of_a_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI(reply={"contradiction": True}) as server:
        assert (await ask(server, monkeypatch)).contradiction
    assert "Do they clash?" in server.prompts[0]


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_an_error_of_the_provider_is_one_line_without_the_key(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with (
        FakeOpenAI(reply={}, status=status) as server,
        pytest.raises(ModelUnavailableError, match=NAME) as raised,
    ):
        await ask(server, monkeypatch)
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


async def test_a_reply_of_another_form_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        FakeOpenAI(reply={"perhaps": 1}) as server,
        pytest.raises(ModelUnavailableError, match=NAME),
    ):
        await ask(server, monkeypatch)
    assert server.prompts


async def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        FakeOpenAI(reply={}) as server,
        pytest.raises(ModelAbsentError, match=r"cohere:command.*LangChain.*cohere"),
    ):
        await ask(server, monkeypatch, name="cohere:command")


async def test_a_probe_says_that_notes_leave_the_machine_and_asks_nothing() -> None:
    found = await probe("http://127.0.0.1:1", NAME)
    assert found.has_model
    assert re.search(r"\bnotes\b.*\bopenai\b", found.message)


@pytest.mark.parametrize(
    ("name", "provider"),
    [("llama3.2", None), ("llama3.2:3b", None), ("mistral:7b", None), (NAME, "openai")],
)
def test_only_a_providers_name_before_the_colon_is_one(name: str, provider: str | None) -> None:
    assert provider_of(name) == provider


def test_ollama_serves_what_is_named_so() -> None:
    assert ModelSettings(chat_model="ollama:llama3.2:3b").chat_model == "llama3.2:3b"
