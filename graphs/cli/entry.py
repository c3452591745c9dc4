"""The way into the command line: what ends it while everything is still imported is one line."""

import gc
import sys

from graphs.cli.output.exit_codes import INTERNAL, STOPPED
from graphs.core.crash_report import NO_MEMORY, is_no_memory

_OBJECTS_OF_AN_IMPORT = 200_000


def main() -> None:
    """Start the command line."""
    # Nothing that an import makes is garbage: to look for some takes a sixth of its time.
    gc.set_threshold(_OBJECTS_OF_AN_IMPORT)
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
