"""How well the tools over the graph find what is meant: ``python -m evals.retrieval.graph_tools``.

Of written questions: whether a note that is meant is among the first three anchors of
``search_graph``, and that what is asked of the other vault has none; whether ``traverse_path``
gives a way that its writer found right, or none where there is none within four links; and whether
the context of ``search_graph`` for that question has a step of a right way among its first ten
edges. The questions are in ``evals/data/graph_tools``, by a writer who saw neither program nor
output: of anchors ``q``, ``how`` it names them and ``anchors``, groups of equally right paths; of
connections ``from``, ``to`` and all right ``paths``.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from evals.datasets.files import DATA
from graphs.app import open_brain
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.registry import call
from graphs.toolkit.tool import Session

VAULTS = ("example", "jackyzha0")
_FIRST, _CONTEXT = 3, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one question fared: of its kind, what it says, and how long it took."""

    kind: str
    question: str
    right: bool
    ms: float
    found: Sequence[str]


async def measure(vault: Path, name: str, *, data_dir: Path | None) -> list[Outcome]:
    """Ask the questions of ``name`` of a vault, whose index is brought up to date."""
    async with open_brain(vault, data_dir=data_dir, mode="local") as brain:
        await brain.index()
        session = Session(brain, caller("evals"))
        anchors = [await _anchors(session, row) for row in _rows(f"anchors_{name}")]
        ways = [await _way(session, row) for row in _rows(f"connections_{name}")]
        (other,) = (one for one in VAULTS if one != name)
        foreign = [await _no_anchor(session, row) for row in _rows(f"anchors_{other}")]
        steps = [await _step(session, row) for row in _rows(f"connections_{name}") if row["paths"]]
        return [*anchors, *foreign, *ways, *steps]


async def _anchors(session: Session, row: Any) -> Outcome:
    began = time.perf_counter()
    given = (await call(session, "search_graph", {"query": row["q"]})).result
    found = [one["id"] for one in given["anchors"]][:_FIRST]
    return Outcome(
        kind=f"anchor, {row['how']}",
        question=row["q"],
        right=any(path in found for group in row["anchors"] for path in group),
        ms=(time.perf_counter() - began) * 1000,
        found=found,
    )


async def _no_anchor(session: Session, row: Any) -> Outcome:
    began = time.perf_counter()
    given = (await call(session, "search_graph", {"query": row["q"]})).result
    found = [one["id"] for one in given["anchors"]]
    return Outcome(
        kind="no anchor",
        question=row["q"],
        right=not found,
        ms=(time.perf_counter() - began) * 1000,
        found=found[:_FIRST],
    )


async def _way(session: Session, row: Any) -> Outcome:
    began = time.perf_counter()
    ends = {"from_id": row["from"], "to_id": row["to"]}
    given = (await call(session, "traverse_path", ends)).result
    path = [one["node_id"] for one in given["path"]]
    return Outcome(
        kind="way" if row["paths"] else "no way",
        question=row["q"],
        right=path in row["paths"] if row["paths"] else not path,
        ms=(time.perf_counter() - began) * 1000,
        found=path,
    )


async def _step(session: Session, row: Any) -> Outcome:
    began = time.perf_counter()
    given = (await call(session, "search_graph", {"query": row["q"]})).result
    first = [(one["subject_id"], one["object_id"]) for one in given["context"]][:_CONTEXT]
    right = {frozenset(step) for path in row["paths"] for step in pairwise(path)}
    return Outcome(
        kind="context",
        question=row["q"],
        right=any(frozenset(step) in right for step in first),
        ms=(time.perf_counter() - began) * 1000,
        found=[f"{one} – {other}" for one, other in first],
    )


def _rows(name: str) -> Iterable[Any]:
    file = DATA / "graph_tools" / f"{name}.jsonl"
    return map(json.loads, file.read_text("utf-8").splitlines())


def show(asked: Sequence[Outcome], *, misses: bool) -> None:
    """A line for each kind: the share that is right, how many there are, and the times."""
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    for one in asked:
        for kind in {one.kind, one.kind.partition(",")[0]}:
            kinds[kind].append(one)
        if misses and not one.right:
            sys.stdout.write(f"{one.kind}: {one.question} → {', '.join(one.found) or 'nothing'}\n")
    for kind, own in sorted(kinds.items()):
        times = sorted(one.ms for one in own)
        share = sum(one.right for one in own) / len(own)
        p95 = times[int(0.95 * (len(times) - 1))]
        middle = times[len(times) // 2]
        sys.stdout.write(f"{kind}: {share:.3f} of {len(own)}, {middle:.0f} / {p95:.0f} ms\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--questions", choices=VAULTS, required=True)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--misses", action="store_true", help="list what is not right")
    given = parser.parse_args()
    asked = asyncio.run(measure(given.vault, given.questions, data_dir=given.data_dir))
    show(asked, misses=given.misses)
    return 0


if __name__ == "__main__":
    sys.exit(main())
