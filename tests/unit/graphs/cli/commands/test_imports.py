"""Commands that ask nothing and write nothing start at once: they load no LangGraph."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[5]


@pytest.mark.parametrize("command", ["status", "stop"])
def test_commands_that_only_look_load_no_langgraph(command: str) -> None:
    code = f"import sys, graphs.cli.commands.{command}; print('langgraph' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
