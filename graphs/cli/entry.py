"""The way into the command line: what ends it while everything is still imported is one line."""

import sys

from graphs.cli.output.exit_codes import INTERNAL, STOPPED
from graphs.core.crash_report import NO_MEMORY, is_no_memory
from tools.runtime.garbage import collect_little


def main() -> None:
    """Start the command line."""
    collect_little(for_good=False)
    try:
        from graphs.cli.main import main as begin
    except Exception as error:
        if not is_no_memory(error):
            raise
        sys.stderr.write(f"brain: {NO_MEMORY}\n")
        raise SystemExit(INTERNAL) from None
    except KeyboardInterrupt:
        sys.stderr.write("brain: stopped before anything was done.\n")
        raise SystemExit(STOPPED) from None
    begin()
