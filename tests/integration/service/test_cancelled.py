"""A call that nobody waits for any more is ended, whichever way its client went."""

import asyncio
import json
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from graphs.toolkit.audit_log.log import AuditLog, LoggedCall, calls_in
from tests.fakes.ollama import FakeOllama
from tests.support.processes.command_line import BRAIN
from tests.support.processes.service_process import (
    ServiceProcess,
    SharedService,
    call,
    headers,
    place_of,
    shared_service,
    tea_vault,
)
from tests.support.waiting import until

pytestmark = pytest.mark.integration

ASKED: dict[str, Any] = {"question": "How long is tea steeped?", "mode": "llm"}


@pytest.fixture(scope="module")
def model() -> Iterator[FakeOllama]:
    """A model that is asked, and says nothing."""
    with FakeOllama(mode="hang") as server:
        yield server


@pytest.fixture(scope="module")
def variables(
    tmp_path_factory: pytest.TempPathFactory, model: FakeOllama
) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("small")) as made:
        yield {**made, "BRAIN_OLLAMA_URL": model.url, "BRAIN_MODEL_TIMEOUT": "600"}


@pytest.fixture(scope="module")
def shared(variables: dict[str, str]) -> Iterator[SharedService]:
    with shared_service(variables, "--port", "0") as made:
        yield made


@pytest.fixture
def serving(shared: SharedService) -> ServiceProcess:
    return shared.running()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked once in a test."""

    model: FakeOllama
    log: AuditLog
    prompts: int
    calls: int

    def until_asked(self) -> None:
        until(lambda: len(self.model.prompts) > self.prompts)

    def until_ended(self) -> None:
        """While the model is silent: whoever asked must be gone."""
        until(lambda: len(_questions(self.log)) > self.calls)
        last = _questions(self.log)[-1]
        assert (last.outcome, last.error) == ("failed", "CancelledError")


def _questions(log: AuditLog) -> list[LoggedCall]:
    return [one for one in calls_in(log.read()) if one.tool == "ask"]


@pytest.fixture
def question(variables: dict[str, str], model: FakeOllama) -> Question:
    log = AuditLog(place_of(variables).data_dir / "audit")
    return Question(model, log, len(model.prompts), len(_questions(log)))


@pytest.mark.usefixtures("serving")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("beside", [True, False])
async def test_a_client_cancels(
    variables: dict[str, str],
    question: Question,
    mode: Any,
    *,
    beside: bool,
) -> None:
    elsewhere = {} if beside else {"BRAIN_SOURCE_TIMEOUT": "59"}
    server = StdioServerParameters(command=str(BRAIN), args=["mcp"], env={**variables, **elsewhere})
    async with Client(stdio_client(server), mode=mode) as client:
        await client.call_tool("recent_notes", {})  # it is open now
        asking = asyncio.create_task(client.call_tool("ask", ASKED))
        await asyncio.to_thread(question.until_asked)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await asyncio.to_thread(question.until_ended)
        assert not (await client.call_tool("recent_notes", {})).is_error


def test_a_client_over_http_hangs_up(serving: ServiceProcess, question: Question) -> None:
    body = json.dumps(call(**ASKED)).encode()
    lines = {**headers(serving.token), "Host": "localhost", "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with socket.socket(socket.AF_UNIX) as leaving:
        leaving.connect(str(serving.socket))
        leaving.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body)
        question.until_asked()
    question.until_ended()


@pytest.mark.usefixtures("serving")
@pytest.mark.parametrize("beside", [True, False])
def test_a_client_dies(variables: dict[str, str], question: Question, *, beside: bool) -> None:
    """It ends, which closes both ends of what it has with the command."""
    elsewhere = {} if beside else {"BRAIN_SOURCE_TIMEOUT": "59"}
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    said: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "recent_notes", "arguments": {}},
        },
    ]
    with subprocess.Popen(
        [BRAIN, "mcp"],
        env={**variables, **elsewhere},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdin is not None
        assert command.stdout is not None
        for one in said:
            command.stdin.write(json.dumps(one) + "\n")
        command.stdin.flush()
        assert {json.loads(command.stdout.readline())["id"] for _ in range(2)} == {0, 1}
        asked = {"name": "ask", "arguments": ASKED}
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked}
        command.stdin.write(json.dumps(call) + "\n")
        command.stdin.flush()
        question.until_asked()
        command.stdin.close()
        command.stdout.close()
        question.until_ended()
        assert command.wait(60) == 0
