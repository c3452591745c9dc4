"""Whole questions with a language model that is slow, broken or absent."""

import socket
import time
from collections.abc import Mapping

import pytest

from tests.fakes.ollama import Mode as Fault
from tests.support.questions.model_answers import CLEAR, DISPUTED, UNCLEAR, asked, ollama
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer, Mode

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("model_client_imported")]

_ROLES = 3
_MODEL_SECONDS = 2.0
_SLACK = 6.0
"""Seconds for everything that is not the model, on a busy machine."""

FAULTS: Mapping[Fault, str] = {
    "wrong-json": "larger model",
    "error": "smaller model",
    "hang": "BRAIN_MODEL_TIMEOUT",
}
"""With what is advised."""


def said(answer: Answer) -> str:
    """What the reader is told about the model."""
    told = [f"{warning.error} {warning.impact}" for warning in answer.warnings]
    told += [line for line in answer.answer.splitlines() if "language model" in line]
    return "\n".join(told)


@pytest.mark.parametrize(
    ("mode", "fault"),
    [
        ("llm", "wrong-json"),
        ("llm", "error"),
        ("llm", "hang"),
        ("auto", "hang"),
        pytest.param("auto", "wrong-json", marks=pytest.mark.torture),
        pytest.param("auto", "error", marks=pytest.mark.torture),
    ],
)
async def test_a_model_that_fails_costs_time_at_most(
    indexed: Indexed, fault: Fault, mode: Mode
) -> None:
    with ollama(fault=fault) as (server, name):
        started = time.monotonic()
        answer = await asked(
            indexed, DISPUTED, url=server.url, name=name, mode=mode, model_timeout=_MODEL_SECONDS
        )
        took = time.monotonic() - started
    assert answer.status == "answered"
    assert "notes/Atomic notes improve recall.md" in {r.note_path for r in answer.results}
    assert answer.contradictions  # judged by its words
    assert took < _ROLES * _MODEL_SECONDS + _SLACK
    assert fault != "hang" or len(server.prompts) == 1, "a silent model is waited for once"
    assert name in said(answer)
    assert FAULTS[fault] in said(answer)
    assert "decides by itself" in said(answer)


@pytest.mark.parametrize("mode", ["llm", pytest.param("auto", marks=pytest.mark.torture)])
async def test_a_model_that_is_not_pulled_is_named_with_the_command(
    indexed: Indexed, mode: Mode
) -> None:
    with ollama() as (server, _):
        answer = await asked(indexed, CLEAR, url=server.url, name="nosuch", mode=mode)
        assert server.prompts == []
    assert answer.status == "answered"
    assert "Ollama has no model nosuch: run `ollama pull nosuch`" in said(answer)


@pytest.fixture
def closed_url() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.mark.parametrize("mode", ["llm", "auto"])
async def test_a_server_that_is_not_there_is_named_with_the_command(
    indexed: Indexed, closed_url: str, mode: Mode
) -> None:
    answer = await asked(indexed, CLEAR, url=closed_url, name="any", mode=mode)
    assert answer.status == "answered"
    assert "No Ollama server answers" in said(answer)
    assert "`ollama serve`" in said(answer)
    assert answer.plan is not None
    assert answer.plan.decided_by == ("fallback" if mode == "llm" else "local")


async def test_an_unclear_question_without_a_model_is_asked_back(
    indexed: Indexed, closed_url: str
) -> None:
    answer = await asked(indexed, UNCLEAR, url=closed_url, name="any", mode="auto")
    assert answer.status == "needs_clarification"
    assert answer.clarification is not None
    assert len(answer.clarification.options) >= 2


async def test_a_password_in_the_address_is_not_shown(indexed: Indexed, closed_url: str) -> None:
    url = closed_url.replace("://", "://me:secret@")
    answer = await asked(indexed, CLEAR, url=url, name="any", mode="llm")
    assert "No Ollama server answers" in said(answer)
    assert "secret" not in str(answer)
