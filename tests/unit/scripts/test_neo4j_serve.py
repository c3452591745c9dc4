"""What the script that starts a Neo4j server says where there can be none."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[3] / "scripts"
JAVA = 'case "$1" in -version) echo \'openjdk version "%s"\' >&2;; *) echo boom; exit 3;; esac'
MAVEN = 'for a; do case "$a" in -Dmdep.outputFile=*) echo "$0" >"${a#*=}";; esac; done'


class Machine:
    """A copy of the scripts in a folder of its own, and the only programs that it can find."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._bin = root / "bin"
        self._bin.mkdir()
        shutil.copytree(SCRIPTS, root / "scripts")

    def install(self, name: str, body: str) -> None:
        program = self._bin / name
        program.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        program.chmod(0o755)

    def refusal(self, *arguments: str) -> str:
        """Why no server can be had here."""
        code, line = self.run(*arguments)
        assert code == 69
        return line

    def run(self, *arguments: str) -> tuple[int, str]:
        """The exit code, and the last line of what was said about it."""
        done = subprocess.run(
            [sys.executable, "scripts/neo4j/serve.py", *arguments, "--home", "home"],
            capture_output=True,
            text=True,
            check=False,
            cwd=self._root,
            env={"PATH": str(self._bin)},
        )
        assert done.stdout == ""
        return done.returncode, done.stderr.strip().rpartition("\n")[2]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_java_there_is_no_server(machine: Machine) -> None:
    assert "Java 17" in machine.refusal("start")


@pytest.mark.parametrize("version", ["11.0.2", "1.8.0_292"])
def test_an_old_java_is_none(machine: Machine, version: str) -> None:
    machine.install("java", JAVA % version)
    assert "Java 17" in machine.refusal("start")


def test_without_maven_there_is_no_server(machine: Machine) -> None:
    machine.install("java", JAVA % "17.0.15")
    assert "Maven" in machine.refusal("start")
    assert "`make neo4j`" in machine.refusal("start", "--fetched")


def test_a_registry_out_of_reach_is_told(machine: Machine) -> None:
    machine.install("java", JAVA % "21")
    machine.install("mvn", "echo no route; exit 1")
    assert "Maven Central" in machine.refusal("start")


def test_a_server_that_ends_at_once_is_a_failure(machine: Machine) -> None:
    machine.install("java", JAVA % "17")
    machine.install("mvn", MAVEN)
    code, line = machine.run("start")
    assert (code, line.endswith("boom")) == (1, True)
    # What was fetched is not fetched again.
    machine.install("mvn", "exit 1")
    assert machine.run("start", "--fetched") == (code, line)


def test_stopping_what_does_not_run_is_fine(machine: Machine) -> None:
    assert machine.run("stop") == (0, "")
