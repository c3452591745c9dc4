"""Writers of a chain that kill themselves in the middle of a call to the system.

``python -m tests.support.processes.dying_writer FOLDER FIRST LAST``: for each number from FIRST to
before LAST, and each of ``PARTS``, a process adds lines to a chain in ``FOLDER/NUMBER-PART`` until
it comes to the call of that number, does that part of it, if it is a write, and is gone. What it
was told to be written stands beside, in ``….acknowledged``, a hash a line.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

from tools.runtime.chained_file import ChainedFile

PARTS = (0.0, 0.5, 0.99, 1.0)
LINES = 12
_CALLS = ("open", "write", "fsync", "unlink", "close", "mkdir")


def chain(folder: Path) -> ChainedFile:
    """The chain that is written: a file has some four lines, and two files are kept."""
    return ChainedFile(folder, stem="calls", holding="the audit log", max_bytes=1_000, kept=2)


class Countdown:
    """Kills this process with the call of a number, once a part of that is done."""

    def __init__(self, number: int, part: float) -> None:
        self._number, self._part = number, part
        self.count = 0

    def at(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def counted(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            if self.count == self._number:
                if name == "write":
                    descriptor, data = arguments
                    call(descriptor, data[: int(len(data) * self._part)])
                elif self._part == 1:
                    with suppress(OSError):
                        call(*arguments, **options)
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return counted


def _write_until_killed(folder: Path, number: int, part: float) -> None:
    write = os.write
    acknowledged = os.open(f"{folder}.acknowledged", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    countdown = Countdown(number, part)
    for name in _CALLS:
        setattr(os, name, countdown.at(name, getattr(os, name)))
    file = chain(folder)
    for at in range(LINES):
        link = file.add({"kind": "call", "at": at}, durable=True)
        write(acknowledged, f"{link.hash}\n".encode())


def main(folder: Path, first: int, last: int) -> None:
    for number in range(first, last):
        for part in PARTS:
            child = os.fork()
            if child == 0:
                _write_until_killed(folder / f"{number}-{part}", number, part)
                os._exit(0)
            os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
