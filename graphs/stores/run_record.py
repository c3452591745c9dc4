"""The last indexing run, in a file that ``brain status`` reads: how far it is, or how it ended."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import psutil
from pydantic import TypeAdapter, ValidationError

from tools.base.output_files import write_private

_TELL_SECONDS = 0.5
"""How often a run writes how far it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteRun:
    """When the last run that reached its end did so, how long it took, and what the graph had.

    ``relations`` is None where the graph was not reached.
    """

    finished_at: datetime
    seconds: float
    relations: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRun:
    """The run under way or the last one; ``pid`` and the process's start tell which process.

    ``phase``, ``done`` and ``total`` say how far it is.
    """

    state: Literal["running", "ended"]
    started_at: datetime
    pid: int
    process_started: float
    phase: str = ""
    done: int = 0
    total: int = 0
    complete: CompleteRun | None = None

    @property
    def under_way(self) -> bool:
        """Whether its process lives; one that says it runs and does not was killed."""
        if self.state != "running":
            return False
        try:
            return abs(psutil.Process(self.pid).create_time() - self.process_started) < 1
        except psutil.Error:
            return False


_RUN = TypeAdapter(IndexRun)


def last_run(path: Path) -> IndexRun | None:
    """What the file says; None where there is none, or it cannot be read."""
    try:
        return _RUN.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


@contextmanager
def recorded(path: Path) -> Generator["Record"]:
    """Record a run; one that ends by an error counts as not complete."""
    before = last_run(path)
    record = Record(path, complete=before.complete if before else None)
    try:
        yield record
    finally:
        record.end()


class Record:
    """A run's own way to say how far it is. Not being able to write costs the words only."""

    def __init__(self, path: Path, *, complete: CompleteRun | None) -> None:
        self._path = path
        self._run = IndexRun(
            state="running",
            started_at=datetime.now(UTC),
            pid=os.getpid(),
            process_started=psutil.Process().create_time(),
            complete=complete,
        )
        self._began = time.monotonic()
        self._told = 0.0
        self._write()

    def progress(self, phase: str, done: int, total: int) -> None:
        """Say how far a phase is; not every time it is called."""
        fresh = phase != self._run.phase
        self._run = replace(self._run, phase=phase, done=done, total=total)
        if fresh or time.monotonic() - self._told >= _TELL_SECONDS:
            self._write()

    def completed(self, *, relations: int | None) -> None:
        """Say that the run reached its end."""
        done = CompleteRun(
            finished_at=datetime.now(UTC),
            seconds=round(time.monotonic() - self._began, 3),
            relations=relations,
        )
        self._run = replace(self._run, complete=done)

    def end(self) -> None:
        self._run = replace(self._run, state="ended")
        self._write()

    def _write(self) -> None:
        self._told = time.monotonic()
        with suppress(OSError):
            write_private(self._path, _RUN.dump_json(self._run))
