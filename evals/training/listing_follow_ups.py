"""Train how questions behind a listing lean on it: ``python -m evals.training.listing_follow_ups``.

The head of ``agents/interpreter/vault/follow_ups.py`` learns from the files of
``data/listing_follow_ups``, each of which is left out once; beside them that questions over the
vaults below ``data/reader`` and about vaults (``data/vault_questions/train``) stand alone. Printed
last is how
``data/vault_questions/follow_ups.jsonl`` is read, whose questions, by another writer, all go on.
Needs the group ``train``; takes two minutes.
"""

import json
import random
import sys
from collections.abc import Iterator

import numpy as np

from agents.interpreter.classifiers.head import vector_text
from agents.interpreter.vault.follow_ups import LABELS, WEIGHTS, follows_listing
from evals.datasets.files import DATA
from evals.learning.head_files import Row, read_rows, train
from evals.learning.question_batches import features_of
from tools.semantic.question import QuestionReader

_OF_FILE = 6
"""Questions of each vault, and five times as many of each writer, that stand alone."""
_SHARE = 0.3
"""What one of these counts: with more, fewer questions that go on are taken for such."""


def main() -> int:
    reader = QuestionReader()
    rows = read_rows(DATA / "listing_follow_ups", "q", "asks", LABELS)
    train(rows, WEIGHTS, reader, others=list(_alone()), share=_SHARE)
    test = (DATA / "vault_questions" / "follow_ups.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line)["q"] for line in test]
    read = [follows_listing(features_of(q), reader.vector(vector_text(q))) for q in asked]
    shares = [f"{how} {np.mean([one == how for one in read]):.3f}" for how in LABELS]
    sys.stdout.write(f"follow_ups.jsonl: {', '.join(shares)}\n")
    return 0


def _alone() -> Iterator[Row]:
    rng = random.Random(1)  # noqa: S311
    for pattern, most in (("reader/*/questions.jsonl", 1), ("vault_questions/train/*.jsonl", 5)):
        for file in sorted(DATA.glob(pattern)):
            lines = rng.sample(file.read_text("utf-8").splitlines(), most * _OF_FILE)
            yield from ((json.loads(line)["q"], LABELS.index("alone")) for line in lines)


if __name__ == "__main__":
    sys.exit(main())
