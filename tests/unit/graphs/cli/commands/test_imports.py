"""Commands that ask nothing and write nothing start at once: they load no LangGraph."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[5]


CODE = """
import sys
from graphs.cli.main import app
try:
    app(sys.argv[1:])
except SystemExit:  # status says that this vault has no index yet
    assert any(name.startswith("graphs.cli.commands.") for name in sys.modules)
print("langgraph" in sys.modules)
"""


@pytest.mark.parametrize("command", ["status", "stop", "staged", "link history", "link stats"])
def test_commands_that_only_look_load_no_langgraph(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path, command: str
) -> None:
    vault = write_vault({"Tea.md": "Tea."})
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            CODE,
            *command.split(),
            "--vault",
            vault,
            "--data-dir",
            tmp_path / "data",
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "False"
