"""Does an answer know when the notes do not have it? ``python -m evals.answerability --help``.

Measured on whole answers: the area under the ROC curve of ``answerable``, and how many questions
with and without an answer are told "Not in your notes". ``--fit`` prints the weights that the own
cases give (``tools/answerability.py``); no other data is ever fitted.
"""

import argparse
import asyncio
import json
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.asked import Asked, ask, share
from evals.figures import lines, table
from evals.places import supporting
from evals.ranking_measures import auroc
from evals.searching import find, indexed
from tools.answerability import Support, Weights

CASES = Path(__file__).parent / "data" / "answerable.jsonl"
"""One vault a line: its notes, the questions they answer and those they do not."""

COLUMNS = ("answerable", "not", "AUROC", "wrongly absent", "rightly absent")
_RIDGE = 0.01
_STEPS = 20_000
_RATE = 0.02


def main() -> None:
    """Measure the own cases, or a folder of vaults; or fit the weights to the own cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="with questions.jsonl and vaults")
    parser.add_argument("--fit", action="store_true", help="print the weights of the own cases")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as written:
        folder = given.folder or write_vaults(Path(written))
        asyncio.run(fit(folder) if given.fit and not given.folder else measure(folder))


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


def figures(asked: Sequence[Asked]) -> list[float]:
    """Counts, AUROC of the questions that were judged, the shares told "Not in your notes"."""
    there = [answer for question, answer in asked if question["answerable"]]
    gone = [answer for question, answer in asked if not question["answerable"]]
    scores = [[a.answerable for a in kind if a.answerable is not None] for kind in (there, gone)]
    absent = [share("## Not in your notes" in a.answer for a in kind) for kind in (there, gone)]
    told_apart = auroc(*scores) if all(scores) else math.nan
    return [len(there), len(gone), told_apart, *absent]


# --- fitting -------------------------------------------------------------------------------


async def fit(folder: Path) -> None:
    """Print the weights of greatest likelihood, drawn a little to zero."""
    cases = [
        (found, bool(question["answerable"]))
        for vault, asked in by_vault(folder).items()
        for question, found in zip(asked, await supports(folder / vault, asked), strict=True)
    ]
    sys.stdout.write(f"{fitted(cases)}\n")


async def supports(vault: Path, asked: Sequence[Mapping[str, Any]]) -> list[Support]:
    """What speaks for an answer to each question, taken for one for a fact."""
    async with indexed(vault) as deps:
        return [
            supporting(await find(str(one["question"]), deps, intent="factual")) for one in asked
        ]


def fitted(cases: Sequence[tuple[Support, bool]]) -> Weights:
    """Gradient ascent with Adam (Kingma and Ba 2015) from the same start each time."""
    held, meant, told = np.array([(s.held, s.meant, s.told) for s, _ in cases]).T
    there = np.array([answerable for _, answerable in cases], float)
    point = np.array([-1.0, 4.0, 1.0, 0.4, 8.0])
    first, second = np.zeros(5), np.zeros(5)
    for step in range(1, _STEPS + 1):
        constant, by_held, by_meant, middle, slope = point
        holds = 1 / (1 + np.exp(-(constant + by_held * held + by_meant * meant)))
        tells = 1 / (1 + np.exp(-slope * (told - middle)))
        both = np.clip(holds * tells, 1e-9, 1 - 1e-9)
        pull = (there - both) / (1 - both)
        of_held, of_told = pull * (1 - holds), pull * (1 - tells)
        gradient = np.array(
            [
                of_held.sum(),
                of_held @ held - 2 * _RIDGE * by_held,
                of_held @ meant - 2 * _RIDGE * by_meant,
                -slope * of_told.sum(),
                of_told @ (told - middle) - 2 * _RIDGE * slope,
            ]
        )
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        scaled = np.sqrt(second / (1 - 0.999**step)) + 1e-8
        point += _RATE * first / (1 - 0.9**step) / scaled
    names = ("constant", "held", "meant", "told", "slope")
    return Weights(**{name: round(float(x), 2) for name, x in zip(names, point, strict=True)})


if __name__ == "__main__":
    main()
