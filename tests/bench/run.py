"""The figures of docs/PERFORMANCE.md: ``python -m tests.bench.run VAULT`` prints them as a table.

The vault is copied first; nothing is written to it. Run it on a machine with nothing else to do.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

import psutil

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.encoder_choice import named_encoder
from graphs.core.state import QueryContext
from tests.support.processes.command_line import environment, run
from tools.base.domain import INTENTS, Intent
from tools.semantic.encoder import load_encoder
from tools.settings.loading import load_settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.embedded_texts import embedded_texts

REPEATS = 5
ENCODER_REPEATS = 4
CHANGED_NOTES = 10
QUESTIONS = 40
PAST = "as of a year ago"
SAMPLE_SECONDS = 0.05


@dataclass(slots=True)
class Peak:
    """The most memory, in bytes of resident set, that the watched processes had together."""

    most: int = 0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path, nargs="?", default=Path("examples/vault"))
    given: Path = parser.parse_args().vault
    with tempfile.TemporaryDirectory(prefix="brain-bench-") as folder:
        vault, data_dir = Path(folder) / "vault", Path(folder) / "data"
        shutil.copytree(given, vault)
        rows = measure(vault, data_dir)
    sys.stdout.write(f"| measured on {given.name} | value |\n|---|---|\n")
    sys.stdout.writelines(f"| {name} | {value} |\n" for name, value in rows)


def measure(vault: Path, data_dir: Path) -> list[tuple[str, str]]:
    """Name and value of every figure, in the order of the work."""
    brain = partial(run, environment=environment(vault, data_dir), timeout=None, check=True)
    rows: list[tuple[str, str]] = []
    with peak_memory(data_dir) as peak:
        report = json.loads(brain("index", "--json").stdout)
    timings = report["timings_ms"]
    usable = (timings["scan"] + timings["text"] + timings["graph"]) / 1000
    # A machine's speed drifts, so each rate is set against one taken right after it.
    rates, shares = list[float](), list[float]()
    for turn in range(ENCODER_REPEATS):
        again = json.loads(brain("index", "--rebuild", "--json").stdout) if turn else report
        rates.append(again["vectors_written"] / (again["timings_ms"]["vectors"] / 1000))
        shares.append(100 * rates[-1] / encoder_rate(vault, data_dir))
    rows += [
        ("notes, passages", f"{report['notes']}, {report['vectors_written']}"),
        ("text and graph ready", f"{usable:.1f} s"),
        ("vectors", spread(rates, "passages/s")),
        ("vectors against the encoder's own rate", spread(shares, "%")),
        ("peak memory, all processes", f"{peak.most / 1e6:.0f} MB"),
        ("index, nothing changed", seconds(lambda: brain("index"))),
    ]
    change_notes(vault)
    rows.append((f"index, {CHANGED_NOTES} notes changed", seconds(lambda: brain("index"), times=1)))
    rows += asyncio.run(questions(vault, data_dir))

    took: list[float] = []
    for _ in range(REPEATS):
        brain("stop")
        started = time.perf_counter()
        brain("ask", "What is play?")
        took.append(time.perf_counter() - started)
    size = sum(file.stat().st_size for file in data_dir.rglob("*") if file.is_file())
    rows += [
        ("brain ask, cold (servers stopped)", spread(took)),
        ("brain ask, servers running", seconds(lambda: brain("ask", "What is play?"))),
        ("brain --help", seconds(lambda: brain("--help"))),
        ("on disk", f"{size / 1e6:.0f} MB"),
    ]
    brain("stop")
    return rows


def encoder_rate(vault: Path, data_dir: Path) -> float:
    """Passages a second that the encoder alone makes of this vault's own passages."""
    settings = load_settings(vault=vault, data_dir=data_dir)
    catalog = Catalog(settings.index_path)
    vectors = [row.vector_id for row in chain(*catalog.passages_of(catalog.paths()).values())]
    texts = embedded_texts(vectors, root=vault, catalog=catalog, max_bytes=settings.max_note_bytes)
    passages = list(texts.values())
    catalog.close()
    encoder = load_encoder(named_encoder(settings), ollama_url=settings.ollama_url)
    encoder.encode(passages[:32])
    started = time.perf_counter()
    encoder.encode(passages)
    return len(passages) / (time.perf_counter() - started)


async def questions(vault: Path, data_dir: Path) -> list[tuple[str, str]]:
    """Latency of questions of all five intents, and of the past, about this vault's own notes."""
    titles = sorted(path.stem for path in await asyncio.to_thread(lambda: [*vault.rglob("*.md")]))
    asked = titles[:: max(1, len(titles) // QUESTIONS)][:QUESTIONS]
    async with open_brain(
        vault, data_dir=data_dir, mode="local", services_owner=os.getpid()
    ) as brain:
        await ask_all(brain, asked[:2])  # what is loaded on first use
        took = await ask_all(brain, asked)
    past = {PAST: took.pop(PAST)}
    took = {"all five kinds": [one for kind in took.values() for one in kind], **took, **past}
    return [(f"question, warm, {kind}", latency(found)) for kind, found in took.items()]


async def ask_all(brain: Brain, subjects: list[str]) -> dict[str, list[float]]:
    """Milliseconds of each question: every subject with every intent, and as of a year ago."""
    took: dict[str, list[float]] = {}
    now = QueryContext(interactive=False)
    kinds: list[tuple[str, Intent, QueryContext]] = [(intent, intent, now) for intent in INTENTS]
    kinds.append((PAST, "factual", replace(now, as_of="a year ago")))
    for subject in subjects:
        for kind, intent, context in kinds:
            text = f"{subject} and play" if intent == "comparative" else subject
            started = time.perf_counter()
            await brain.ask(text, intent=intent, context=context)
            took.setdefault(kind, []).append((time.perf_counter() - started) * 1000)
    return took


def latency(took: list[float]) -> str:
    ordered = sorted(took)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    return f"p50 {statistics.median(ordered):.0f} ms, p95 {p95:.0f} ms ({len(ordered)} questions)"


def change_notes(vault: Path) -> None:
    for note in sorted(vault.rglob("*.md"))[:CHANGED_NOTES]:
        with note.open("a", encoding="utf-8") as file:
            file.write("\n\nA sentence that was not here before.\n")


def seconds(work: Callable[[], object], *, times: int = REPEATS) -> str:
    took: list[float] = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        took.append(time.perf_counter() - started)
    return spread(took)


def spread(values: list[float], unit: str = "s") -> str:
    digits = 2 if unit == "s" else 0
    middle = f"{statistics.median(values):.{digits}f} {unit}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):.{digits}f} to {max(values):.{digits}f})"


@contextmanager
def peak_memory(data_dir: Path) -> Generator[Peak]:
    """Sample what this process started and the servers of ``data_dir``, without this process."""
    peak, done = Peak(), threading.Event()

    def watch() -> None:
        while not done.wait(SAMPLE_SECONDS):
            peak.most = max(peak.most, sum(map(memory, ours(data_dir))))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def ours(data_dir: Path) -> set[psutil.Process]:
    found = set(psutil.Process().children(recursive=True))
    for process in psutil.process_iter(["cmdline"]):
        if str(data_dir) in (process.info["cmdline"] or []):
            found |= {process, *process.children(recursive=True)}
    return found


def memory(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.Error:  # it has just ended
        return 0


if __name__ == "__main__":
    main()
