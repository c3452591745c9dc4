"""How long links are suggested for: ``python -m tests.bench.link_suggestions VAULT DATA_DIR``.

The vault is indexed already (``python -m tests.bench.grown_vault`` makes a large one). After some
notes of which nothing is counted, links are suggested for random ones through the Python API, then
step by step for others. ``--out FILE`` keeps what was suggested, ``--before FILE`` compares it with
what another version of the program did.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from langgraph.checkpoint.memory import MemorySaver

from graphs.app import make_deps
from graphs.brain import Brain
from graphs.ingest.sync_graph import catch_up_with_graph
from graphs.links.suggesting.suggest import LinkQuery, LinkSuggester
from graphs.stores.server_start import start_servers
from tests.bench.run import ours
from tests.bench.scale import percentile
from tools.links.suggestion import LinkSuggestions
from tools.settings.loading import load_settings

WARM, NOTES = 20, 200
STEPS = ("look for changed files", "gather", "filter", "explain")

type Suggested = Mapping[str, Sequence[tuple[str, float, Sequence[str], str | None]]]
"""By note the path of each suggestion, its probability, the shared concepts and the type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Milliseconds by the clock and of this process's processor time, of one step each time."""

    clock: list[float] = field(default_factory=list[float])
    processor: list[float] = field(default_factory=list[float])

    async def on[T](self, step: Awaitable[T]) -> T:
        began, worked = time.perf_counter(), time.process_time()
        result = await step
        self.clock.append(1000 * (time.perf_counter() - began))
        self.processor.append(1000 * (time.process_time() - worked))
        return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--before", type=Path)
    given = parser.parse_args()
    spent, suggested = asyncio.run(measured(given.vault, given.data_dir, given.notes))
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    sys.stdout.write(f"load of the machine: {load}; {os.cpu_count()} cores\n")
    sys.stdout.write(
        "| p50 / p95 / longest, ms | by the clock | of the processor |\n|---|---|---|\n"
    )
    for name, one in spent.items():
        sys.stdout.write(f"| {name} | {_spread(one.clock)} | {_spread(one.processor)} |\n")
    if given.out:
        given.out.write_text(json.dumps(suggested), "utf-8")
    if given.before:
        before = json.loads(given.before.read_text("utf-8"))
        for line in differences(before, json.loads(json.dumps(suggested))):
            sys.stdout.write(f"{line}\n")


async def measured(
    vault: Path, data_dir: Path, notes: int
) -> tuple[dict[str, Spent], dict[str, object]]:
    """What each step took, and what was suggested for each note."""
    settings = load_settings(vault=vault, data_dir=data_dir, mode="local")
    start_servers(settings)
    deps = make_deps(settings)
    try:
        chance = random.Random(7)  # noqa: S311
        paths = chance.sample(
            sorted(deps.catalog.with_text(deps.catalog.paths())), WARM + 2 * notes
        )
        brain, suggester = Brain(deps, saver=MemorySaver()), LinkSuggester(deps)
        for path in paths[:WARM]:
            await brain.links.suggest(LinkQuery(note=path))
            await suggester.suggest(LinkQuery(note=path))
        whole, steps = Spent(), {name: Spent() for name in STEPS}
        servers, suggested = _processor_time(data_dir), dict[str, object]()
        for path in paths[WARM : WARM + notes]:
            found = await whole.on(brain.links.suggest(LinkQuery(note=path)))
            suggested[path] = _kept(found)
        servers = 1000 * (_processor_time(data_dir) - servers) / notes
        for path in paths[WARM + notes :]:
            await steps[STEPS[0]].on(asyncio.gather(catch_up_with_graph(deps), deps.wake()))
            candidates = await steps["gather"].on(suggester.gather(LinkQuery(note=path)))
            candidates = await steps["filter"].on(suggester.filter(candidates))
            await steps["explain"].on(suggester.explain(candidates))
        sys.stdout.write(f"processor time of the servers, mean: {servers:.0f} ms\n")
        return {"whole": whole, **steps}, suggested
    finally:
        await deps.close()


def _processor_time(data_dir: Path) -> float:
    """Seconds that the servers of a data directory have worked."""
    times = [process.cpu_times() for process in ours(data_dir) if process.pid != os.getpid()]
    return sum(one.user + one.system for one in times)


def _kept(found: LinkSuggestions) -> list[tuple[str, float, Sequence[str], str | None]]:
    return [
        (
            one.note_path,
            one.probability,
            one.shared_concepts,
            one.relation and one.relation.relation,
        )
        for one in found.results
    ]


def differences(before: Suggested, after: Suggested) -> list[str]:
    """For how many notes what was suggested is the same, by what of it."""
    both = before.keys() & after.keys()
    parts = ("note", "probability", "shared concepts", "type")
    same = [
        f"{part} {sum([s[at] for s in before[p]] == [s[at] for s in after[p]] for p in both)}"
        for at, part in enumerate(parts)
    ]
    return [f"the same as before for, of {len(both)} notes: {', '.join(same)}"]


def _spread(values: Sequence[float]) -> str:
    middle = statistics.median(values)
    return f"{middle:.0f} / {percentile(values, 0.95):.0f} / {max(values):.0f}"


if __name__ == "__main__":
    main()
