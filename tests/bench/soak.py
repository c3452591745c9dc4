"""Many questions from clients at once while notes are written: does anything fail, lag or leak?

``python -m tests.bench.soak --questions 10000 --notes 2000 SOURCE …`` grows a vault, starts
``brain serve`` and ``brain watch``, has eight clients ask and one writer write, and prints what
came of it. It ends with 1 if an answer failed, a written note was neither found by the next
question nor told to be missing, or memory grew by more than a quarter after the first tenth.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from graphs.service.client import ask_service
from graphs.toolkit.request import QueryRequest
from tests.bench import grown_vault
from tests.bench.run import ours
from tests.bench.scale import alive, made_up, percentile
from tests.support.processes.command_line import BRAIN, environment, run
from tools.base.errors import BrainError
from tools.runtime.process_memory import memory_of
from tools.settings.sources import Place, find_place

CLIENTS = 8
WRITER_PAUSE = 0.5
"""Seconds between two notes: far more than a person writes."""
GROWTH = 1.25


@dataclass(slots=True)
class Seen:
    """What came of it; appended to by several threads."""

    took: list[float] = field(default_factory=list[float])
    statuses: Counter[str] = field(default_factory=Counter[str])
    failed_sources: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])
    written: int = 0
    told: int = 0
    """Notes that were not found by the question right after, which said that notes are missing."""
    stale: int = 0
    """Notes that were not found, and nothing was said."""
    memory: list[float] = field(default_factory=list[float])


def main() -> int:
    """Soak, print, and say by the exit code whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--notes", type=int, default=2_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-soak-") as folder:
        vault, data_dir = Path(folder) / "vault", Path(folder) / "data"
        sources = grown_vault.read_sources(given.sources)
        grown_vault.write(vault, grown_vault.grow(sources, given.notes))
        variables = environment(vault, data_dir)
        brain = partial(run, environment=variables, timeout=None)
        brain("index", check=True)
        place = find_place({"vault": vault, "data_dir": data_dir, "mode": "local"})
        assert place is not None
        with ExitStack() as stack:
            stack.enter_context(staying("serve", variables))
            stack.enter_context(staying("watch", variables))
            seen = soak(place, made_up(vault, given.questions))
        brain("index", check=True)  # watching may have ended before the last note was embedded
        doctor = brain("doctor")
        brain("stop")
    report(seen)
    sys.stdout.write(f"brain doctor afterwards:\n{doctor.stdout}")
    return 0 if doctor.returncode == 0 and held(seen) else 1


def soak(place: Place, questions: Sequence[str]) -> Seen:
    """Ask all the questions, the clients side by side, while notes are written."""
    seen, done = Seen(), threading.Event()
    left = list(reversed(questions))
    lock = threading.Lock()

    def client() -> None:
        while True:
            with lock:
                if not left:
                    return
                question, asked = left.pop(), len(questions) - len(left)
            ask(place, question, seen)
            if asked % max(1, len(questions) // 20) == 0:
                seen.memory.append(memory(place.data_dir))
                sys.stderr.write(f"{asked} asked, {seen.memory[-1]:.0f} MB\n")

    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    writer = threading.Thread(target=write, args=(place, seen, done))
    for thread in (*clients, writer):
        thread.start()
    for thread in clients:
        thread.join()
    done.set()
    writer.join()
    return seen


def ask(place: Place, question: str, seen: Seen) -> Mapping[str, Any] | None:
    started = time.perf_counter()
    try:
        answer = ask_service(
            place, QueryRequest(question=question, interactive=False, mode="local")
        )
    except BrainError as error:
        seen.wrong.append(str(error))
        return None
    if answer is None:
        seen.wrong.append("the service process did not answer")
        return None
    seen.took.append((time.perf_counter() - started) * 1000)
    seen.statuses[answer["status"]] += 1
    seen.failed_sources.update(answer["sources_failed"])
    return answer


def write(place: Place, seen: Seen, done: threading.Event) -> None:
    """Write, change and remove notes; each has to be found by the question right after it."""
    chance = random.Random("writer")  # noqa: S311
    kept: list[Path] = []
    while not done.wait(WRITER_PAUSE):
        word = f"zq{''.join(chance.choices('bcdfghjklmnpqrstvwxz', k=8))}"
        note = place.vault / "written" / f"Note {seen.written}.md"
        note.parent.mkdir(exist_ok=True)
        draft = note.with_suffix(".tmp")
        draft.write_text(f"# Note {seen.written}\n\nThe code of the gate is {word}.\n", "utf-8")
        draft.replace(note)
        kept.append(note)
        seen.written += 1
        answer = ask(place, f"What is {word}?", seen)
        found = str(answer["results"]) if answer is not None else ""
        if note.name not in found:
            told = answer is not None and "index" in {w["source"] for w in answer["warnings"]}
            seen.told += told
            seen.stale += not told
        if len(kept) > 50:
            kept.pop(chance.randrange(len(kept))).unlink()


@contextmanager
def staying(command: str, variables: Mapping[str, str]) -> Generator[None]:
    """A command that stays, from its first line on."""
    process = subprocess.Popen(
        [BRAIN, command], env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    process.stdout.readline()
    drain = threading.Thread(target=process.stdout.read, daemon=True)
    drain.start()
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def memory(data_dir: Path) -> float:
    """Megabytes that all our processes have together, without this one."""
    found = {one for one in ours(data_dir) if one.pid != os.getpid() and alive(one)}
    return memory_of(found) / 1e6


def report(seen: Seen) -> None:
    p50, p99 = statistics.median(seen.took), percentile(seen.took, 0.99)
    lines = [
        f"{len(seen.took)} answers, p50 {p50:.0f}, p99 {p99:.0f}, longest {max(seen.took):.0f} ms",
        f"by status: {dict(seen.statuses)}; failed: {dict(seen.failed_sources) or 'no source'}",
        f"errors: {len(seen.wrong)} {seen.wrong[:3]}",
        f"notes written: {seen.written}; told to be missing: {seen.told}, missed: {seen.stale}",
        f"memory: {', '.join(f'{one:.0f}' for one in seen.memory)} MB",
    ]
    sys.stdout.writelines(f"{line}\n" for line in lines)


def held(seen: Seen) -> bool:
    """Whether nothing failed, lagged or leaked."""
    settled = seen.memory[len(seen.memory) // 10 :]
    leaks = bool(settled) and settled[-1] > GROWTH * settled[0]
    return not (seen.wrong or seen.stale or seen.failed_sources or leaks)


if __name__ == "__main__":
    sys.exit(main())
