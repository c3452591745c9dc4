"""Does an answer know what the notes lack? ``python -m evals.answers.answerability --help``.

Measured on whole answers: the area under the ROC curve of ``answerable``, and how many questions
with and without an answer are told "Not in your notes".
"""

import argparse
import asyncio
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.answers.end_to_end import AnsweredQuestion, ask, share
from evals.datasets.collection import lines
from evals.datasets.files import DATA
from evals.metrics.figures import table
from evals.metrics.ranking import auroc

CASES = DATA / "answerable.jsonl"
"""One vault a line: its notes, the questions they answer and those they do not."""

COLUMNS = ("answerable", "not", "AUROC", "wrongly absent", "rightly absent")


def main() -> None:
    """Measure the own cases, or a folder of vaults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="with questions.jsonl and vaults")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as written:
        folder = given.folder or write_vaults(Path(written))
        asyncio.run(measure(folder))


def write_vaults(folder: Path) -> Path:
    """The own cases as vaults and a file of questions, in the form of every other collection."""
    questions: list[str] = []
    for vault in lines(CASES):
        for path, text in vault["notes"].items():
            note = folder / vault["vault"] / path
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(text, "utf-8")
        for kind in ("answerable", "unanswerable"):
            questions += [
                json.dumps({"vault": vault["vault"], "question": q, "answerable": kind[0] == "a"})
                for q in vault[kind]
            ]
    (folder / "questions.jsonl").write_text("\n".join(questions), "utf-8")
    return folder


async def measure(folder: Path) -> None:
    asked = by_vault(folder)
    answered = {vault: await ask(folder / vault, own) for vault, own in asked.items()}
    answered["all"] = [one for found in answered.values() for one in found]
    name = "own cases" if folder.name.startswith("brain-eval-") else folder.name
    table(name, list(COLUMNS), {vault: figures(found) for vault, found in answered.items()})


def by_vault(folder: Path) -> dict[str, list[Mapping[str, Any]]]:
    asked: dict[str, list[Mapping[str, Any]]] = {}
    for question in lines(folder / "questions.jsonl"):
        asked.setdefault(str(question["vault"]), []).append(question)
    return dict(sorted(asked.items()))


def figures(asked: Sequence[AnsweredQuestion]) -> list[float]:
    """Counts, AUROC of the questions that were judged, the shares told "Not in your notes"."""
    there = [answer for question, answer in asked if question["answerable"]]
    gone = [answer for question, answer in asked if not question["answerable"]]
    scores = [[a.answerable for a in kind if a.answerable is not None] for kind in (there, gone)]
    absent = [share("## Not in your notes" in a.answer for a in kind) for kind in (there, gone)]
    told_apart = auroc(*scores) if all(scores) else math.nan
    return [len(there), len(gone), told_apart, *absent]


if __name__ == "__main__":
    main()
