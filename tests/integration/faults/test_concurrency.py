"""All ways in at once on one vault, while notes are saved: a watcher, servers, chats, a script."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphs.service.client import ask_service
from graphs.toolkit.request import QueryRequest
from tests.support.processes.command_line import run, run_here
from tests.support.processes.crashing import ANIMALS, Copy
from tests.support.processes.service_process import place_of, running_service, tea_vault
from tests.support.processes.terminals import at_a_terminal, until_asked
from tests.support.processes.watchers import watched
from tests.support.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.torture]

type Asker = Callable[[str], str]
"""Somebody who has the vault open: from a question to all that is said in reply."""

NOT_YET = "not indexed yet"
FOODS = ("frogs", "newts", "snails", "berries")
BURST = 300

SCRIPT = """
import asyncio, sys
from graphs.app import open_brain

async def main():
    async with open_brain(sys.argv[1], data_dir=sys.argv[2], mode="local") as brain:
        while question := await asyncio.to_thread(sys.stdin.readline):
            answer = await brain.ask(question.strip())
            print(answer.answer, "the end", sep="\\n", flush=True)

asyncio.run(main())
"""
"""Python code of somebody who uses this as a library."""


@dataclass(frozen=True)
class Vault:
    """A vault that is indexed, and the settings of all who use it."""

    variables: dict[str, str]

    @property
    def folder(self) -> Path:
        return Path(self.variables["BRAIN_VAULT"])

    def save(self, name: str, text: str) -> None:
        (self.folder / f"{name}.md").write_text(text, "utf-8")

    def status(self) -> dict[str, Any]:
        return json.loads(run_here("status", "--json", environment=self.variables).stdout)

    def up_to_date(self) -> bool:
        status = self.status()
        behind = (status["changed"], status["vectors_pending"], status["graph_pending"])
        return not any((*behind, status["under_way"]))

    def wrong(self) -> list[str]:
        """What ``brain doctor`` finds wrong."""
        return Copy(self.folder, Path(self.variables["BRAIN_DATA_DIR"])).wrong()

    def ask_http(self, question: str) -> str:
        """Ask ``brain serve``."""
        answer = ask_service(
            place_of(self.variables), QueryRequest(question=question, interactive=False)
        )
        assert answer is not None, "the service process does not answer"
        return answer["answer"]

    @contextmanager
    def chat(self) -> Generator[Asker]:
        """A `brain chat` that searches at once."""
        wide = {**self.variables, "COLUMNS": "500"}  # so that no words are parted by a line's end
        with at_a_terminal("chat", environment=wide) as (_, terminal):

            def ask(line: str) -> str:
                os.write(terminal, f"{line}\n".encode())
                return until_asked(terminal)

            until_asked(terminal)
            yield ask

    @contextmanager
    def script(self) -> Generator[Asker]:
        """A Python script that keeps the vault open."""
        with subprocess.Popen(
            [sys.executable, "-c", SCRIPT, self.folder, self.variables["BRAIN_DATA_DIR"]],
            env={**self.variables, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield partial(_ask_script, process)
                assert process.stdin is not None
                process.stdin.close()
                assert process.wait(60) == 0
            finally:
                process.kill()


def _ask_script(process: subprocess.Popen[str], question: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{question}\n")
    process.stdin.flush()
    said = iter(process.stdout.readline, "the end\n")
    return "".join(line for line in said if line or pytest.fail("the script ended"))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with tea_vault(tmp_path) as variables:
        yield Vault(variables)


def ask_all(askers: list[Asker], question: str) -> list[str]:
    """Ask all at the same moment."""
    with ThreadPoolExecutor(len(askers)) as pool:
        replies = [pool.submit(ask, question) for ask in askers]
        return [reply.result() for reply in replies]


def test_all_at_once_find_what_was_just_saved_and_outlive_those_that_are_killed(
    vault: Vault,
) -> None:
    with ExitStack() as stack:
        opened = [vault.chat(), vault.chat(), vault.script()]
        watcher = stack.enter_context(watched(vault.variables))
        serving = stack.enter_context(running_service(vault.variables))
        staying = [stack.enter_context(one) for one in opened]
        askers = [*staying, vault.ask_http]

        saved = list(zip(ANIMALS, FOODS, strict=False))
        for animal, food in saved:
            vault.save(animal, f"The {animal} of Porto eats {food}.\n\nSee [[Tea]].\n")
            vault.save("Water", f"The pike of Tunis eats {food}.\n")  # a note that was there
            for eater in (f"{animal} of Porto", "pike of Tunis"):
                for said in ask_all(askers, f"What does the {eater} eat?"):
                    assert food in said or NOT_YET in said, said
        until(vault.up_to_date)
        for animal, food in saved:
            for said in ask_all(askers, f"What does the {animal} of Porto eat?"):
                assert food in said, said
                assert NOT_YET not in said
        assert watcher.events("problem") == []
        assert vault.wrong() == []

        for number in range(BURST):
            vault.save(f"Topic {number}", f"Topic {number} is told by the oracle of Delphi.\n")
        until(lambda: vault.status()["under_way"])
        watcher.kill()
        serving.kill()
        vault.save("Lynx", "The lynx of Lima eats cherries.\n")
        asked = "What does the lynx of Lima eat?"
        alone = run("ask", asked, "--no-input", environment=vault.variables)
        assert alone.returncode == 0, alone.stderr
        for said in (*ask_all(staying, asked), alone.stdout):
            assert "cherries" in said or NOT_YET in said, said

        done = run("index", environment=vault.variables)
        assert (done.returncode, done.stderr) == (0, "")
        stack.enter_context(running_service(vault.variables))  # what was killed is in nobody's way
        for said in ask_all(askers, asked):
            assert "cherries" in said, said
            assert NOT_YET not in said
        assert vault.status()["notes_indexed"] == len(list(vault.folder.iterdir()))
        assert vault.up_to_date()
        assert vault.wrong() == []
