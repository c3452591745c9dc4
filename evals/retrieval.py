"""How well the searches and their merge rank notes: ``python -m evals.retrieval --help``.

Two kinds of collection: graded judgements (``queries.jsonl``, ``qrels.tsv``, ``docs/``), measured
by nDCG@10 (Järvelin and Kekäläinen 2002), and conversations as vaults (``questions.jsonl``, the
notes that hold the evidence named), measured by the share of those notes among the first five.
"""

import argparse
import asyncio
import csv
import json
import math
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.interpreter import interpret_locally
from graphs.app import make_deps, open_brain
from graphs.deps import Deps
from graphs.retrieval import semantic_hits, text_hits
from tools import ranking
from tools.domain import Hit, NoteMetadata, QueryPlan
from tools.guards import MAX_QUESTION
from tools.settings import load_settings

DEPTH = 25
"""Notes each search and each ranking gives."""
RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the two searches gave for one question."""

    plan: QueryPlan
    semantic: Sequence[Hit]
    text: Sequence[Hit]


type Ranking = Callable[[Found], list[str]]


def main() -> None:
    """Measure what is given and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judged", type=Path, help="folder with queries.jsonl, qrels.tsv, docs/")
    parser.add_argument("--conversations", type=Path, help="folder with questions.jsonl and vaults")
    given = parser.parse_args()
    if given.judged:
        asyncio.run(judged(given.judged))
    if given.conversations:
        asyncio.run(conversations(given.conversations))


async def judged(folder: Path) -> None:
    """Mean nDCG@10 of each ranking."""
    queries = {entry["id"]: str(entry["query"]) for entry in lines(folder / "queries.jsonl")}
    gains: dict[str, dict[str, float]] = defaultdict(dict)
    with (folder / "qrels.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            gains[row["query_id"]][f"{row['doc_id']}.md"] = max(0.0, float(row["gain"]))
    found = await search(folder / "docs", queries)
    table(
        folder.name,
        ["nDCG@10"],
        {
            name: [mean(ndcg(rank(found[id_]), gains[id_]) for id_ in queries)]
            for name, rank in RANKINGS.items()
        },
    )


async def conversations(folder: Path) -> None:
    """Mean share of the evidence notes among the first five, by kind of question."""
    asked = [q for q in lines(folder / "questions.jsonl") if q["answerable"] and q["evidence"]]
    found: dict[str, Found] = {}
    for vault in sorted({str(question["vault"]) for question in asked}):
        own = {q["id"]: str(q["question"]) for q in asked if q["vault"] == vault}
        found |= await search(folder / vault, own)
    kinds = ["all", *sorted({str(question["category"]) for question in asked})]

    def recall(question: Mapping[str, Any], rank: Ranking) -> float:
        wanted = {str(e["note"]).split("/", 1)[1] for e in question["evidence"]}
        return len(wanted & set(rank(found[question["id"]])[:5])) / len(wanted)

    table(
        folder.name,
        [f"R@5 {kind}" for kind in kinds],
        {
            name: [
                mean(recall(q, rank) for q in asked if kind in ("all", q["category"]))
                for kind in kinds
            ]
            for name, rank in RANKINGS.items()
        },
    )


async def search(vault: Path, questions: Mapping[str, str]) -> dict[str, Found]:
    """Index the vault in a temporary place and ask both searches every question."""
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as data_dir:
        async with open_brain(vault, data_dir=data_dir, mode="local") as brain:
            await brain.index()
        deps = make_deps(load_settings(vault=vault, data_dir=data_dir, mode="local"))
        try:
            return {id_: await find(question, deps) for id_, question in questions.items()}
        finally:
            await deps.close()


async def find(question: str, deps: Deps) -> Found:
    plan = interpret_locally(question[:MAX_QUESTION], now=deps.clock(), forced_intent="factual")
    deep = replace(plan, limit=DEPTH)
    semantic, text = await asyncio.gather(semantic_hits(deep, deps), text_hits(deep, deps))
    return Found(plan=deep, semantic=semantic, text=text)


# --- rankings and measures -----------------------------------------------------------------


def by_score(hits: Iterable[Hit]) -> list[str]:
    return [hit.note_path for hit in sorted(hits, key=lambda hit: -hit.score)]


def reciprocal_ranks(found: Found) -> list[str]:
    scores: dict[str, float] = defaultdict(float)
    for hits in (found.semantic, found.text):
        for place, path in enumerate(by_score(hits), start=1):
            scores[path] += 1 / (RRF_K + place)
    return sorted(scores, key=lambda path: -scores[path])


def merged(found: Found) -> list[str]:
    unknown = NoteMetadata(created_date=None, modified_date=None, building_block=None)
    hits = [*found.semantic, *found.text]
    metadata = {hit.note_path: unknown for hit in hits}
    return [r.note_path for r in ranking.merge(hits, metadata, plan=found.plan, limit=DEPTH)]


RANKINGS: Mapping[str, Ranking] = {
    "semantic alone": lambda found: by_score(found.semantic),
    "text alone": lambda found: by_score(found.text),
    "reciprocal rank fusion": reciprocal_ranks,
    "merged, as answered": merged,
}


def ndcg(ranked: Sequence[str], gains: Mapping[str, float], *, depth: int = 10) -> float:
    """Discounted gain of the first ``depth`` over the best that is possible; 1.0 if none is."""
    best = sorted(gains.values(), reverse=True)[:depth]
    ideal = sum(gain / math.log2(place + 1) for place, gain in enumerate(best, start=1))
    got = sum(
        gains.get(path, 0.0) / math.log2(place + 1)
        for place, path in enumerate(ranked[:depth], start=1)
    )
    return got / ideal if ideal else 1.0


def mean(values: Iterable[float]) -> float:
    kept = list(values)
    return sum(kept) / len(kept)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def table(name: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> None:
    out = [f"| {name} | {' | '.join(columns)} |", "|---|" + "---|" * len(columns)]
    out += [
        f"| {row} | " + " | ".join(f"{value:.3f}" for value in values) + " |"
        for row, values in rows.items()
    ]
    sys.stdout.write("\n".join(out) + "\n\n")


if __name__ == "__main__":
    main()
