"""Notes read in order by several processes at once, on every core the machine gives us.

``python -m tools.vault.indexing.readers`` is one of them: it answers batches of tasks on its
standard input until that ends. They are processes of their own and no ``multiprocessing``, which
would carry out the main script of whoever uses this package as a library once more in each of them.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO

from tools.base.program import ROOT
from tools.vault.indexing.reading import Read, Reader, Task, Unread
from tools.vault.storage.packing import Packing

type Results = list[Read | Unread]

BATCH = 64
"""Notes a transaction: large enough to be fast, small enough for questions in between."""
BATCH_BYTES = 4_000_000
"""Bytes of the notes of one batch, unless a single note is larger."""
WORTH_BYTES = 4_000_000
"""Bytes of notes below which one process has read them before others have even started."""
MOST_READERS = 8
"""More would wait for the one process that writes."""
_AHEAD = 2
"""Batches that wait to be written, beside those that are being read."""


def read_in_order(
    tasks: Sequence[Task],
    *,
    root: Path,
    max_bytes: int,
    packing: Packing,
    processes: int | None = None,
) -> Generator[Results]:
    """Yield what was read, batch by batch; only a few batches are in memory at a time.

    What a process does not answer, because it was killed or could not start, is read in this one.
    ``processes`` is their number; without it the work and the machine decide.
    """
    here = Reader(root, max_bytes, packing)
    parts = list(_batches(tasks))
    wanted = _readers_for(tasks) if processes is None else processes
    if wanted < 2:
        yield from ([here.read(task) for task in part] for part in parts)
        return
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(wanted, "readers"))
        readers = SimpleQueue["_ReaderProcess"]()
        for _ in range(wanted):
            reader = _ReaderProcess((root, max_bytes, packing.dictionary))
            stack.callback(reader.close)  # which also ends the waiting of the thread that asked it
            readers.put(reader)
        stack.callback(lambda: threads.shutdown(wait=False, cancel_futures=True))

        def ask(part: Sequence[Task]) -> Results | None:
            reader = readers.get()
            try:
                return reader.read(part)
            finally:
                readers.put(reader)

        for part, answer in _ahead(parts, lambda part: threads.submit(ask, part), wanted + _AHEAD):
            found = answer.result()
            yield [here.read(task) for task in part] if found is None else found


def _ahead[T, R](
    parts: Iterable[T], submit: Callable[[T], Future[R]], most: int
) -> Iterator[tuple[T, Future[R]]]:
    """Each part with its answer, in order; at most so many are asked for at a time."""
    waiting: deque[tuple[T, Future[R]]] = deque()
    for part in parts:
        waiting.append((part, submit(part)))
        if len(waiting) > most:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()


def _batches(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    batch: list[Task] = []
    size = 0
    for task in tasks:
        if batch and (len(batch) >= BATCH or size + task.file.size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += task.file.size
    if batch:
        yield batch


def _readers_for(tasks: Sequence[Task]) -> int:
    if sum(task.file.size for task in tasks) < WORTH_BYTES:
        return 1
    return min(_cores(), MOST_READERS)


def _cores() -> int:
    """Cores that this process may use, where the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _ReaderProcess:
    """One process, asked by one thread at a time."""

    def __init__(self, given: tuple[Path, int, bytes | None]) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._child = subprocess.Popen(
                # -P: nothing in the working directory may pass for one of our modules.
                [sys.executable, "-P", "-m", "tools.vault.indexing.readers"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={**os.environ, "PYTHONPATH": _python_path()},
            )
        self._given = given
        self._begun = False

    def read(self, part: Sequence[Task]) -> Results | None:
        """What it read, or None where it does not answer any more."""
        if self._child is None or self._child.stdin is None or self._child.stdout is None:
            return None
        try:
            if not self._begun:
                _send(self._child.stdin, self._given)
                self._begun = True
            _send(self._child.stdin, list(part))
            return pickle.load(self._child.stdout)  # noqa: S301 - our own process
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            return None

    def close(self) -> None:
        if self._child is None:
            return
        self._child.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            with suppress(OSError):
                pipe.close() if pipe else None
        self._child.wait()


def _python_path() -> str:
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(ROOT), *([inherited] if inherited else [])])


def _send(stream: IO[bytes], value: object) -> None:
    pickle.dump(value, stream, protocol=pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _answer(tasks: IO[bytes], answers: IO[bytes]) -> None:
    root, max_bytes, dictionary = pickle.load(tasks)  # noqa: S301 - whoever started us
    reader = Reader(root, max_bytes, Packing(dictionary))
    while True:
        _send(answers, [reader.read(task) for task in pickle.load(tasks)])  # noqa: S301


def main() -> None:
    """Answer until nobody asks any more."""
    # Whoever pressed Ctrl-C meant the process that asks; it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError):
        _answer(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
