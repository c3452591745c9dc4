"""``brain serve``: the same answers; its life among crashes, signals and other settings."""

import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from graphs.asked import Asked
from graphs.resident_client import ask_resident
from tests.command_line import BRAIN, environment, run, run_here
from tests.residents import place_of, resident, until
from tests.silence import SilentServer, silent_server

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
NOTES = {
    "Tea.md": "# Tea\n\nTea is steeped for three minutes. #drink\n\nSee [[Water]].\n",
    "Water.md": "# Water\n\nTea water is heated to 80 degrees, because hotter is bitter.\n",
    "Coffee.md": "# Coffee\n\nCoffee is ground by hand. See [[Water]].\n",
}


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The settings of a small indexed vault of this module's own."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "vault").mkdir()
    for name, text in NOTES.items():
        (folder / "vault" / name).write_text(text, "utf-8")
    made = environment(folder / "vault", folder / "data")
    assert run("index", environment=made).returncode == 0
    yield made
    run_here("stop", environment=made)


def told(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """What a person or script gets, without what differs between any two runs."""
    said = re.sub(r"[\d.]+ ms", "N ms", done.stdout)
    said = re.sub(r"--thread \w+", "--thread T", said)
    said = re.sub(r'"thread_id": "\w+"', '"thread_id": "T"', said)
    said = re.sub(r'"timings_ms": \{[^}]*\}', '"timings_ms": {}', said)
    return done.returncode, said, done.stderr


# --- the same answers --------------------------------------------------------------------------

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
    ("x" * 501,),
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
        monkeypatch.setattr("graphs.cli.start_servers", _not_needed)
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
        asked = Asked(question=question, thread=f"t{questions.index(question)}", mode="local")
        answer = ask_resident(place, asked)
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


# --- its life ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(variables: dict[str, str], number: signal.Signals) -> None:
    with resident(variables) as serving:
        serving.process.send_signal(number)
        _, said = serving.process.communicate(timeout=30)
        assert (serving.process.returncode, said) == (0, "")
        assert serving.leftovers() == []


def test_status_names_it_and_stop_ends_it(variables: dict[str, str]) -> None:
    def running() -> bool:
        done = run_here("status", "--json", environment=variables)
        return json.loads(done.stdout)["servers"]["serve"]

    assert not running()
    with resident(variables) as serving:
        assert running()
        shown = run_here("status", environment=variables).stdout
        assert re.search(r"brain serve\s+running, pid", shown)
        stopped = json.loads(run_here("stop", "--json", environment=variables).stdout)
        assert "serve" in stopped["stopped"]
        assert serving.process.wait(10) == 0
        assert serving.leftovers() == []
        assert not running()


def test_there_is_one_for_a_vault(variables: dict[str, str]) -> None:
    with resident(variables) as serving:
        second = run("serve", environment=variables)
        assert (second.returncode, second.stdout) == (2, "")
        assert "already" in second.stderr
        assert second.stderr.count("\n") == 1
        assert serving.process.poll() is None
        assert run_here("ask", "How long is tea steeped?", environment=variables).returncode == 0


def test_what_a_killed_one_leaves_is_in_nobody_s_way(variables: dict[str, str]) -> None:
    with resident(variables) as serving:
        serving.kill()
        assert len(serving.leftovers()) == 2
        started = time.monotonic()
        assert ask_resident(place_of(variables), Asked(question="What is tea?")) is None
        assert time.monotonic() - started < 1
        done = run_here("ask", "How long is tea steeped?", environment=variables)
        assert (done.returncode, done.stderr) == (0, "")
    with resident(variables) as again:
        assert again.process.poll() is None
        assert ask_resident(place_of(variables), Asked(question="What is tea?")) is not None


def test_one_that_hangs_is_not_waited_for(variables: dict[str, str]) -> None:
    with resident(variables) as serving:
        os.killpg(serving.process.pid, signal.SIGSTOP)
        started = time.monotonic()
        assert ask_resident(place_of(variables), Asked(question="What is tea?")) is None
        assert time.monotonic() - started < 3
        done = run_here("ask", "How long is tea steeped?", environment=variables)
        assert (done.returncode, done.stderr) == (0, "")
        os.killpg(serving.process.pid, signal.SIGCONT)


def test_its_servers_may_be_killed(variables: dict[str, str]) -> None:
    run_dir = place_of(variables).run_dir
    with resident(variables):
        for name in ("semantic", "graph"):
            os.kill(int((run_dir / f"{name}.pid").read_text("ascii")), signal.SIGKILL)
        asked = Asked(question="tea", intent="exploratory", mode="local")
        answer = ask_resident(place_of(variables), asked)
        assert answer is not None
        assert set(answer["sources_available"]) == {"semantic", "text", "graph"}
        assert answer["warnings"] == []


def test_it_ends_when_its_data_directory_is_removed(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Tea.md").write_text(NOTES["Tea.md"], "utf-8")
    variables = environment(tmp_path / "vault", tmp_path / "data")
    with resident(variables) as serving:
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        assert serving.process.wait(30) == 0
    assert not serving.leftovers()


def test_it_ends_with_its_owner(variables: dict[str, str]) -> None:
    with (
        subprocess.Popen(["sleep", "300"]) as owner,
        resident({**variables, "BRAIN_SERVICES_OWNER": str(owner.pid)}) as serving,
    ):
        owner.kill()
        assert serving.process.wait(30) == 0
        assert serving.leftovers() == []


def test_a_long_data_directory_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Tea.md").write_text(NOTES["Tea.md"], "utf-8")
    variables = environment(tmp_path / "vault", tmp_path / ("long" * 40))
    with resident(variables) as serving:
        assert not serving.socket.is_relative_to(tmp_path)
        answer = ask_resident(place_of(variables), Asked(question="What is tea?", mode="local"))
        assert answer is not None
        assert answer["results"]
    run_here("stop", environment=variables)
    shutil.rmtree(serving.socket.parent, ignore_errors=True)


def test_a_vault_that_is_out_of_sight_is_not_an_empty_one(tmp_path: Path) -> None:
    vault, away = tmp_path / "vault", tmp_path / "away"
    vault.mkdir()
    (vault / "Tea.md").write_text(NOTES["Tea.md"], "utf-8")
    variables = environment(vault, tmp_path / "data")
    with resident(variables):
        assert run_here("ask", "What is tea?", environment=variables).returncode in (0, 3)
        vault.rename(away)
        gone = run_here("ask", "What is tea?", environment=variables)
        assert gone.returncode == 2
        assert "does not exist" in gone.stderr
        away.rename(vault)
        status = json.loads(run_here("status", "--json", environment=variables).stdout)
        assert status["notes_indexed"] == 1
    run_here("stop", environment=variables)


@pytest.mark.parametrize("port", ["70000", "-1", "many"])
def test_a_port_that_is_none_is_one_line(variables: dict[str, str], port: str) -> None:
    done = run("serve", "--port", port, environment=variables)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--port" in done.stderr


def test_a_port_in_use_is_one_line(variables: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), environment=variables)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"Port {port} cannot be used" in done.stderr


# --- other settings, another vault, another version --------------------------------------------


def test_one_with_other_settings_is_named_and_not_asked(variables: dict[str, str]) -> None:
    for other in (
        {"BRAIN_MAX_NOTE_BYTES": "1000000"},
        {"BRAIN_MODE": "auto"},
        {"TZ": "Asia/Tokyo"},
    ):
        with resident({**variables, **other}):
            done = run_here("ask", "How long is tea steeped?", environment=variables)
        assert done.returncode == 0
        assert "three minutes" in done.stdout
        assert "other settings" in done.stderr
        assert done.stderr.count("\n") == 1


def test_another_vault_is_never_answered_for(variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "Secret.md").write_text("# Secret\n\nAnother matter.\n", "utf-8")
    with resident(variables):
        done = run_here(
            "ask", "What is tea?", environment={**variables, "BRAIN_VAULT": str(tmp_path)}
        )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "another vault" in done.stderr


def test_one_of_an_older_program_is_named_and_not_asked(
    variables: dict[str, str], tmp_path: Path
) -> None:
    for package in ("agents", "graphs", "prompts", "tools"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    copied = {**variables, "PYTHONPATH": str(tmp_path)}
    command = (sys.executable, "-c", "from graphs.cli import main; main()")

    def ask() -> subprocess.CompletedProcess[str]:
        asked = [*command, "ask", "How long is tea steeped?"]
        return subprocess.run(asked, env=copied, capture_output=True, text=True, check=False)

    with resident(copied, command=command):
        assert ask().stderr == ""
        os.utime(tmp_path / "graphs" / "query.py", (0, 0))
        upgraded = ask()
    assert upgraded.returncode == 0
    assert "another version" in upgraded.stderr


# --- in the middle of an answer ----------------------------------------------------------------


@pytest.fixture
def slow(variables: dict[str, str]) -> Iterator[tuple[dict[str, str], SilentServer]]:
    """Settings by which every question waits for a model that never says a word."""
    with silent_server() as server:
        address = f"http://127.0.0.1:{server.port}"
        yield (
            {
                **variables,
                "BRAIN_MODE": "llm",
                "BRAIN_OLLAMA_URL": address,
                "BRAIN_MODEL_TIMEOUT": "6",
            },
            server,
        )


def asking(variables: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [BRAIN, "ask", "How long is tea steeped?"],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_one_that_is_killed_in_an_answer_costs_no_answer(
    slow: tuple[dict[str, str], SilentServer],
) -> None:
    variables, model = slow
    with resident(variables) as serving:
        model.connections()
        client = asking(variables)
        until(model.connections)
        serving.process.kill()
        said, wrong = client.communicate(timeout=120)
    assert (client.returncode, wrong) == (0, "")
    assert "three minutes" in said


def test_ctrl_c_ends_the_client_and_not_the_resident(
    slow: tuple[dict[str, str], SilentServer],
) -> None:
    variables, model = slow
    with resident(variables) as serving:
        model.connections()
        client = asking(variables)
        until(model.connections)
        client.send_signal(signal.SIGINT)
        _, wrong = client.communicate(timeout=30)
        assert (client.returncode, wrong) == (130, "brain: stopped; what is done is kept.\n")
        asked = Asked(question="How long is tea steeped?", mode="local")
        assert ask_resident(place_of(variables), asked) is not None
        assert serving.process.poll() is None
