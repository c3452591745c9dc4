"""The way into the command line: Ctrl-C is told in a line while everything is still imported."""

import sys

from graphs.exits import STOPPED


def main() -> None:
    """Start the command line."""
    try:
        from graphs.cli import main as begin
    except KeyboardInterrupt:
        sys.stderr.write("brain: stopped before anything was done.\n")
        raise SystemExit(STOPPED) from None
    begin()
