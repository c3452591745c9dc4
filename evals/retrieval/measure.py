"""How well the searches and their merge rank notes: ``python -m evals.retrieval.measure --help``.

Two kinds of collection: graded judgements (``queries.jsonl``, ``qrels.tsv``, ``docs/``), and
conversations as vaults (``questions.jsonl``, which names the notes and turns that hold the evidence
and says of each question whether it can be answered). Each question is read, searched for and
merged as ``brain ask --limit 50`` would.
"""

import argparse
import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.datasets.collection import lines, note
from evals.datasets.judgements import Judgements, Query, read_judgements, read_queries
from evals.metrics.figures import table
from evals.retrieval.rankings import MEASURES, Searched, answerability_auroc, levels
from evals.retrieval.runs import search_all
from evals.retrieval.search import block_ids, read_pages
from tools.base.domain import INTENTS, Intent
from tools.settings.loading import load_settings

NOTES, TURNS = "notes", "blocks"


def main() -> None:
    """Measure what is given and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judged", type=Path, help="folder with queries.jsonl, qrels.tsv, docs/")
    parser.add_argument("--conversations", type=Path, help="folder with questions.jsonl and vaults")
    parser.add_argument("--intent", choices=INTENTS, help="read every question so")
    given = parser.parse_args()
    if given.judged:
        asyncio.run(judged(given.judged, given.intent))
    if given.conversations:
        asyncio.run(conversations(given.conversations, given.intent))


async def judged(folder: Path, intent: Intent | None = None) -> None:
    """Every measure of each ranking."""
    queries = read_queries(folder / "queries.jsonl")
    pages = read_pages(load_settings(vault=folder / "docs"))
    judgements = read_judgements(
        folder / "qrels.tsv", queries={query.key for query in queries}, blocks=block_ids(pages)
    )
    searched, _ = await search_all(queries, vault=folder / "docs", pages=pages, intent=intent)
    for level in levels(searched, judgements):
        table(f"{folder.name}, {level.name}", MEASURES, level.rows)


async def conversations(folder: Path, intent: Intent | None = None) -> None:
    """Share of the evidence notes among the first five, and of the turns among the first ten.

    Both by kind of question and by conversation; how well questions without an answer are told.
    """
    questions = lines(folder / "questions.jsonl")
    searched: list[Searched] = []
    judgements = evidence(questions)
    for vault in sorted({str(question["vault"]) for question in questions}):
        own = [
            Query(id=q["id"], query=str(q["question"]), answerable=bool(q["answerable"]))
            for q in questions
            if q["vault"] == vault
        ]
        pages = read_pages(load_settings(vault=folder / vault))
        found, _ = await search_all(own, vault=folder / vault, pages=pages, intent=intent)
        searched += found
    kinds = {str(q["id"]): str(q["category"]) for q in questions}
    vaults = {str(q["id"]): str(q["vault"]) for q in questions}
    for by, groups in (("kind", kinds), ("conversation", vaults)):
        for name, level, measure in (
            ("notes", NOTES, "Recall@5"),
            ("turns", TURNS, "Recall@10"),
        ):
            table(
                f"{folder.name}, {measure} of {name} by {by}",
                *columns(searched, judgements, groups, level=level, measure=measure),
            )
    apart = {name: answerability_auroc(some) for name, some in grouped(searched, vaults).items()}
    known = {name: value for name, value in apart.items() if value is not None}
    table(f"{folder.name}, AUROC", [*known], {"answerable": [*known.values()]})


def evidence(questions: Iterable[Mapping[str, Any]]) -> Judgements:
    """Which notes and turns hold the answer to each question that has one."""
    kept = [q for q in questions if q["answerable"] and q["evidence"]]
    return Judgements(
        notes={q["id"]: {note(one): 1.0 for one in q["evidence"]} for q in kept},
        blocks={
            q["id"]: {(note(one), str(one["block"])): 1.0 for one in q["evidence"]} for q in kept
        },
    )


# --- tables --------------------------------------------------------------------------------


def grouped(
    searched: Sequence[Searched], groups: Mapping[str, str]
) -> dict[str, Sequence[Searched]]:
    """All, then those of each group, by name."""
    named = {
        name: [one for one in searched if groups[one.query.key] == name]
        for name in sorted(set(groups.values()))
    }
    return {"all": searched, **named}


def columns(
    searched: Sequence[Searched],
    judgements: Judgements,
    groups: Mapping[str, str],
    *,
    level: str,
    measure: str,
) -> tuple[list[str], dict[str, list[float]]]:
    """One measure of each ranking, a column for each group with a judged question."""
    at = MEASURES.index(measure)
    found = {
        name: own
        for name, some in grouped(searched, groups).items()
        for own in levels(some, judgements)
        if own.name == level
    }
    return [*found], {
        ranking: [own.rows[ranking][at] for own in found.values()] for ranking in found["all"].rows
    }


if __name__ == "__main__":
    main()
