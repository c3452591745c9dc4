"""Is the first quotation the line that answers? ``python -m evals.answers.quotations FOLDER``.

Of the answerable questions of conversations as vaults, whose evidence is named by block: how often
the first result's first quoted line, any of its lines, or any line of the first five results, is
one of these blocks.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.answers.end_to_end import AnsweredQuestion, ask, share
from evals.datasets.collection import lines, note
from evals.metrics.figures import table
from tools.base.domain import Result

COLUMNS = ("questions", "first line", "first note", "first five")
_FIRST = 5


def main() -> None:
    """Ask every vault its questions and print the shares of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with questions.jsonl and vaults")
    folder: Path = parser.parse_args().folder
    asyncio.run(measure(folder))


async def measure(folder: Path) -> None:
    asked = [q for q in lines(folder / "questions.jsonl") if q["answerable"] and q["evidence"]]
    every: list[AnsweredQuestion] = []
    for vault in sorted({str(question["vault"]) for question in asked}):
        every += await ask(folder / vault, [q for q in asked if q["vault"] == vault])
    kinds = ["all", *sorted({str(question["category"]) for question in asked})]
    table(
        f"{folder.name}, quoted lines that are evidence",
        list(COLUMNS),
        {k: shares(folder, [o for o in every if k in ("all", o[0]["category"])]) for k in kinds},
    )


def shares(folder: Path, asked: Sequence[AnsweredQuestion]) -> list[float]:
    """How often the first quotation, the first note's and the first five notes' are evidence."""
    found = [(places(folder, question), answer.results) for question, answer in asked]
    return [
        len(asked),
        share(_hits(gold, results[:1], quotations=1) for gold, results in found),
        share(_hits(gold, results[:1]) for gold, results in found),
        share(_hits(gold, results[:_FIRST]) for gold, results in found),
    ]


def places(folder: Path, question: Mapping[str, Any]) -> set[tuple[str, int]]:
    """Note and line of each block of evidence."""
    found: set[tuple[str, int]] = set()
    for one in question["evidence"]:
        text = (folder / str(one["note"])).read_text("utf-8").splitlines()
        at = (n for n, line in enumerate(text, 1) if line.rstrip().endswith(f"^{one['block']}"))
        found |= {(note(one), line) for line in at}
    return found


def _hits(
    gold: set[tuple[str, int]], results: Sequence[Result], *, quotations: int | None = None
) -> bool:
    return any(
        (r.note_path, e.line_start) in gold for r in results for e in r.excerpts[:quotations]
    )


if __name__ == "__main__":
    main()
