"""``brain serve`` gives the same answers as there are without it, to every client.

One of other settings, another vault or another version is not asked.
"""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from graphs.service.client import ask_service
from graphs.toolkit.audit_log.log import AuditLog, LoggedCall, calls_in
from graphs.toolkit.registry import TOOLS
from graphs.toolkit.request import QueryRequest
from tests.support.processes.command_line import BRAIN, run, run_here
from tests.support.processes.service_process import (
    ServiceProcess,
    SharedService,
    locked_out,
    place_of,
    running_service,
    shared_service,
    tea_vault,
)

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-c", "from graphs.cli.main import main; main()")


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("small")) as made:
        yield made


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program, in which a file may change."""
    copy = tmp_path_factory.mktemp("program")
    being_written = shutil.ignore_patterns("*.pyc.*")
    for package in ("agents", "graphs", "prompts", "tools"):
        shutil.copytree(ROOT / package, copy / package, ignore=being_written)
    return copy


@pytest.fixture(scope="module")
def shared(variables: dict[str, str], program: Path) -> Iterator[SharedService]:
    copied = {**variables, "PYTHONPATH": str(program)}
    with shared_service(copied, "--port", "0", command=COMMAND) as made:
        yield made


@pytest.fixture
def serving(shared: SharedService) -> ServiceProcess:
    return shared.running()


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


@pytest.mark.usefixtures("serving")
def test_every_answer_is_the_same_with_and_without(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with locked_out(variables):
        without = [told(run_here("ask", *given, environment=variables)) for given in ASKED]
    assert {code for code, _, _ in without} == {0, 2, 3}
    monkeypatch.setattr("graphs.cli.main.start_servers", _not_needed)
    with_it = [told(run_here("ask", *given, environment=variables)) for given in ASKED]
    shell = told(run("ask", *ASKED[0], environment=variables))
    assert dict(zip(ASKED, with_it, strict=True)) == dict(zip(ASKED, without, strict=True))
    assert shell == without[0]


def _not_needed(*_: object) -> None:
    raise AssertionError("the service process was not asked")


@pytest.mark.parametrize("more", [(), pytest.param(("--verbose",), marks=pytest.mark.torture)])
@pytest.mark.usefixtures("serving")
def test_a_terminal_shows_the_same_colours_and_links(
    variables: dict[str, str], more: tuple[str, ...]
) -> None:
    def seen() -> str:
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

    with locked_out(variables):
        without = seen()
    assert seen() == without
    assert "\x1b]8;" in without
    assert "obsidian://" in without


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.usefixtures("serving")
def test_a_question_that_came_back_goes_on_on_either_side(variables: dict[str, str]) -> None:
    def back() -> str:
        asked = run_here("ask", "Tell me about tea", "--json", environment=variables)
        assert asked.returncode == 3
        return json.loads(asked.stdout)["thread_id"]

    def chosen(thread: str) -> tuple[int, str, str]:
        done = run_here("ask", "--thread", thread, "--choose", "1", environment=variables)
        return told(done)

    with locked_out(variables):
        before = back()
    within, after = back(), back()
    answers = [chosen(before), chosen(within)]
    late = run_here("ask", "--thread", within, "--choose", "9", environment=variables)
    assert (late.returncode, late.stderr.count("\n")) == (2, 1)
    with locked_out(variables):
        answers.append(chosen(after))
    assert answers[0][0] == 0
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.torture
def test_every_source_failing_is_4_with_and_without(
    variables: dict[str, str], shared: SharedService
) -> None:
    shared.end()
    hurried = {**variables, "BRAIN_SOURCE_TIMEOUT": "0.000001"}
    without = run_here("ask", "How long is tea steeped?", environment=hurried)
    with running_service(hurried):
        done = run_here("ask", "How long is tea steeped?", environment=hurried)
    assert (done.returncode, done.stderr) == (without.returncode, without.stderr)
    assert done.returncode == 4


@pytest.mark.usefixtures("serving")
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

    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(ask, questions))
    assert answers == [(question, f"t{n}") for n, question in enumerate(questions)]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_an_mcp_client_lists_the_tool_and_asks(
    variables: dict[str, str], serving: ServiceProcess, mode: Any
) -> None:
    bearer = {"Authorization": f"Bearer {serving.token}"}
    async with httpx2.AsyncClient(headers=bearer, timeout=60) as http:
        transport = streamable_http_client(serving.url(), http_client=http)
        async with Client(transport, mode=mode) as client:
            tools = (await client.list_tools()).tools
            done = await client.call_tool("ask", {"question": "How long is tea steeped?"})
    # A client of before says only at first what it is called.
    assert asked_questions(variables)[-1].client == "mcp"
    assert [tool.name for tool in tools] == list(TOOLS)
    assert "plain words" in tools[0].input_schema["properties"]["question"]["description"]
    assert not done.is_error
    assert done.structured_content is not None
    assert "three minutes" in done.structured_content["answer"]
    assert "three minutes" in str(done.content)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_note_is_read_by_its_address_escaped_or_not(
    variables: dict[str, str], serving: ServiceProcess, mode: Any
) -> None:
    del serving
    note = Path(variables["BRAIN_VAULT"]) / "Çay é.md"
    note.write_text("Demlenir.\n", "utf-8")
    server = StdioServerParameters(command=str(BRAIN), args=["mcp"], env=variables)
    async with Client(stdio_client(server), mode=mode) as client:
        for uri in ("note:///Çay é.md", "note:///%C3%87ay%20%C3%A9.md"):
            read = (await client.read_resource(uri)).contents[0]
            assert isinstance(read, TextResourceContents)
            assert (read.uri, read.text) == (uri, "Demlenir.\n")
    note.unlink()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_over_standard_input_shares_the_process(
    variables: dict[str, str], serving: ServiceProcess, mode: Any
) -> None:
    before = len(asked_questions(variables))
    server = StdioServerParameters(command=str(BRAIN), args=["mcp"], env=variables)
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        del progress, total
        heard.append(message)

    async with Client(stdio_client(server), mode=mode) as client:
        asked = {"question": "How long is tea steeped?"}
        done = await client.call_tool("ask", asked, progress_callback=hear)
        assert heard
        assert done.structured_content is not None
        assert "three minutes" in done.structured_content["answer"]
        assert (await client.list_resources()).resources
        refused = await client.call_tool("read_note", {"note": "../x.md"})
        assert refused.is_error
    logged = asked_questions(variables)
    assert len(logged) == before + 1
    # A client of before says only at first what it is called: the command tells it on.
    assert logged[-1].client == "mcp"
    assert serving.process.poll() is None


def test_whatever_a_client_writes_gets_a_reply(
    variables: dict[str, str], serving: ServiceProcess
) -> None:
    def call(number: int, query: object) -> bytes:
        params = {"name": "semantic_search", "arguments": {"query": query}}
        said = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        return json.dumps(said).encode()

    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode(),
        b"garbage",
        b"[" * 100_000,
        call(1, "\ud800"),
        call(2, "x" * 5_000_000),
        call(3, "tea"),
    ]
    done = subprocess.run(
        [str(BRAIN), "mcp"], input=b"\n".join(lines), env=variables, capture_output=True, check=True
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    by_id = {reply["id"]: reply for reply in replies if reply["id"] is not None}
    assert by_id.keys() == {0, 1, 2, 3}
    assert len(replies) == 6
    assert "result" in by_id[0]
    assert "result" in by_id[3]
    for number in (1, 2):
        assert "ended" not in by_id[number]["error"]["message"]
    assert serving.process.poll() is None


def asked_questions(variables: dict[str, str]) -> list[LoggedCall]:
    """The calls of ``ask`` that the log of the vault has."""
    log = AuditLog(place_of(variables).data_dir / "audit")
    return [one for one in calls_in(log.read()) if one.tool == "ask"]


async def test_a_client_is_refused_once_it_was_restarted_with_other_settings(
    variables: dict[str, str], shared: SharedService
) -> None:
    shared.running()
    server = StdioServerParameters(command=str(BRAIN), args=["mcp"], env=variables)
    async with Client(stdio_client(server)) as client:
        assert (await client.list_resources()).resources
        shared.end()
        shared.running()
        assert (await client.list_resources()).resources
        shared.end()
        others = {**variables, "BRAIN_MAX_NOTE_BYTES": "1000000"}
        refused = pytest.raises(MCPError, match=r"other settings.*connect again\.$")
        with running_service(others), refused:
            await client.list_resources()
        shared.running()
        assert (await client.list_resources()).resources


# --- it is another's ---------------------------------------------------------------------------


def is_named_and_not_asked(done: subprocess.CompletedProcess[str], told: str) -> bool:
    answered = done.returncode == 0 and "three minutes" in done.stdout
    return answered and told in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.usefixtures("serving")
def test_one_with_other_settings_is_named_and_not_asked(variables: dict[str, str]) -> None:
    others = {**variables, "BRAIN_MAX_NOTE_BYTES": "1000000"}
    done = run_here("ask", "How long is tea steeped?", environment=others)
    assert is_named_and_not_asked(done, "other settings")


@pytest.mark.torture
@pytest.mark.parametrize(
    ("name", "value"),
    [("BRAIN_MAX_NOTE_BYTES", "1000000"), ("BRAIN_MODE", "auto"), ("TZ", "Asia/Tokyo")],
)
def test_one_with_any_other_setting_is_named_and_not_asked(
    variables: dict[str, str], shared: SharedService, name: str, value: str
) -> None:
    shared.end()
    with running_service({**variables, name: value}):
        done = run_here("ask", "How long is tea steeped?", environment=variables)
    assert is_named_and_not_asked(done, "other settings")


@pytest.mark.usefixtures("serving")
def test_another_vault_is_never_answered_for(variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "Secret.md").write_text("# Secret\n\nAnother matter.\n", "utf-8")
    others = {**variables, "BRAIN_VAULT": str(tmp_path)}
    done = run_here("ask", "What is tea?", environment=others)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "another vault" in done.stderr


@pytest.mark.usefixtures("serving")
def test_one_of_an_older_program_is_named_and_not_asked(
    variables: dict[str, str], program: Path
) -> None:
    def ask() -> subprocess.CompletedProcess[str]:
        asked = [*COMMAND, "ask", "How long is tea steeped?"]
        copied = {**variables, "PYTHONPATH": str(program)}
        return subprocess.run(asked, env=copied, capture_output=True, text=True, check=False)

    assert ask().stderr == ""
    changed = program / "graphs" / "brain.py"
    before = changed.stat()
    os.utime(changed, (0, 0))
    try:
        upgraded = ask()
    finally:
        os.utime(changed, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert is_named_and_not_asked(upgraded, "another version")
