"""What ends the command line before it is there."""

import subprocess
import sys

import pytest

from graphs.core.crash_report import NO_MEMORY

ENDED = """
import sys

class Ending:
    def find_spec(self, name, *_):
        if name == "typer":
            raise {error}

sys.meta_path.insert(0, Ending())
from graphs.cli.entry import main
main()
"""


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        ("KeyboardInterrupt", 130, "brain: stopped before anything was done."),
        ("MemoryError", 1, f"brain: {NO_MEMORY}"),
        ("ImportError('failed to map segment from shared object')", 1, f"brain: {NO_MEMORY}"),
    ],
)
def test_what_ends_it_while_everything_is_imported_is_one_line(
    error: str, code: int, told: str
) -> None:
    program = ENDED.format(error=error)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (code, f"{told}\n")
