"""``brain index`` interrupted or paused while it embeds: what is done is kept, questions go on."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.fakes.ollama import FakeOllama
from tests.support.processes.command_line import BRAIN, Brain, environment, run_here
from tests.support.waiting import until

pytestmark = pytest.mark.integration

FIRST = 128
"""Passages of the first batches: two are under way at a time."""
MANY, EACH = 24, 100
"""Notes and their passages: more than those batches and the two largest that follow.

A server may end those that it has.
"""
FEW = 40


class Encoder(FakeOllama):
    """It embeds ``free`` passages; more wait until it is ``let_go``, and a question never does."""

    def __init__(self) -> None:
        super().__init__(models=["small-embed:latest"])
        self.free = 0
        self.held, self.let_go = threading.Event(), threading.Event()
        self._counting = threading.Lock()

    def hold(self, *, after: int) -> None:
        self.free = after
        self.held.clear()
        self.let_go.clear()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if len(texts) > 1:
            with self._counting:
                self.free -= len(texts)
                held = self.free < 0
            if held:
                self.held.set()
                self.let_go.wait(60)
        return super().embed(texts)


@pytest.fixture(scope="module")
def encoder() -> Iterator[Encoder]:
    with Encoder() as made:
        made.let_go.set()
        yield made
        made.let_go.set()


@pytest.fixture(scope="module")
def variables(
    encoder: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """Of a vault whose servers run; each test writes notes of its own."""
    folder = tmp_path_factory.mktemp("paused")
    (folder / "vault").mkdir()
    made = environment(folder / "vault", folder / "data") | {
        "BRAIN_ENCODER": "small-embed",
        "BRAIN_OLLAMA_URL": encoder.url,
    }
    yield made
    run_here("stop", environment=made)


@pytest.fixture
def brain(variables: dict[str, str], encoder: Encoder) -> Iterator[Brain]:
    yield partial(run_here, environment=variables)
    encoder.let_go.set()


def save(variables: dict[str, str], name: str, text: str) -> None:
    Path(variables["BRAIN_VAULT"], f"{name}.md").write_text(text, "utf-8")


def said(animal: str) -> str:
    return f"The {animal} of Quito eats jasmine."


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


def usable(brain: Brain, animal: str) -> set[str]:
    """Require that words and links are found; returns what the answer warns of."""
    asked = f"What does the {animal} of Quito eat?"
    answer = json.loads(brain("ask", asked, "--json", "--no-input").stdout)
    assert said(animal) in answer["answer"]
    facts = json.loads(brain("facts", animal, "--json").stdout)
    assert ("CAUSES", "Tea") in {(one["relation"], one["object"]) for one in facts}
    return {warning["error"] for warning in answer["warnings"]}


def test_ctrl_c_keeps_what_is_done_and_the_next_run_embeds_what_is_left(
    variables: dict[str, str], brain: Brain, encoder: Encoder
) -> None:
    before = status(brain).get("vectors", 0)
    for number in range(MANY):
        parts = [f"## Heron {number} {at}\n\nHeron {at} eats fish.\n\n" for at in range(EACH)]
        save(variables, f"Herons {number}", "".join(parts))
    save(variables, "okapi", f"{said('okapi')}\n\ncauses:: [[Tea]]\n")
    passages = MANY * EACH + 1
    encoder.hold(after=FIRST)
    with indexing(variables) as process:
        until(lambda: encoder.held.is_set() and status(brain).get("vectors", 0) > before)
        os.killpg(process.pid, signal.SIGINT)
        printed, complaint = process.communicate(timeout=30)
    encoder.let_go.set()
    assert (process.returncode, printed) == (130, "")
    assert complaint == "brain: stopped; what is done is kept.\n"
    left = status(brain)["vectors_pending"]
    assert 0 < left < passages
    assert "The last indexing run was interrupted." in usable(brain, "okapi")
    again = json.loads(brain("index", "--json").stdout)
    # The server may have ended a batch which the run that had sent it did not live to acknowledge.
    assert 0 < again["vectors_written"] <= left
    assert (again["written"], again["graph_written"]) == (0, 0)
    assert status(brain)["vectors"] == before + passages
    assert usable(brain, "okapi") == set()


def test_a_run_that_is_paused_goes_on_and_questions_are_answered_meanwhile(
    variables: dict[str, str], brain: Brain, encoder: Encoder
) -> None:
    for number in range(FEW - 1):
        save(variables, f"Crane {number}", f"Crane {number} eats frogs.\n")
    save(variables, "quokka", f"{said('quokka')}\n\ncauses:: [[Tea]]\n")
    encoder.hold(after=0)
    with indexing(variables) as process:
        until(encoder.held.is_set)
        os.killpg(process.pid, signal.SIGSTOP)
        encoder.let_go.set()
        try:
            until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
            save(variables, "Late", "Late is new.\n")
            warned = usable(brain, "quokka")
            busy = brain("index")
        finally:
            Path(variables["BRAIN_VAULT"], "Late.md").unlink(missing_ok=True)
            os.killpg(process.pid, signal.SIGCONT)
        printed, complaint = process.communicate(timeout=60)
    assert any("1 new or changed note is not indexed yet" in one for one in warned)
    assert busy.returncode == 2
    assert "being indexed by another process" in busy.stderr
    assert (process.returncode, complaint) == (0, "")
    assert json.loads(printed)["vectors_written"] == FEW
