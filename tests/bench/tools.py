"""What the tools for other programs take on a large vault, against their bounds.

``python -m tests.bench.tools --notes 10000 SOURCE …`` grows a vault out of the notes in the sources
(``tests/bench/grown_vault.py``), indexes it and prints a table. ``--vault`` and ``--data-dir``
measure one that is there. Run it on a machine with nothing else to do.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from graphs.brain import Brain
from graphs.core.state import QueryContext
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.registry import call
from graphs.toolkit.tool import Session
from tests.bench import grown_vault
from tests.bench.run import spread
from tests.bench.scale import Row, latency, made_up, opened, serving, timed
from tests.support.processes.command_line import BRAIN, environment, run
from tools.runtime.garbage import spare_what_is_loaded

CALLS = 60
CLIENTS, CALLED_BY_EACH = 8, 40
BOUNDS = {"search_graph": "120 ms", "ask": "as Brain.ask, + 10 ms", "contradictions": ""}
_LIST: tuple[dict[str, Any], ...] = (
    *(
        {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
    ),
)


@dataclass(frozen=True, slots=True)
class Given:
    """Titles and questions of the vault, the same each time."""

    titles: Sequence[str]
    questions: Sequence[str]

    def calls(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Arguments for each tool that reads."""
        chance = random.Random("tools")  # noqa: S311
        titles = chance.sample(self.titles, min(2 * CALLS, len(self.titles) // 2 * 2))
        one, other = titles[::2], titles[1::2]
        found: dict[str, Sequence[Mapping[str, Any]]] = {
            "search_graph": [{"query": text} for text in self.questions[:CALLS]],
            "get_node": [{"node_id": title} for title in one],
            "list_nodes": [{"type": "Note", "limit": 50}] * CALLS,
            "find_related": [{"node_id": title} for title in one],
            "traverse_path": [{"from_id": a, "to_id": b} for a, b in zip(one, other, strict=True)],
            "semantic_search": [{"query": text} for text in self.questions[:CALLS]],
            "get_graph_stats": [{"detailed": True}] * CALLS,
            "read_note": [{"note": title} for title in one],
            "recent_notes": [{}] * CALLS,
            "timeline": [{"concept": title} for title in one],
            "facts": [{"subject": title} for title in one],
            "search_notes": [{"query": text} for text in self.questions[:CALLS]],
            "ask": [{"question": text, "interactive": False} for text in self.questions[:CALLS]],
        }
        return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="*")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--vault", type=Path)
    parser.add_argument("--data-dir", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-tools-") as folder:
        vault = given.vault or Path(folder) / "vault"
        data_dir = given.data_dir or Path(folder) / "data"
        if given.vault is None:
            sources = grown_vault.read_sources(given.sources)
            grown_vault.write(vault, grown_vault.grow(sources, given.notes))
        variables = environment(vault, data_dir)
        run("index", environment=variables, timeout=None, check=True)
        sys.stdout.write("| measured | value | at most |\n|---|---|---|\n")
        for row in measure(vault, data_dir, variables):
            sys.stdout.write(f"| {row.name} | {row.value} | {row.bound} |\n")
            sys.stdout.flush()


def measure(vault: Path, data_dir: Path, variables: dict[str, str]) -> Iterator[Row]:
    """Every figure."""
    titles = sorted(file.stem for file in vault.rglob("*.md"))
    given = Given(titles, made_up(vault, CALLS + 20))
    yield from asyncio.run(each_tool(vault, data_dir, given))
    run("stop", environment=variables, check=True)
    yield Row("tools/list, cold", spread(timed(lambda: listed(variables))), "1.5 s")
    with serving(variables):
        for question in given.questions[-14:]:
            run("ask", question, "--no-input", environment=variables, check=True)
        yield Row(
            "tools/list, beside brain serve", spread(timed(lambda: listed(variables))), "0.1 s"
        )
        yield asyncio.run(at_once(variables, given))
    run("stop", environment=variables, check=True)


async def each_tool(vault: Path, data_dir: Path, given: Given) -> list[Row]:
    """Milliseconds of each tool, one call after the other, warm."""
    rows: list[Row] = []
    async with opened(vault, data_dir) as brain:
        session = Session(brain, caller("bench"))
        spare_what_is_loaded()  # as a process that serves does
        for text in given.questions[CALLS:]:
            await brain.ask(text, context=QueryContext(interactive=False))
        asked = await milliseconds(brain, given.questions[:CALLS])
        for name, calls in given.calls().items():
            took: list[float] = []
            for number, arguments in enumerate((*calls[:3], *calls)):
                started = time.perf_counter()
                await call(session, name, arguments)
                if number >= 3:
                    took.append((time.perf_counter() - started) * 1000)
            rows.append(Row(f"{name}, p50 / p95", latency(took), BOUNDS.get(name, "50 ms")))
    return [*rows, Row("Brain.ask, p50 / p95", latency(asked))]


async def milliseconds(brain: Brain, questions: Sequence[str]) -> list[float]:
    took: list[float] = []
    for question in questions:
        started = time.perf_counter()
        await brain.ask(question, context=QueryContext(interactive=False))
        took.append((time.perf_counter() - started) * 1000)
    return took


def listed(variables: Mapping[str, str]) -> None:
    """A client that starts the command and waits for the list."""
    with subprocess.Popen(
        [BRAIN, "mcp"],
        env=dict(variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdin is not None
        assert command.stdout is not None
        command.stdin.write("".join(json.dumps(one) + "\n" for one in _LIST))
        command.stdin.flush()
        while '"tools"' not in command.stdout.readline():
            pass
        command.kill()


async def at_once(variables: dict[str, str], given: Given) -> Row:
    """Clients that each start the command beside the service process, and call in turn."""
    took: list[float] = []
    failed = 0

    async def client(number: int) -> None:
        nonlocal failed
        calls = [(name, one) for name, ones in given.calls().items() for one in ones]
        random.Random(number).shuffle(calls)  # noqa: S311
        server = StdioServerParameters(command=str(BRAIN), args=["mcp"], env=variables)
        async with Client(stdio_client(server)) as one:
            for name, arguments in calls[:CALLED_BY_EACH]:
                started = time.perf_counter()
                failed += (await one.call_tool(name, dict(arguments))).is_error or 0
                took.append((time.perf_counter() - started) * 1000)

    started = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    whole = time.perf_counter() - started
    return Row(
        f"{CLIENTS} clients at once, {len(took)} calls",
        f"{failed} failed, {len(took) / whole:.0f} calls/s, p50 / p95 {latency(took)}",
        "no error",
    )


if __name__ == "__main__":
    os.environ.setdefault("BRAIN_MODE", "local")
    main()
