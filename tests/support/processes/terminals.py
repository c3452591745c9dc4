"""The command line at a terminal of a test's own."""

import ctypes
import os
import pty
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.processes.command_line import BRAIN


@contextmanager
def at_a_terminal(
    *arguments: str, environment: Mapping[str, str]
) -> Generator[tuple[subprocess.Popen[bytes], int]]:
    """A command that runs at a terminal, and the terminal's other end."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [BRAIN, *arguments], env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def until_asked(terminal: int, prompt: str = "query> ") -> str:
    """What a command, by itself a conversation, says until it waits for the next line."""
    said = b""
    while not said.endswith(prompt.encode()):
        said += os.read(terminal, 4096)
    return said.decode()


def interrupt_newest_thread(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C as the system may deliver it: to another thread than the main one."""
    newest = max(int(task.name) for task in Path(f"/proc/{process.pid}/task").iterdir())
    assert newest != process.pid
    assert ctypes.CDLL(None).tgkill(process.pid, newest, signal.SIGINT) == 0
