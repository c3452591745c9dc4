"""What the help of a command promises is what the command does."""

import tomllib
from pathlib import Path

import pytest

from graphs.cli import link
from tests.support.processes.command_line import run_here
from tools.links.rules import OTHER_SIDE
from tools.vault.editing.places import DEFAULT_SECTION

WIDE = {"COLUMNS": "300", "TERM": "dumb", "NO_COLOR": "1"}


def help_of(*command: str) -> str:
    done = run_here(*command, "--help", environment=WIDE)
    assert done.returncode == 0
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("command", ["facts", "search", "doctor"])
def test_what_prints_a_list_says_so(command: str) -> None:
    assert "JSON array" in help_of(command)


@pytest.mark.parametrize("command", ["timeline", "graph", "ask", "interpret", "status", "stop"])
def test_what_prints_one_thing_says_so(command: str) -> None:
    assert "JSON object" in help_of(command)


def test_each_type_of_link_can_be_given() -> None:
    assert f"<{'|'.join(OTHER_SIDE)}>" in help_of("link", "create")
    assert link.DEFAULT_SECTION == DEFAULT_SECTION


def test_a_page_is_of_what_lies_around_and_not_of_a_way() -> None:
    done = run_here("graph", "a", "--to", "b", "--html", "x.html", environment=WIDE)
    assert done.returncode == 2


def test_the_version_is_that_of_the_project() -> None:
    project = Path(__file__).parents[4] / "pyproject.toml"
    version = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    done = run_here("--version", environment=WIDE)
    assert (done.returncode, done.stdout) == (0, f"brain {version}\n")
