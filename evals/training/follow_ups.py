"""Train which questions lean on what was asked before: ``python -m evals.training.follow_ups``.

A head (``evals/learning/heads.py``) over a question's own words and vector: whether it cannot be
understood by itself. It learns from the pairs in ``data/follow_ups``, the turns of
``data/dialogues/train`` and questions over the vaults below ``data/reader``, which stand for
themselves; printed is how many turns of ``data/dialogues``, by other writers, it takes for leaning.
Needs the group ``train``; takes a minute.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from agents.interpreter.classifiers.head import vector_text
from agents.interpreter.conversation import LEANS, WEIGHTS, context_dependence
from evals.datasets.dialogues import Dialogue, part
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.learning.heads import Labelled, fit, logits_of, temperature
from evals.learning.question_batches import features_of
from evals.learning.weights import write_head
from tools.semantic.question import QuestionReader

_OF_VAULT = 20
"""Questions of each vault that stand for themselves."""
_HELD = 5
"""One of so many is left out where the temperatures are set."""

type Row = tuple[str, bool]


def main() -> int:
    reader, rng = QuestionReader(), random.Random(1)  # noqa: S311
    files = sorted((DATA / "dialogues" / "train").glob("*.jsonl"))
    rows = [*_pairs(), *_turns(files), *_alone(rng)]
    rng.shuffle(rows)
    every = Labelled.read([q for q, _ in rows], [int(leans) for _, leans in rows], reader)
    held = len(rows) // _HELD
    unseen = every.part(slice(held))
    head = fit(every.part(slice(held, None)), np.ones(len(rows) - held))
    temperatures = [temperature(said, unseen.labels) for said in logits_of(head, unseen)]
    write_head(fit(every, np.ones(len(rows))), WEIGHTS, temperatures=temperatures)
    for file in sorted((DATA / "dialogues").glob("*.jsonl")):
        said: defaultdict[str, list[bool]] = defaultdict(list)
        for one in read_lines(file, Dialogue):
            for at, turn in enumerate(one.turns):
                vector = reader.vector(vector_text(turn.q))
                said[part(turn, at)].append(
                    context_dependence(features_of(turn.q), vector) >= LEANS
                )
        shares = ", ".join(f"{name} {np.mean(own):.3f}" for name, own in sorted(said.items()))
        sys.stdout.write(f"{file.stem}: taken for leaning: {shares}\n")
    return 0


def _pairs() -> Iterator[Row]:
    for file in sorted((DATA / "follow_ups").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield row["q"], row["leans"]


def _turns(files: Iterable[Path]) -> Iterator[Row]:
    for file in files:
        for one in read_lines(file, Dialogue):
            for at, turn in enumerate(one.turns):
                yield turn.q, bool(at) and turn.leans


def _alone(rng: random.Random) -> Iterator[Row]:
    for file in sorted((DATA / "reader").glob("*/questions.jsonl")):
        for line in rng.sample(file.read_text("utf-8").splitlines(), _OF_VAULT):
            yield json.loads(line)["q"], False


if __name__ == "__main__":
    sys.exit(main())
