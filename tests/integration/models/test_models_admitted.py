"""In mode ``auto`` a model takes the roles it was found better at, and the answer says so."""

from pathlib import Path

import pytest

from graphs.core.state import QueryContext
from tests.fakes.ollama import FakeOllama
from tests.support.questions.model_answers import CLEAR, UNCLEAR, admit, ollama, roles_asked
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer, Mode

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("model_client_imported")]


async def ask(
    indexed: Indexed,
    question: str,
    served: tuple[FakeOllama, str],
    checks: Path,
    *,
    mode: Mode = "auto",
) -> Answer:
    server, name = served
    async with indexed.open(
        mode=mode, ollama_url=server.url, chat_model=name, model_checks=checks
    ) as brain:
        return await brain.ask(question, context=QueryContext(mode=mode, whole=True))


async def test_a_model_that_was_never_checked_decides_nothing_by_itself(
    indexed: Indexed, tmp_path: Path
) -> None:
    with ollama() as (server, name):
        answer = await ask(indexed, CLEAR, (server, name), tmp_path / "none.json")
        assert server.prompts == []
        assert f"{name} was never checked: `brain model check {name}`" in answer.answer
        insisted = await ask(indexed, CLEAR, (server, name), tmp_path / "none.json", mode="llm")
    assert insisted.plan is not None
    assert insisted.plan.decided_by == "llm"


async def test_it_takes_the_roles_it_was_better_at(indexed: Indexed, tmp_path: Path) -> None:
    checks = tmp_path / "models.json"
    with ollama() as (server, name):
        admit(name, checks, "answerer")
        await ask(indexed, CLEAR, (server, name), checks)
        assert roles_asked(server) == ["answerer"]
        admit(name, checks, "interpreter")
        server.requests.clear()
        answer = await ask(indexed, UNCLEAR, (server, name), checks)
        assert "answerer" not in roles_asked(server)
    assert f"{name} was not better at it by more than chance" in answer.answer
