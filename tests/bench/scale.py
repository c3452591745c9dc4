"""The figures of docs/PERFORMANCE.md on a large vault, against their bounds and known engines.

``python -m tests.bench.scale --notes 10000 SOURCE …`` grows a vault out of the notes in the sources
(``tests/bench/grown_vault.py``), indexes it and prints a table. ``--real-life`` gives it the odd
notes of old vaults. Run it on a machine with nothing else to do.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import batched
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from graphs.app import open_brain
from graphs.core.encoder_choice import named_encoder
from graphs.core.state import QueryContext
from graphs.service.client import ask_service
from graphs.toolkit.request import QueryRequest
from tests.bench import grown_vault
from tests.bench.run import change_notes, ours, seconds, spread
from tests.bench.text_engines import fts5
from tests.support.processes.command_line import BRAIN, environment, run
from tests.support.processes.watchers import watched
from tests.support.waiting import until
from tools.runtime.process_memory import memory_of
from tools.runtime.services import semantic_service
from tools.semantic.chroma_directory import COLLECTION, open_client
from tools.semantic.client import SemanticClient
from tools.semantic.encoder import load_encoder
from tools.settings.loading import load_settings
from tools.settings.sources import find_place
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.embedded_texts import embedded_texts
from tools.vault.catalog.text import search_text, text_query

SAVES = 10
QUESTIONS = 210
CLIENTS, ASKED_BY_EACH = 8, 25
NEIGHBOURS = 200
ENCODED = 3_000
"""Passages whose encoding alone is timed."""
TEMPLATES = (
    "What is {}?",
    "How has {} changed over time?",
    "Why does {} matter?",
    "Compare {} and {}",
    "Everything about {}",
    "When did I write about {}?",
    "{}",
)
SMALL = 20_000
"""Notes up to which the bounds of the smaller vault hold."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    value: str
    bound: str = ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--real-life", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-scale-") as folder:
        vault, data_dir = Path(folder) / "vault", Path(folder) / "data"
        sources = grown_vault.read_sources(given.sources)
        size = grown_vault.write(
            vault, grown_vault.grow(sources, given.notes, real_life=given.real_life)
        )
        sys.stdout.write("| measured | value | at most |\n|---|---|---|\n")
        for row in measure(vault, data_dir, text=size, large=given.notes > SMALL):
            sys.stdout.write(f"| {row.name} | {row.value} | {row.bound} |\n")
            sys.stdout.flush()


def measure(vault: Path, data_dir: Path, *, text: int, large: bool) -> Iterator[Row]:
    """Every figure, in the order of the work."""
    variables = environment(vault, data_dir)
    brain = partial(run, environment=variables, timeout=None, check=True)
    report = json.loads(brain("index", "--json").stdout)
    timings, passages = report["timings_ms"], report["vectors_written"]
    usable = (timings["scan"] + timings["text"] + timings["graph"]) / 1000
    rate = passages / (timings["vectors"] / 1000)
    alone = encoder_rate(vault, data_dir)
    yield Row("notes, passages, text", f"{report['notes']}, {passages}, {text / 1e6:.1f} MB")
    yield Row("text and graph ready", f"{usable:.1f} s", "150 s" if large else "30 s")
    yield Row("vectors", f"{rate:.0f} passages/s")
    yield Row("of the encoder's own rate", f"{100 * rate / alone:.0f} %", "at least 90 %")
    unchanged = seconds(lambda: brain("index"))
    yield Row("index, nothing changed", unchanged, "5 s" if large else "1.5 s")
    change_notes(vault)
    changed = seconds(lambda: brain("index"), times=1)
    yield Row("index, 10 notes changed", changed, "8 s" if large else "4 s")
    yield Row("brain watch, from a save to its end", spread(saves(vault, variables)), "2 s")
    brain("stop")
    vectors = on_disk(data_dir / "chroma")
    beside = on_disk(data_dir) - vectors
    share = f"{beside / text:.2f} × the text, and {vectors / 1e6:.0f} MB of vectors"
    yield Row("on disk", share, "3 × the text, and the vectors")
    questions = made_up(vault, QUESTIONS)
    yield from asyncio.run(warm(vault, data_dir, questions, large=large))
    yield from asyncio.run(compared(vault, data_dir, questions))
    with serving(variables):
        yield from measure_service(vault, data_dir, questions, brain, large=large)
    brain("stop")
    ask = partial(brain, "ask", questions[0], "--no-input")
    cold = timed(ask, before=lambda: brain("stop"))
    yield Row("brain ask, cold", spread(cold), "3 s")
    brain("stop")


