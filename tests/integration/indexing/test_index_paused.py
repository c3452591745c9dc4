"""``brain index`` interrupted or paused while it embeds: what is done is kept, questions go on."""

import json
import os
import signal
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.processes.command_line import BRAIN, Brain, environment, run_here
from tests.support.processes.service_process import until

pytestmark = pytest.mark.integration

MANY = 2_400
"""Notes whose passages are more than the first batches and the two largest that follow.

Two are under way at a time, and a server may end those that it has.
"""
FEW = 300
SAID = "The okapi of Quito eats jasmine."
QUESTION = "What does the okapi of Quito eat?"


@pytest.fixture
def variables(tmp_path: Path) -> Iterator[dict[str, str]]:
    (tmp_path / "vault").mkdir()
    made = environment(tmp_path / "vault", tmp_path / "data")
    yield made
    run_here("stop", environment=made)


@pytest.fixture
def brain(variables: dict[str, str]) -> Brain:
    return partial(run_here, environment=variables)


def write(variables: dict[str, str], notes: int) -> None:
    for number in range(notes - 1):
        text = f"# Topic {number}\n\nHeron {number} eats fish.\n\ncauses:: [[Topic {number + 1}]]\n"
        save(variables, f"Topic {number}", text)
    save(variables, "Okapi", f"{SAID}\n\ncauses:: [[Topic 1]]\n")


def save(variables: dict[str, str], name: str, text: str) -> None:
    Path(variables["BRAIN_VAULT"], f"{name}.md").write_text(text, "utf-8")


@contextmanager
def indexing(variables: dict[str, str]) -> Generator[subprocess.Popen[str]]:
    """A `brain index` in a process group of its own, as a shell starts it."""
    with subprocess.Popen(
        [BRAIN, "index", "--json"],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def status(brain: Brain) -> dict[str, Any]:
    """What ``brain status`` says; nothing yet where there is no index."""
    done = brain("status", "--json")
    return json.loads(done.stdout) if done.returncode == 0 else {}


def embedding(brain: Brain) -> bool:
    run = status(brain).get("last_run")
    return run is not None and run["phase"] == "vectors"


def usable(brain: Brain) -> set[str]:
    """Require that words and links are found; returns what the answer warns of."""
    answer = json.loads(brain("ask", QUESTION, "--json", "--no-input").stdout)
    assert SAID in answer["answer"]
    facts = json.loads(brain("facts", "Okapi", "--json").stdout)
    assert ("CAUSES", "Topic 1") in {(one["relation"], one["object"]) for one in facts}
    return {warning["error"] for warning in answer["warnings"]}


def test_ctrl_c_keeps_what_is_done_and_the_next_run_embeds_what_is_left(
    variables: dict[str, str], brain: Brain
) -> None:
    write(variables, MANY)
    with indexing(variables) as process:
        until(lambda: status(brain).get("vectors"))
        os.killpg(process.pid, signal.SIGINT)
        said, complaint = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, "")
    assert complaint == "brain: stopped; what is done is kept.\n"
    left = status(brain)["vectors_pending"]
    assert 0 < left < MANY
    assert "The last indexing run was interrupted." in usable(brain)
    again = json.loads(brain("index", "--json").stdout)
    # The server may have ended a batch which the run that had sent it did not live to acknowledge.
    assert 0 < again["vectors_written"] <= left
    assert (again["written"], again["graph_written"]) == (0, 0)
    assert status(brain)["vectors"] == MANY
    assert usable(brain) == set()


def test_a_run_that_is_paused_goes_on_and_questions_are_answered_meanwhile(
    variables: dict[str, str], brain: Brain
) -> None:
    write(variables, FEW)
    with indexing(variables) as process:
        until(lambda: embedding(brain))
        os.killpg(process.pid, signal.SIGSTOP)
        try:
            until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
            save(variables, "Late", "Late is new.\n")
            warned = usable(brain)
            busy = brain("index")
        finally:
            os.killpg(process.pid, signal.SIGCONT)
        said, complaint = process.communicate(timeout=60)
    assert any("1 new or changed note is not indexed yet" in one for one in warned)
    assert busy.returncode == 2
    assert "being indexed by another process" in busy.stderr
    assert (process.returncode, complaint) == (0, "")
    assert json.loads(said)["vectors_written"] == FEW
