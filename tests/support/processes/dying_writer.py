"""Writers of a chain that kill themselves in the middle of a call to the system.

``python -m tests.support.processes.dying_writer FOLDER FIRST LAST``: for each number from FIRST to
before LAST, and each of ``PARTS``, a process adds lines to a chain in ``FOLDER/NUMBER-PART`` until
it comes to the call of that number, does that part of it, if it is a write, and is gone. What it
was told to be written stands beside, in ``….acknowledged``, a hash a line.
"""

import os
import sys
from functools import partial
from pathlib import Path

from tests.support.processes.countdown import Countdown, in_child
from tools.runtime.chained_file import ChainedFile

PARTS = (0.0, 0.5, 0.99, 1.0)
LINES = 12
_COUNTED = [(os, name) for name in ("open", "write", "fsync", "unlink", "close", "mkdir")]


def chain(folder: Path) -> ChainedFile:
    """The chain that is written: a file has some four lines, and two files are kept."""
    return ChainedFile(folder, stem="calls", holding="the audit log", max_bytes=1_000, kept=2)


def _write_until_killed(folder: Path, number: int, part: float) -> None:
    write = os.write
    acknowledged = os.open(f"{folder}.acknowledged", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    Countdown(number, part).begin(_COUNTED)
    file = chain(folder)
    for at in range(LINES):
        link = file.add({"kind": "call", "at": at}, durable=True)
        write(acknowledged, f"{link.hash}\n".encode())


def main(folder: Path, first: int, last: int) -> None:
    for number in range(first, last):
        for part in PARTS:
            in_child(partial(_write_until_killed, folder / f"{number}-{part}", number, part))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
