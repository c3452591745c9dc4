"""Train what asks for contradictions: ``python -m evals.training.contradiction_questions``.

A head (``evals/learning/heads.py``) over a question's own words and vector. It learns from the
questions in ``data/contradiction_questions``, which are on some subject or of all notes, and, as
such that ask for something else, from those over the vaults below ``data/reader``, for overviews,
about vaults themselves, and of all intents. Printed is how well it does on a fifth that is left
out, how many of those found it rightly takes for questions of all notes or of some, and how many
of the questions in ``data/answers``, by other writers, it takes for such. Needs the group
``train``.
"""

import json
import random
import sys
from collections.abc import Iterator

import numpy as np

from agents.interpreter.classifiers.contradiction_questions import (
    ASKS,
    WEIGHTS,
    classify_contradiction_question,
)
from agents.interpreter.classifiers.head import vector_text
from evals.datasets.files import DATA
from evals.learning.heads import Labelled, fit, logits_of, temperature
from evals.learning.question_batches import features_of
from evals.learning.weights import write_head
from tools.semantic.question import QuestionReader

_OF_VAULT, _OF_OTHERS = 20, 6000
"""Questions of each vault, and of others, that ask for something else."""
_HELD = 5
"""One of so many is left out first."""

type Row = tuple[str, int]
"""A question, and whether it asks for something else (0), on a subject (1) or of all notes (2)."""


def main() -> int:
    reader, rng = QuestionReader(), random.Random(1)  # noqa: S311
    rows = [*_written(), *_others(rng)]
    rng.shuffle(rows)
    every = Labelled.read([q for q, _ in rows], [asks for _, asks in rows], reader)
    held = len(rows) // _HELD
    unseen = every.part(slice(held))
    head = fit(every.part(slice(held, None)), np.ones(len(rows) - held))
    logits = logits_of(head, unseen)
    for how, said in zip(("with the vector", "by words alone"), logits, strict=True):
        taken, truth = said.argmax(1) > 0, unseen.labels > 0
        right, found = (taken & truth).sum(), truth.sum()
        alike = (said.argmax(1) == unseen.labels)[taken & truth].mean()
        told = f"precision {right / taken.sum():.3f}, recall {right / found:.3f} of {found}"
        told += f", of all or on a subject rightly {alike:.3f}"
        sys.stdout.write(f"left out, {how}: {told}\n")
    temperatures = [temperature(said, unseen.labels) for said in logits]
    write_head(fit(every, np.ones(len(rows))), WEIGHTS, temperatures=temperatures)
    asked = [
        json.loads(line)["q"]
        for file in sorted((DATA / "answers").glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    found = [
        classify_contradiction_question(features_of(q), reader.vector(vector_text(q)))
        for q in asked
    ]
    taken = [one.asks > ASKS for one in found]
    sys.stdout.write(f"answers: {sum(taken)} of {len(asked)} taken for such\n")
    return 0


def _written() -> Iterator[Row]:
    for file in sorted((DATA / "contradiction_questions").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield row["q"], row["clash"] + row.get("all", False)


def _others(rng: random.Random) -> Iterator[Row]:
    for file in sorted((DATA / "reader").glob("*/questions.jsonl")):
        for line in rng.sample(file.read_text("utf-8").splitlines(), _OF_VAULT):
            yield json.loads(line)["q"], 0
    lines = [
        line
        for name in ("intents", "overview_questions", "vault_questions")
        for file in sorted((DATA / name / "train").glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    for line in rng.sample(lines, _OF_OTHERS):
        row = json.loads(line)
        yield row.get("q") or row["query"], 0


if __name__ == "__main__":
    sys.exit(main())
