"""Ctrl-C before the command line is there."""

import subprocess
import sys

INTERRUPTED = """
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from graphs.entry import main
main()
"""


def test_ctrl_c_while_everything_is_imported_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (130, "brain: stopped before anything was done.\n")
