"""Ctrl-C ends a command wherever it waits, whichever of its threads the system tells of it."""

import asyncio
import signal
import socket
import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any


def run_interruptible(work: Coroutine[Any, Any, int]) -> int:
    """Run a coroutine to its exit code, as ``asyncio.run`` does.

    Raises KeyboardInterrupt, once the coroutine is cancelled.
    """
    with asyncio.Runner() as runner:
        if threading.current_thread() is not threading.main_thread():
            return runner.run(work)
        with _woken_by_signals(runner.get_loop()):
            return runner.run(work)


@contextmanager
def _woken_by_signals(loop: asyncio.AbstractEventLoop) -> Generator[None]:
    """Wake the loop for each signal.

    Python notes a signal in whichever thread got it, and acts on it in the main one: which sleeps
    on in the loop's select where another thread got it, or where it came just before the select.
    """
    woken, waking = socket.socketpair()
    with woken, waking:
        woken.setblocking(False)
        waking.setblocking(False)
        loop.add_reader(woken, woken.recv, 4096)
        before = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(woken)
