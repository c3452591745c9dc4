"""A server of this machine's own, run by a script: its command line, its start, its end.

Its folder has the process's number in ``pid``. ``start`` prints the server's address and leaves it
running; ``stop`` ends it.
"""

import argparse
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

UNAVAILABLE = 69
"""What ``sysexits.h`` calls EX_UNAVAILABLE: what the server needs is not on this machine."""

STOP_SECONDS = 20


class CannotServeError(Exception):
    """No server, in one line; ``code`` is what the process ends with."""

    def __init__(self, message: str, *, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def command_line(description: str | None) -> argparse.ArgumentParser:
    """The arguments that every such script has but ``--home``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("action", choices=("start", "stop"))
    parser.add_argument("--port", type=int, default=0, help="by default a free one")
    return parser


def carried_out(action: str, *, start: Callable[[], str], stop: Callable[[], None]) -> int:
    """Do what the command line says; return the exit code."""
    try:
        if action == "stop":
            stop()
        else:
            sys.stdout.write(f"{start()}\n")
    except CannotServeError as error:
        sys.stderr.write(f"{error}\n")
        return error.code
    return 0


def launch(
    name: str,
    command: Sequence[str | Path],
    home: Path,
    *,
    log: Path,
    answers: Callable[[], bool],
    patience: float,
    stop: Callable[[], None],
    **how: Any,
) -> None:
    """Start the server in ``home`` and return when it answers; ``how`` is for ``Popen``.

    Raises CannotServeError where it ends before, or takes longer than ``patience`` seconds.
    """
    with log.open("wb") as said:
        server = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=home,
            start_new_session=True,
            **how,
        )
    (home / "pid").write_text(str(server.pid), "ascii")
    deadline = time.monotonic() + patience
    while not answers():
        if server.poll() is not None:
            raise CannotServeError(f"{name} ended while it started: {_last_words(log)}")
        if time.monotonic() > deadline:
            stop()
            raise CannotServeError(f"{name} did not start within {patience:g} s.")
        time.sleep(0.1)


def running(home: Path, *, argument: str) -> psutil.Process | None:
    """The server by its pid, unless that number belongs to one without this argument by now."""
    try:
        process = psutil.Process(int((home / "pid").read_text("ascii")))
        return process if argument in process.cmdline() else None
    except (OSError, ValueError, psutil.Error):
        return None


def end(home: Path, server: psutil.Process | None, *signals: int) -> None:
    """End the server in ``home``, if one runs: by these signals in turn, at last by force.

    All of them together have ``STOP_SECONDS``.
    """
    patience = STOP_SECONDS / len(signals)
    if server is not None and not any(_ends(server, by, patience=patience) for by in signals):
        server.kill()
        server.wait(STOP_SECONDS)
    (home / "pid").unlink(missing_ok=True)


def _ends(server: psutil.Process, by: int, *, patience: float) -> bool:
    server.send_signal(by)
    try:
        server.wait(patience)
    except psutil.TimeoutExpired:
        return False
    return True


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _last_words(log: Path) -> str:
    said = [line.strip() for line in log.read_text("utf-8", "replace").splitlines()]
    return next(filter(None, reversed(said)), "it left no message")
