"""``brain serve`` of other settings, another vault or another version is not asked."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes.command_line import run_here
from tests.support.processes.service_process import resident, tea_vault

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("small")) as made:
        yield made


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
    command = (sys.executable, "-c", "from graphs.cli.main import main; main()")

    def ask() -> subprocess.CompletedProcess[str]:
        asked = [*command, "ask", "How long is tea steeped?"]
        return subprocess.run(asked, env=copied, capture_output=True, text=True, check=False)

    with resident(copied, command=command):
        assert ask().stderr == ""
        os.utime(tmp_path / "graphs" / "brain.py", (0, 0))
        upgraded = ask()
    assert upgraded.returncode == 0
    assert "another version" in upgraded.stderr
