"""A vault that means harm: indexed whole within bounds, each problem named once, asked in time."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.command_line import BRAIN, environment, run_here
from tests.support.vaults.hostile_vault import WORD, Hostile, build
from tools.base.guards import terminal_text

pytestmark = [pytest.mark.integration, pytest.mark.torture, pytest.mark.timeout(900)]

PROCESSOR_SECONDS = 240
"""Of the process that indexes; about 45 are needed where nothing else runs."""
MEGABYTES = 900

_MEASURED = """
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
measured = {"seconds": used.ru_utime, "megabytes": used.ru_maxrss / 1024}
print(json.dumps(measured), file=sys.stderr)
"""
# A process of its own: what a child took begins with the memory of the process that started it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """The hostile vault after ``brain index``, and what that said and took."""

    hostile: Hostile
    environment: dict[str, str]
    report: dict[str, Any]
    seconds: float
    megabytes: float


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    place = tmp_path_factory.mktemp("h")
    hostile = build(place)
    variables = environment(hostile.vault, place / "data")
    run = subprocess.run(
        [sys.executable, "-c", _MEASURED, BRAIN, "index", "--json"],
        env=variables,
        capture_output=True,
        check=True,
        text=True,
    )
    used = json.loads(run.stderr.splitlines()[-1])
    yield Attacked(
        hostile=hostile,
        environment=variables,
        report=json.loads(run.stdout),
        seconds=used["seconds"],
        megabytes=used["megabytes"],
    )
    run_here("stop", environment=variables)
    for folder, _, _ in os.walk(hostile.vault):
        Path(folder).chmod(0o700)


def test_every_note_is_indexed_within_bounds(attacked: Attacked) -> None:
    assert attacked.report["notes"] == len(attacked.hostile.indexed)
    assert attacked.report["graph_written"] >= len(attacked.hostile.indexed)
    assert {warning["source"] for warning in attacked.report["warnings"]} == {"history"}
    assert attacked.seconds < PROCESSOR_SECONDS
    assert attacked.megabytes < MEGABYTES


def test_each_problem_is_named_once_by_a_path_that_can_be_printed(attacked: Attacked) -> None:
    problems = attacked.report["problems"]
    named = Counter((problem["note_path"], problem["message"]) for problem in problems)
    assert set(named.values()) == {1}
    assert attacked.hostile.left_out <= {problem["note_path"] for problem in problems}
    for path, message in named:
        assert path.splitlines() == [path]
        assert message.splitlines() == [message]
        assert message == terminal_text(message)
        assert str(attacked.hostile.vault) not in path + message
    again = run_here("index", "--json", environment=attacked.environment)
    assert json.loads(again.stdout)["problems"] == problems


def test_the_vault_is_as_it_was(attacked: Attacked) -> None:
    vault = attacked.hostile.vault
    assert (vault / ".git").read_text() == "gitdir: ../nowhere/../../.git\n"
    assert not (vault / "pwned").exists()
    assert not list(vault.glob("*.db"))


COMMANDS = [
    *(
        ["ask", question]
        for question in (
            f"What does the {WORD} need?",
            "What is Heading?",
            "Why was loop a?",
            "Compare One and Two",
            "How did b evolve?",
            "Give me an overview of everything about Kind note",
            "What happened on 9999-12-31?",
            "What happened before 0001-01-01?",
            "What is text in controls click red?",
            "What do the rivers and words count?",
        )
    ),
    *(["search", words] for words in (WORD, "a", "x", "item", "]] [[", "1", "note OR NEAR(")),
    *(["facts", name] for name in ("a", "Kind note", "Note", "-rf", "a..b", "[[brackets]]")),
    *(["timeline", name] for name in ("b", "Kind note", "Two")),
    ["graph", "Kind note"],
    ["graph", "chain"],
    ["doctor"],
    ["status"],
    ["index"],
]


AS_JSON = [
    [*command, "--json"]
    for command in (
        ["ask", "What is text in controls click red?"],
        ["search", "]] [["],
        ["facts", "-rf"],
        ["timeline", "Kind note"],
        ["graph", "chain"],
        ["doctor"],
        ["status"],
        ["index"],
    )
]


@pytest.mark.parametrize("command", [*COMMANDS, *AS_JSON], ids=" ".join)
def test_every_command_works_on_it_and_prints_no_control_character(
    attacked: Attacked, command: list[str]
) -> None:
    done = run_here(*command, environment=attacked.environment)
    assert done.returncode in (0, 2, 3), done.stdout + done.stderr
    for text in (done.stdout, done.stderr):
        assert text == terminal_text(text)
        assert "Traceback" not in text
        assert "secret outside" not in text


def test_the_kind_note_is_found_in_time_and_no_note_is_obeyed(attacked: Attacked) -> None:
    done = run_here(
        "ask", f"What does the {WORD} need?", "--json", environment=attacked.environment
    )
    answer = json.loads(done.stdout)
    assert answer["status"] == "answered"
    assert answer["sources_failed"] == []
    assert "Kind note.md" in [result["note_path"] for result in answer["results"]][:3]
    assert not re.search(r"!\[[^\]]*\]\(|<img|<script|javascript:", answer["answer"])
    for source in answer["sources_available"]:
        assert answer["timings_ms"][source] < 1000
