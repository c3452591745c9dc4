"""A second process that does the same work: Python runs one thread of a process at a time.

It parts from the first before anything is opened, so that both share the memory of what was loaded.
Each tells the other twice a second that it is there. Once one is gone or silent, whoever asked it
is not left waiting: the first ends a silent second one, and the second ends by itself.
"""

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tools.base.errors import BrainError
from tools.runtime.server_process import log

BEAT_SECONDS = 0.5
_SILENT_SECONDS = 10.0
"""A loop that works is never held up so long; clients have the same patience."""
_LATE_SECONDS = 2.0
_END_SECONDS = 3.0


@dataclass(slots=True, kw_only=True)
class Peer:
    """The other of the two processes, as one of them sees it; ``pid`` is the second one's."""

    line: socket.socket
    pid: int | None = None
    clock: Callable[[], float] = time.monotonic
    _looked: float = field(init=False)
    _heard: float = field(init=False)

    def __post_init__(self) -> None:
        self._looked = self._heard = self.clock()

    @property
    def is_second(self) -> bool:
        return self.pid is not None

    def send_heartbeat(self) -> None:
        """Say that this process is there. Never waits."""
        # A line that is full is not read, which the other one's silence tells.
        with contextlib.suppress(OSError):
            self.line.send(b".", socket.MSG_DONTWAIT)

    def is_alive(self) -> bool:
        """Say that this process is there, and whether the other one is. Never waits."""
        now = self.clock()
        if now - self._looked > _LATE_SECONDS:
            self._heard = now  # this process was stopped itself, and perhaps both were
        self._looked = now
        try:
            while self.line.recv(1024, socket.MSG_DONTWAIT):
                self._heard = now
        except BlockingIOError:
            self.send_heartbeat()
            return now - self._heard < _SILENT_SECONDS
        except OSError:
            pass
        return False  # the line is cut

    def end(self) -> None:
        """Have the second process end, by force if it takes long, and take note of it."""
        pid, self.pid = self.pid, None
        if pid is None:
            return
        self.line.close()
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGTERM)
            deadline = time.monotonic() + _END_SECONDS
            while os.waitpid(pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > deadline:
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.02)


def fork_worker(name: str, work: Callable[[Peer], int]) -> Peer:
    """Start a second process that does ``work`` once the first has told that it is there.

    Call it before any thread or event loop is started. A second process whose work fails ends
    alone, with a line in the name of ``name``.
    """
    first, second = socket.socketpair()
    sys.stdout.flush()
    sys.stderr.flush()
    if pid := os.fork():
        second.close()
        return Peer(line=first, pid=pid)
    first.close()
    code = 1
    try:
        # Nothing comes of a first one that cannot begin.
        code = work(Peer(line=second)) if second.recv(1, socket.MSG_PEEK) else 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except (BrainError, OSError) as error:
        log(name, f"the second process ended: {error}")
    finally:
        # What the first one has opened and will clean up is not this one's to clean up.
        os._exit(code)