def saves(vault: Path, variables: Mapping[str, str]) -> list[float]:
    """Seconds from each save until a watcher has indexed it: words, links and meaning."""
    took: list[float] = []
    with watched(variables) as watcher:
        for number in range(SAVES):
            done = len(watcher.events("indexed"))
            started = time.perf_counter()
            (vault / "Saved.md").write_text(f"Save {number} of [[Saved]].\n", "utf-8")
            until(lambda done=done: len(watcher.events("indexed")) > done)
            took.append(time.perf_counter() - started)
    return took


def on_disk(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def made_up(vault: Path, number: int) -> list[str]:
    """Questions of every kind about titles of the vault, the same each time."""
    chance = random.Random("questions")  # noqa: S311
    titles = sorted(file.stem for file in vault.rglob("*.md"))
    forms = [TEMPLATES[at % len(TEMPLATES)] for at in range(number)]
    return [form.format(*chance.sample(titles, form.count("{}"))) for form in forms]


def encoder_rate(vault: Path, data_dir: Path) -> float:
    """Passages a second that the encoder alone makes of some of this vault's own passages."""
    settings = load_settings(vault=vault, data_dir=data_dir)
    catalog = Catalog(settings.index_path)
    paths = random.Random("passages").sample(catalog.paths(), min(ENCODED, len(catalog.paths())))  # noqa: S311
    ids = [row.vector_id for rows in catalog.passages_of(paths).values() for row in rows]
    found = embedded_texts(
        ids[:ENCODED], root=vault, catalog=catalog, max_bytes=settings.max_note_bytes
    )
    catalog.close()
    encoder = load_encoder(named_encoder(settings), ollama_url=settings.ollama_url)
    passages = list(found.values())
    encoder.encode(passages[:32])
    started = time.perf_counter()
    encoder.encode(passages)
    return len(passages) / (time.perf_counter() - started)


# --- questions -----------------------------------------------------------------------------


async def warm(vault: Path, data_dir: Path, questions: Sequence[str], *, large: bool) -> list[Row]:
    """Milliseconds of each question through the Python API, and what part took most."""
    took: list[float] = []
    parts: dict[str, list[float]] = {}
    async with opened(vault, data_dir) as brain:
        for at, question in enumerate((*questions[:14], *questions)):
            started = time.perf_counter()
            answer = await brain.ask(question, context=QueryContext(interactive=False))
            if at >= 14:
                took.append((time.perf_counter() - started) * 1000)
                for name, ms in answer.timings_ms.items():
                    parts.setdefault(name, []).append(ms)
    middle = ", ".join(f"{name} {statistics.median(ms):.0f}" for name, ms in parts.items())
    bound = "120 / 300 ms" if large else "60 / 150 ms"
    return [
        Row(f"question, warm, p50 / p95 of {len(took)}", latency(took), bound),
        Row("its parts, p50 in ms", middle),
    ]


def opened(vault: Path, data_dir: Path) -> Any:
    return open_brain(vault, data_dir=data_dir, mode="local", services_owner=os.getpid())


async def compared(vault: Path, data_dir: Path, questions: Sequence[str]) -> list[Row]:
    """Our searches against ripgrep, SQLite FTS5 and exact cosine over the same vault."""
    settings = load_settings(vault=vault, data_dir=data_dir, services_owner=os.getpid())
    catalog = Catalog(settings.index_path)
    asked = questions[:NEIGHBOURS]
    async with SemanticClient(semantic_service(settings)) as index:
        queries = await index.embed(asked)
        found: list[list[str]] = []
        meaning: list[float] = []
        for question in asked:
            started = time.perf_counter()
            hits = await index.search(question, limit=10)
            meaning.append((time.perf_counter() - started) * 1000)
            found.append([vector for vector, _ in hits])
    words = [
        took(partial(search_text, catalog, text_query(question), limit=10)) for question in asked
    ]
    catalog.close()
    run("stop", environment=environment(vault, data_dir), check=True)
    ids, vectors = stored(settings.chroma_dir)
    exact = [took(partial(nearest, vectors, query)) for query in queries]
    hit = [
        len({ids[at] for at in nearest(vectors, query)} & set(mine)) / 10
        for query, mine in zip(queries, found, strict=True)
    ]
    plain = fts5(await asyncio.to_thread(texts, vault))
    theirs = [took(partial(plain, question.split()[-3:])) for question in asked]
    scans = [
        took(partial(ripgrep, vault, max(question.split(), key=len))) for question in asked[:20]
    ]
    return [
        Row("recall@10 against exact cosine", f"{statistics.mean(hit):.3f}", "at least 0.98"),
        Row("search by meaning, p50 (encoding included)", f"{statistics.median(meaning):.1f} ms"),
        Row("exact cosine in numpy, p50 (encoding not)", ratio(exact, meaning)),
        Row("search by words, p50", f"{statistics.median(words):.1f} ms"),
        Row("SQLite FTS5, whole notes, p50", ratio(theirs, words)),
        Row("ripgrep for one word, p50", ratio(scans, words)),
    ]


def stored(directory: Path) -> tuple[list[str], NDArray[np.float32]]:
    """Every vector of the index, and its id; no server may have it open."""
    collection = open_client(directory).get_collection(COLLECTION, embedding_function=None)
    ids: list[str] = []
    parts: list[NDArray[np.float32]] = []
    for part in batched(collection.get(include=[])["ids"], 5_000):
        found = collection.get(ids=list(part), include=["embeddings"])
        ids += found["ids"]
        parts.append(np.asarray(found["embeddings"], np.float32))
    return ids, np.concatenate(parts)


def texts(vault: Path) -> list[str]:
    return [file.read_text("utf-8", "replace") for file in sorted(vault.rglob("*.md"))]


def nearest(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> list[int]:
    """Places of the ten vectors of highest cosine; all are of unit length."""
    scores = vectors @ query
    return [int(at) for at in np.argpartition(-scores, 10)[:10]]


def ripgrep(vault: Path, word: str) -> None:
    subprocess.run(["rg", "-i", "-F", "-c", word, str(vault)], capture_output=True, check=False)


def ratio(other: Sequence[float], mine: Sequence[float]) -> str:
    theirs, own = statistics.median(other), statistics.median(mine)
    return f"{theirs:.1f} ms, ours takes {own / theirs:.1f} times that"


# --- a process that stays ------------------------------------------------------------------


@contextmanager
def serving(variables: dict[str, str]) -> Generator[None]:
    """A service process that answers."""
    process = subprocess.Popen(
        [BRAIN, "serve"], env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def measure_service(
    vault: Path,
    data_dir: Path,
    questions: Sequence[str],
    brain: Callable[..., object],
    *,
    large: bool,
) -> list[Row]:
    """What `brain ask` takes with it, its memory, and many clients at once."""
    for question in questions[:14]:
        brain("ask", question, "--no-input")
    asked = timed(lambda: brain("ask", questions[7], "--no-input"))
    took, each = asyncio.run(clients(vault, data_dir, questions))
    together = memory_of(one for one in ours(data_dir) if alive(one))
    return [
        Row("brain ask, with brain serve", spread(asked), "0.35 s"),
        Row(
            f"{CLIENTS} clients at once",
            f"{CLIENTS * ASKED_BY_EACH / took:.0f} questions/s, p50 {statistics.median(each):.0f}, "
            f"p99 {percentile(each, 0.99):.0f} ms",
            "at least 20 questions/s, p99 1 s",
        ),
        Row(
            "memory, all processes, serving",
            f"{together / 1e6:.0f} MB",
            "2 GB" if large else "900 MB",
        ),
    ]


def alive(process: psutil.Process) -> bool:
    return process.is_running() and "bench" not in " ".join(process.cmdline())


async def clients(
    vault: Path, data_dir: Path, questions: Sequence[str]
) -> tuple[float, list[float]]:
    """Seconds that all took together, and the milliseconds of each question."""
    place = find_place({"vault": vault, "data_dir": data_dir, "mode": "local"})
    assert place is not None

    def ask(question: str) -> None:
        answer = ask_service(place, QueryRequest(question=question, interactive=False))
        assert answer is not None, "brain serve does not answer"

    def client(number: int) -> list[float]:
        own = questions[number::CLIENTS][:ASKED_BY_EACH]
        return [took(partial(ask, question)) for question in own]

    started = time.perf_counter()
    found = await asyncio.gather(*(asyncio.to_thread(client, n) for n in range(CLIENTS)))
    return time.perf_counter() - started, [ms for one in found for ms in one]


# --- helpers -------------------------------------------------------------------------------


def took(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def timed(
    work: Callable[[], object], *, times: int = 5, before: Callable[[], object] = lambda: None
) -> list[float]:
    found: list[float] = []
    for _ in range(times):
        before()
        found.append(took(work) / 1000)
    return found


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def latency(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.0f} / {percentile(values, 0.95):.0f} ms"


if __name__ == "__main__":
    main()
