"""The command line as a person or a script meets it, where it is no other test's subject."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.answer_schema import schema_errors
from tests.support.processes.command_line import run, run_here
from tests.support.processes.terminals import at_a_terminal, interrupt_newest_thread, until_asked
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

type Run = Callable[..., subprocess.CompletedProcess[str]]

here_and_alone = pytest.mark.parametrize(
    "run_it",
    [
        pytest.param(run_here, id="here"),
        pytest.param(run, id="a process of its own", marks=pytest.mark.torture),
    ],
)
"""Of the commands, ``ask`` is a process of its own in each run, ``chat`` at a terminal."""


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that says why nothing was done."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_an_answer_in_a_pipe_is_plain_markdown(indexed: Indexed) -> None:
    done = run_here("ask", "What is a Zettelkasten?", environment=indexed.environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("> A Zettelkasten is")
    assert "\x1b" not in done.stdout


def test_json_is_one_object_that_fits_the_schema(indexed: Indexed) -> None:
    done = run_here(
        "ask", "Compare Zettelkasten and PARA", "--json", environment=indexed.environment
    )
    document = json.loads(done.stdout)
    assert schema_errors(document) == []
    assert document["plan"]["subjects"] == ["Zettelkasten", "PARA"]


def test_asking_back_ends_with_3_and_another_process_goes_on(indexed: Indexed) -> None:
    """That one writes to a pipe whose old encoding costs signs, not the answer."""
    asked = run_here("ask", "Tell me about Zettelkasten", environment=indexed.environment)
    assert asked.returncode == 3
    assert "  1) " in asked.stdout
    thread = asked.stdout.split("--thread ", 1)[1].split()[0]
    too_far = run_here("ask", "--thread", thread, "--choose", "9", environment=indexed.environment)
    assert "choose a number from 1 to" in refused(too_far)
    ascii_only = {**indexed.environment, "PYTHONIOENCODING": "ascii"}
    done = run("ask", "--thread", thread, "--choose", "1", environment=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Zettelkasten" in done.stdout
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", ""], "Nothing was asked"),
        (["ask", "*query"], "needs something to look for"),
        (["ask", "What is sleep?", "--confirm", "--no-input"], "give one"),
        (["ask", "x" * 2001], "2000"),
        (["ask", "tab\x07bell"], "control"),
        (["ask", "<script>alert(1)</script>"], "script"),
        (["ask", "--thread", "nothere", "--choose", "1"], "No question is waiting"),
        (["ask", "--choose", "1"], "--thread"),
        (["ask"], "Nothing was asked"),
        (["ask", "What is sleep?", "--limit", "0"], "100"),
        (["ask", "What is sleep?", "--limit", "1000"], "100"),
    ],
)
def test_bad_input_is_one_line_and_2(indexed: Indexed, arguments: list[str], said: str) -> None:
    assert said in refused(run_here(*arguments, environment=indexed.environment))


def test_a_vault_that_cannot_be_used_is_one_line_and_2(indexed: Indexed, tmp_path: Path) -> None:
    environment = {k: v for k, v in indexed.environment.items() if not k.startswith("BRAIN_")}
    file = tmp_path / "file.md"
    file.write_text("x", "utf-8")
    (tmp_path / "empty").mkdir()
    cases = {
        str(tmp_path / "missing"): "does not exist",
        str(file): "is a file",
        str(tmp_path / "empty"): "no notes",
    }
    for vault, said in cases.items():
        done = run_here(
            "index", "--vault", vault, "--data-dir", str(tmp_path / "d"), environment=environment
        )
        assert said in refused(done)
    assert "No vault given" in refused(run_here("ask", "x", environment=environment))


def test_a_data_directory_of_another_vault_is_refused(indexed: Indexed, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.md").write_text("x", "utf-8")
    environment = {**indexed.environment, "BRAIN_VAULT": str(tmp_path / "other")}
    assert "another vault" in refused(run_here("ask", "What is x?", environment=environment))


@here_and_alone
def test_interpret_search_status_and_doctor(indexed: Indexed, run_it: Run) -> None:
    variables = indexed.environment
    plan = run_it("interpret", "Why was my bread dense?", "--json", environment=variables)
    assert json.loads(plan.stdout)["intent"] == "causal"
    found = run_it("search", "late caffeine", "--json", environment=variables)
    assert json.loads(found.stdout)[0]["note_path"] == "notes/Late caffeine.md"
    status = json.loads(run_it("status", "--json", environment=variables).stdout)
    assert (status["notes_on_disk"], status["notes_indexed"], status["changed"]) == (75, 75, 0)
    doctor = run_it("doctor", environment=variables)
    assert doctor.returncode == 0, doctor.stdout


@here_and_alone
def test_facts_timeline_and_graph(indexed: Indexed, run_it: Run) -> None:
    for command, said in (("facts", "is tagged"), ("timeline", "created"), ("graph", "—")):
        done = run_it(command, "Zettelkasten", environment=indexed.environment)
        assert (done.returncode, done.stderr) == (0, "")
        assert said in done.stdout


@here_and_alone
def test_a_conversation(indexed: Indexed, run_it: Run) -> None:
    lines = [
        "*help",
        "*plan",
        "*yolo on",
        "/surface-related sleep",
        "*plan",
        "tell me about PARA",
        "1",
        "*nonsense",
        "*exit",
    ]
    done = run_it("chat", environment=indexed.environment, stdin="\n".join(lines) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    for said in (
        "*temporal-query",
        "Nothing has been asked yet",
        "Yolo is on",
        "Intent: exploratory",
        "Sleep consolidates memory",
        "  1) ",
        "do not know",
    ):
        assert said in done.stdout


def test_a_conversation_shows_its_plan_first_where_that_is_wanted(indexed: Indexed) -> None:
    lines = ["*yolo off", "what is spaced repetition?", "1", "*exit"]
    done = run_here("chat", environment=indexed.environment, stdin="\n".join(lines) + "\n")
    assert "Run this search?" in done.stdout
    assert "`--all`" in done.stdout.split("Run this search?", 1)[1]


def test_help_names_every_command(indexed: Indexed) -> None:
    done = run("--help", environment=indexed.environment)
    for name in (
        "index",
        "ask",
        "chat",
        "interpret",
        "search",
        "facts",
        "timeline",
        "graph",
        "status",
        "doctor",
        "stop",
    ):
        assert name in done.stdout


def test_a_chat_at_a_terminal_answers_until_ctrl_c_ends_it(indexed: Indexed) -> None:
    with at_a_terminal("chat", environment=indexed.environment) as (chat, terminal):
        until_asked(terminal)
        os.write(terminal, b"What is a Zettelkasten?\n")
        assert "A Zettelkasten is" in until_asked(terminal)
        interrupt_newest_thread(chat)
        assert chat.wait(60) == 130


def test_a_conversation_shows_how_it_answers_if_asked_to(indexed: Indexed) -> None:
    asked = "What is a Zettelkasten?\n"
    told = {
        options: run_here("chat", *options, environment=indexed.environment, stdin=asked).stdout
        for options in ((), ("--verbose",))
    }
    assert "shows everything" in told[()]
    assert "shows everything" not in told[("--verbose",)]
    assert "Failed: none" in told[("--verbose",)]


def test_a_problem_that_is_gone_is_no_longer_reported(request: pytest.FixtureRequest) -> None:
    place = in_turn(request).of({"Basil.md": "Basil wants a weak solution.\n"})
    link = place.vault / "outside.md"
    link.symlink_to("/etc/hostname")
    for _ in range(2):
        done = run_here("index", environment=place.environment)
        assert "outside.md: This link leads out" in done.stdout
    link.unlink()
    assert "outside.md" not in run_here("index", environment=place.environment).stdout


def test_what_search_by_meaning_lacks_is_said_until_it_is_embedded(
    request: pytest.FixtureRequest,
) -> None:
    place = in_turn(request).emptied()
    (place.vault / "Basil.md").write_text("Basil wants a weak solution.\n", "utf-8")
    variables = place.environment
    asked = ("ask", "What does basil want?", "--no-input")
    said = "1 of 1 passages are not embedded yet."
    assert said in run_here(*asked, environment=variables).stdout
    run_here("index", environment=variables)
    assert said not in run_here(*asked, environment=variables).stdout
