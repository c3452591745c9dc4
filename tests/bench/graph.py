"""The graph's figures of docs/PERFORMANCE.md: ``python -m tests.bench.graph`` prints them.

A made-up vault is written to a graph server of its own, the embedded one or (``--neo4j``) one that
``scripts/neo4j/serve.py`` starts, and asked. Run it on a machine with nothing else to do.
"""

import argparse
import asyncio
import gc
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil

from tests.bench.graph_vault import (
    edited,
    generate,
    linked_from,
    moments,
    path_of,
    projected,
    replayed,
)
from tools.base.domain import Moment
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.relations import CAUSAL
from tools.runtime import services
from tools.settings.settings import Settings

SERVE = Path(__file__).parents[2] / "scripts" / "neo4j" / "serve.py"
ASKED = 300
MOMENTS = 60
WARMING = 20

type Rows = list[tuple[str, str, str]]
"""Name, value and what was asked for."""


class Server(Protocol):
    """A graph server with nothing in it, and what it takes."""

    name: str

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    def store(self) -> GraphitiStore: ...
    def processes(self) -> list[psutil.Process]: ...
    def folder(self) -> Path: ...


class Falkor:
    """The embedded server, as the program itself starts it."""

    def __init__(self, folder: Path) -> None:
        self.name = "embedded FalkorDB"
        self._data = folder / "data"
        owner = os.getpid()
        settings = Settings(vault=folder / "vault", data_dir=self._data, services_owner=owner)
        self._service = services.graph_service(settings)

    async def start(self) -> None:
        await services.ensure(self._service)

    async def stop(self) -> None:
        await services.stop(self._service)

    def store(self) -> GraphitiStore:
        return GraphitiStore(FalkorBackend(self._service.socket, graph="vault"))

    def processes(self) -> list[psutil.Process]:
        keeper = psutil.Process(int(self._service.pid.read_text("ascii")))
        return [keeper, *keeper.children(recursive=True)]

    def folder(self) -> Path:
        return self._data / "graph"


