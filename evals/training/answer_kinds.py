"""Train the reading of what kind of answer is asked for: ``python -m evals.training.answer_kinds``.

A head (``evals/learning/heads.py``) that learns from the questions over the vaults below
``data/reader``, then also from those in ``data/kinds``, by other writers, on which the temperatures
are set first. Printed is how many of these, and of the questions in ``data/answers``, which it
never learns from, it reads as their writers meant them. Needs the group ``train``; takes three
minutes.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from agents.interpreter.classifiers.answer_kinds import WEIGHTS, answer_kinds
from agents.interpreter.classifiers.head import vector_text
from evals.datasets.files import DATA
from evals.learning.heads import Labelled, fit, logits_of, temperature
from evals.learning.question_batches import features_of
from evals.learning.weights import write_head
from tools.base.domain import ANSWER_KINDS
from tools.semantic.question import QuestionReader

_OTHERS = 3.0
"""What a question counts that was written to show a kind, and not for the answers of a vault."""


def main() -> int:
    reader = QuestionReader()
    first = rows_in(sorted((DATA / "reader").glob("*/questions.jsonl")))
    others = {file.stem: rows_in([file]) for file in sorted((DATA / "kinds").glob("*.jsonl"))}
    rows = [*first, *chain.from_iterable(others.values())]
    kinds = [ANSWER_KINDS.index(row["kind"]) for row in rows]
    every = Labelled.read([row["q"] for row in rows], kinds, reader)
    head = fit(every.part(slice(len(first))), np.ones(len(first)))
    unseen = every.part(slice(len(first), None))
    logits = logits_of(head, unseen)
    start = 0
    for name, rows in others.items():
        own = slice(start, start := start + len(rows))
        for how, said in zip(("with the vector", "by words alone"), logits, strict=True):
            right = (said[own].argmax(1) == unseen.labels[own]).mean()
            sys.stdout.write(f"{name:12} unseen, {how}: {right:.3f} of {len(rows)}\n")
    temperatures = [temperature(said, unseen.labels) for said in logits]
    counts = np.where(np.arange(len(every.labels)) < len(first), 1.0, _OTHERS)
    write_head(fit(every, counts), WEIGHTS, temperatures=temperatures)
    _tell(rows_in(sorted((DATA / "answers").glob("*.jsonl"))), reader)
    return 0


def rows_in(files: Iterable[Path]) -> list[Mapping[str, str]]:
    """The questions whose kind is one of answers: neither what has none nor how it is typed."""
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [row for row in rows if row["kind"] in ANSWER_KINDS]


def _tell(rows: Sequence[Mapping[str, str]], reader: QuestionReader) -> None:
    """How many questions what ships reads rightly."""
    asked, right = Counter[str](), Counter[str]()
    for row in rows:
        read = answer_kinds(features_of(row["q"]), reader.vector(vector_text(row["q"])))
        asked[row["kind"]] += 1
        right[row["kind"]] += max(ANSWER_KINDS, key=read.__getitem__) == row["kind"]
    for kind in ANSWER_KINDS:
        sys.stdout.write(f"{kind:12} {right[kind]} of {asked[kind]}\n")
    sys.stdout.write(f"{right.total() / asked.total():.3f} of all\n")


if __name__ == "__main__":
    sys.exit(main())
