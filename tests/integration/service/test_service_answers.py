"""``brain serve`` gives the same answers as there are without it, to every client."""

import json
import os
import pty
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from graphs.service.client import ask_service
from graphs.service.request import QueryRequest
from tests.support.processes.command_line import BRAIN, run, run_here
from tests.support.processes.service_process import place_of, resident, tea_vault

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("small")) as made:
        yield made


def told(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """What a person or script gets, without what differs between any two runs."""
    said = re.sub(r"[\d.]+ ms", "N ms", done.stdout)
    said = re.sub(r"--thread \w+", "--thread T", said)
    said = re.sub(r'"thread_id": "\w+"', '"thread_id": "T"', said)
    said = re.sub(r'"timings_ms": \{[^}]*\}', '"timings_ms": {}', said)
    return done.returncode, said, done.stderr


ASKED: tuple[tuple[str, ...], ...] = (
    ("How long is tea steeped?",),
    ("How long is tea steeped?", "--json"),
    ("How long is tea steeped?", "--verbose", "--limit", "1"),
    ("Compare Tea and Coffee", "--format", "table", "--mode", "local"),
    ("Why is water for tea not hotter?", "--as-of", "2999-01-01"),
    ("What happened to Tea?", "--intent", "temporal", "--json"),
    ("Tell me about tea",),
    ("Tell me about tea", "--json"),
    ("Tell me about tea", "--no-input"),
    ("How long is tea steeped?", "--confirm"),
    ("How long is tea steeped?", "--confirm", "--json"),
    ("xyzzy plugh",),
    ("",),
    ("x" * 2001,),
    ("<script>alert(1)</script>",),
    ("How long is tea steeped?", "--limit", "0"),
    ("How long is tea steeped?", "--as-of", "never ever"),
    ("How long is tea steeped?", "--confirm", "--no-input"),
    ("--thread", "nothere", "--choose", "1"),
    ("--choose", "1"),
    (),
)


def test_every_answer_is_the_same_with_and_without(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    without = [told(run_here("ask", *given, environment=variables)) for given in ASKED]
    assert {code for code, _, _ in without} == {0, 2, 3}
    with resident(variables):
        monkeypatch.setattr("graphs.cli.main.start_servers", _not_needed)
        with_it = [told(run_here("ask", *given, environment=variables)) for given in ASKED]
        shell = told(run("ask", *ASKED[0], environment=variables))
    assert dict(zip(ASKED, with_it, strict=True)) == dict(zip(ASKED, without, strict=True))
    assert shell == without[0]


def _not_needed(*_: object) -> None:
    raise AssertionError("the resident process was not asked")


def test_a_terminal_shows_the_same_colours_and_links(variables: dict[str, str]) -> None:
    def seen(*more: str) -> str:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [BRAIN, "ask", "How long is tea steeped?", *more],
            env={**variables, "TERM": "xterm-256color", "COLUMNS": "400"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        read = b""
        while part := _read(ours):
            read += part
        os.close(ours)
        assert process.wait(30) == 0
        text = re.sub(r"id=\d+;", "id=N;", read.decode())
        # How long each step took differs, and with it which steps are worth telling.
        return re.sub(r"[^\n]*[\d.]+ ms[^\n]*", "timings", text)

    without = seen(), seen("--verbose")
    with resident(variables):
        assert (seen(), seen("--verbose")) == without
    assert "\x1b]8;" in without[0]
    assert "obsidian://" in without[0]


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the other end is closed
        return b""


def test_a_question_that_came_back_goes_on_on_either_side(variables: dict[str, str]) -> None:
    def back() -> str:
        asked = run_here("ask", "Tell me about tea", "--json", environment=variables)
        assert asked.returncode == 3
        return json.loads(asked.stdout)["thread_id"]

    def chosen(thread: str) -> tuple[int, str, str]:
        done = run_here("ask", "--thread", thread, "--choose", "1", environment=variables)
        return told(done)

    before = back()
    with resident(variables):
        within = back()
        after = back()
        answers = [chosen(before), chosen(within)]
        late = run_here("ask", "--thread", within, "--choose", "9", environment=variables)
        assert (late.returncode, late.stderr.count("\n")) == (2, 1)
    answers.append(chosen(after))
    assert answers[0][0] == 0
    assert answers[0] == answers[1] == answers[2]


def test_every_source_failing_is_4_with_and_without(variables: dict[str, str]) -> None:
    hurried = {**variables, "BRAIN_SOURCE_TIMEOUT": "0.000001"}
    without = run_here("ask", "How long is tea steeped?", environment=hurried)
    with resident(hurried):
        done = run_here("ask", "How long is tea steeped?", environment=hurried)
    assert (done.returncode, done.stderr) == (without.returncode, without.stderr)
    assert done.returncode == 4


def test_clients_at_once_get_their_own_answers(variables: dict[str, str]) -> None:
    place = place_of(variables)
    questions = [
        f"How is {thing} made, attempt {n}?" for n in range(4) for thing in ("tea", "coffee")
    ]

    def ask(question: str) -> tuple[str, str]:
        asked = QueryRequest(
            question=question, thread=f"t{questions.index(question)}", mode="local"
        )
        answer = ask_service(place, asked)
        assert answer is not None
        return answer["query"], answer["thread_id"]

    with resident(variables), ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(ask, questions))
    assert answers == [(question, f"t{n}") for n, question in enumerate(questions)]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_an_mcp_client_lists_the_tool_and_asks(variables: dict[str, str], mode: Any) -> None:
    with resident(variables, "--port", "0") as serving:
        bearer = {"Authorization": f"Bearer {serving.token}"}
        async with httpx2.AsyncClient(headers=bearer, timeout=60) as http:
            transport = streamable_http_client(serving.url(), http_client=http)
            async with Client(transport, mode=mode) as client:
                tools = (await client.list_tools()).tools
                done = await client.call_tool("ask", {"question": "How long is tea steeped?"})
    assert [tool.name for tool in tools] == ["ask"]
    assert "plain words" in tools[0].input_schema["properties"]["question"]["description"]
    assert not done.is_error
    assert done.structured_content is not None
    assert "three minutes" in done.structured_content["answer"]
    assert "three minutes" in str(done.content)
