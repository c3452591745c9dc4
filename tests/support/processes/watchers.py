"""A `brain watch` of a test's own, as a process."""

import json
import signal
import subprocess
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from tests.support.processes.command_line import BRAIN
from tests.support.waiting import until


class Watcher:
    """A `brain watch --json`, and the lines it has printed so far."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.lines: list[dict[str, object]] = []
        self._process = subprocess.Popen(
            [BRAIN, "watch", "--json"],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self.lines.append(json.loads(line))

    def events(self, name: str) -> list[dict[str, object]]:
        return [line for line in self.lines if line["event"] == name]

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """Its exit code and what it complained of, once it has ended."""
        code = self._process.wait(30)
        self._reader.join(10)
        return code, self._process.stderr.read() if self._process.stderr else ""

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(30)
        for pipe in (self._process.stdout, self._process.stderr):
            self._reader.join(10)
            if pipe is not None:
                pipe.close()


@contextmanager
def watched(variables: Mapping[str, str]) -> Generator[Watcher]:
    """A vault, by a process that has indexed what there is; it is gone when the block ends."""
    watcher = Watcher(variables)
    try:
        until(lambda: watcher.events("watching"))
        yield watcher
    finally:
        watcher.kill()