class Neo4j:
    """A Neo4j server on loopback, as the project's own script starts it."""

    def __init__(self, folder: Path) -> None:
        self.name = "Neo4j"
        self._home = folder / "neo4j"
        self._address = ""

    async def start(self) -> None:
        self._address = await asyncio.to_thread(self._serve, "start")

    async def stop(self) -> None:
        await asyncio.to_thread(self._serve, "stop")

    def store(self) -> GraphitiStore:
        return GraphitiStore(Neo4jBackend(self._address, vault="bench"))

    def processes(self) -> list[psutil.Process]:
        return [psutil.Process(int((self._home / "pid").read_text("ascii")))]

    def folder(self) -> Path:
        return self._home / "data"

    def _serve(self, action: str) -> str:
        command = [sys.executable, str(SERVE), action, "--home", str(self._home)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds of one kind of question, and how many results it had in the middle."""

    took: list[float]
    results: int

    def __str__(self) -> str:
        ordered = sorted(self.took)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        middle = statistics.median(ordered)
        return f"p50 {middle:.1f} ms, p95 {p95:.1f} ms ({self.results} results)"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--neo4j", action="store_true", help="instead of the embedded server")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--edges", type=int, default=50_000)
    given = parser.parse_args()
    before = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="brain-bench-") as folder:
        server = Neo4j(Path(folder)) if given.neo4j else Falkor(Path(folder))
        rows = asyncio.run(measure(server, notes=given.notes, edges=given.edges))
    sys.stdout.write(f"| measured on {server.name} | value | asked for |\n|---|---|---|\n")
    busy = f"{before[0]:.1f} to {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores"
    rows.insert(0, ("load of the machine, before and after", busy, "0"))
    sys.stdout.writelines(f"| {name} | {value} | {bound} |\n" for name, value, bound in rows)


async def measure(server: Server, *, notes: int, edges: int) -> Rows:
    """Every figure, in the order of the work."""
    await server.start()
    try:
        store = server.store()
        rows = await load(store, server, notes=notes, edges=edges)
        rows += await ask(store, notes=notes, edges=edges)
        rows += await ask_whole(store, notes=notes, edges=edges)
        rows += await renew(store, notes=notes, edges=edges)
        rows.append(("server memory after all of it", f"{memory(server):.0f} MB", "400 MB"))
        rows.append(("on disk", f"{size(server.folder()):.0f} MB", ""))
        await store.close()
        await server.stop()
        started = time.perf_counter()
        await server.start()
        store = server.store()
        await store.status()
        took = time.perf_counter() - started
        rows.append(("start with this graph, until it answers", f"{took:.1f} s", ""))
        await store.close()
    finally:
        await server.stop()
    return rows


async def load(store: GraphitiStore, server: Server, *, notes: int, edges: int) -> Rows:
    vault = generate(notes, edges)
    started = time.perf_counter()
    graphs = list(projected(vault))
    projecting = time.perf_counter() - started
    await store.replace([])  # what is loaded on first use
    await store.replace(graphs[:1])
    gc.freeze()  # what only this program keeps shall not slow the writing down
    started, used = time.perf_counter(), processor(server)
    await store.replace(graphs)
    writing, used = time.perf_counter() - started, processor(server) - used
    written = sum(len(graph.relations) for graph in graphs)
    versions = sum(len(graph.episodes) for graph in graphs)
    return [
        ("notes, versions, edges", f"{notes}, {versions}, {written}", ""),
        ("load", f"{written / writing:.0f} edges/s", "5000 edges/s"),
        ("load, by processor time of client and server", f"{written / used:.0f} edges/s", ""),
        ("projecting before it", f"{written / projecting:.0f} edges/s", ""),
        ("server memory after the load", f"{memory(server):.0f} MB", "400 MB"),
    ]


async def ask(store: GraphitiStore, *, notes: int, edges: int) -> Rows:
    """Questions about random notes."""
    chance = random.Random(0)  # noqa: S311
    vault = generate(notes, edges)
    asked = [path_of(chance.randrange(notes)) for _ in range(ASKED)]
    others = [linked_from(vault, path, chance) for path in asked]
    dates = [Moment(as_of=as_of, known_at=known) for as_of, known in moments(ASKED)]
    pairs, dated = dict(zip(asked, others, strict=True)), dict(zip(asked, dates, strict=True))

    async def nothing(_: str) -> int:
        return len(await store.versions([]))

    async def chains(path: str) -> int:
        found = await store.chains([path], relations=CAUSAL, direction="both", limit=20, depth=3)
        return len(found)

    async def near(path: str, hops: int) -> int:
        return len(await store.neighbours([path], hops=hops, limit=50))

    async def between(path: str) -> int:
        return len(await store.path_between(path, pairs[path]))

    async def history(path: str) -> int:
        return len(await store.versions([path]))

    async def facts(path: str) -> int:
        return len(await store.facts([path], at=dated[path]))

    bound = "5 ms p95"
    return [
        ("nothing: the way to the server and back", str(await timed(nothing, asked)), ""),
        ("history of a note", str(await timed(history, asked)), bound),
        ("what a note said, as of a date", str(await timed(facts, asked)), bound),
        ("causal chains, depth 3", str(await timed(chains, asked)), bound),
        ("one hop", str(await timed(lambda path: near(path, 1), asked)), ""),
        ("two hops", str(await timed(lambda path: near(path, 2), asked)), bound),
        ("shortest path of two notes, at most 4 hops", str(await timed(between, asked)), bound),
    ]


async def ask_whole(store: GraphitiStore, *, notes: int, edges: int) -> Rows:
    """The whole graph as of dates, held against a replay of all versions."""
    vault, found = generate(notes, edges), dict[int, int]()
    points = moments(MOMENTS)

    async def count(number: int) -> int:
        as_of, known_at = points[number]
        status = await store.status(at=Moment(as_of=as_of, known_at=known_at))
        found[number] = status.edges
        return status.edges

    async def digests(_: int) -> int:
        return len(await store.digests())

    whole = await timed(count, range(MOMENTS))
    wrong = sum(
        replayed(vault, as_of=as_of, known_at=known_at) != found[number]
        for number, (as_of, known_at) in enumerate(points)
    )
    return [
        ("whole graph as of a date", str(whole), "150 ms p95"),
        ("of which differ from a replay of the versions", f"{wrong} of {MOMENTS}", "0"),
        ("states of all notes", str(await timed(digests, range(10))), ""),
    ]


async def renew(store: GraphitiStore, *, notes: int, edges: int) -> Rows:
    """Writing what is there already, and one note that changed."""
    vault = generate(notes, edges)
    graphs = list(projected(vault))
    started = time.perf_counter()
    await store.replace(graphs)
    again = time.perf_counter() - started

    async def one(number: int) -> int:
        path = path_of(number)
        await store.replace(list(projected(edited(vault, path), [path])))
        return 1

    return [
        ("write all of it again, nothing changed", f"{again:.1f} s", ""),
        ("write one changed note", str(await timed(one, range(min(notes, 100)))), ""),
    ]


async def timed[T](work: Callable[[T], Awaitable[int]], asked: Sequence[T]) -> Figures:
    took: list[float] = []
    results: list[int] = []
    for one in asked[:WARMING]:
        await work(one)
    for one in asked:
        started = time.perf_counter()
        results.append(await work(one))
        took.append((time.perf_counter() - started) * 1000)
    return Figures(took, int(statistics.median(results)))


def processor(server: Server) -> float:
    """Processor seconds that this process and the server's have used."""
    spent = [process.cpu_times() for process in server.processes()]
    return time.process_time() + sum(times.user + times.system for times in spent)


def memory(server: Server) -> float:
    """Resident memory of the server's processes, in MB."""
    return sum(process.memory_info().rss for process in server.processes()) / 1e6


def size(folder: Path) -> float:
    """Megabytes in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


if __name__ == "__main__":
    main()
