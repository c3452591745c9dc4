"""Train the two heads of overviews: ``python -m evals.training.overviews [questions] [sides]``.

``questions``: which overview a question asks for
(``agents/interpreter/classifiers/overview_kinds.py``), learned from
``data/overview_questions/train`` and ``data/overview_lines``, and that questions over the vaults
below ``data/reader`` ask for none, nor do those of ``data/intents/train`` for times, causes,
comparisons or of several readings. ``sides``: whether a heading speaks for or against
(``agents/answerer/sides.py``), learned from ``data/overview_sides/train``. Each file is left out
once: printed is how many of its texts are read rightly, and how many are given a kind or a side
that have none. The temperatures are set on these. Needs the group ``train``; takes five minutes.
"""

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence

from agents.answerer import sides
from agents.interpreter.classifiers import overview_kinds
from agents.interpreter.classifiers.head import vector_text
from agents.interpreter.plan import GATHERING
from evals.datasets.files import DATA
from evals.learning.head_files import Row, read_rows, train
from evals.learning.question_batches import features_of
from tools.semantic.question import QuestionReader

_OF_VAULT = 6
"""Questions of each vault that ask for no overview."""
_GATHERED = ("explore", "list")
"""Kinds of those vaults' questions that may ask for an overview: nobody has labelled them so."""
_APART = 120
"""Questions of each file of intents that ask for times, causes or a comparison."""
_OTHERS = 0.3
"""What one of these and of those of several readings counts."""


def main(wanted: Sequence[str]) -> int:
    reader = QuestionReader()
    if not wanted or "questions" in wanted:
        folders = DATA / "overview_questions" / "train", DATA / "overview_lines"
        found = [read_rows(one, "q", "kind", overview_kinds.LABELS) for one in folders]
        rows = {**found[0], **found[1]}
        others = list(_elsewhere(overview_kinds.LABELS.index(None)))
        train(rows, overview_kinds.WEIGHTS, reader, others=others, share=_OTHERS)
        _test(reader)
    if not wanted or "sides" in wanted:
        rows = read_rows(DATA / "overview_sides" / "train", "text", "side", sides.LABELS)
        train(rows, sides.WEIGHTS, reader)
    return 0


def _elsewhere(none: int) -> Iterator[Row]:
    rng = random.Random(1)  # noqa: S311
    for file in sorted((DATA / "reader").glob("*/questions.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        asked = [row["q"] for row in rows if row["kind"] not in _GATHERED]
        yield from ((q, none) for q in rng.sample(asked, _OF_VAULT))
    for file in sorted((DATA / "intents" / "train").glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        yield from ((row["query"], none) for row in rows if row.get("also"))
        apart = [row["query"] for row in rows if row["intent"] not in GATHERING]
        yield from ((q, none) for q in rng.sample(apart, min(_APART, len(apart))))


def _test(reader: QuestionReader) -> None:
    """How what ships reads the questions that are measured, which it never learns from."""
    asked: Sequence[Mapping[str, str]] = [
        json.loads(line) for line in (DATA / "overviews.jsonl").read_text("utf-8").splitlines()
    ]
    wrong: list[str] = []
    for row in asked:
        vector = reader.vector(vector_text(row["q"]))
        read, _ = overview_kinds.overview_kind(features_of(row["q"]), vector)
        if read != row["kind"]:
            wrong.append(f"  {row['q']}: {read}, not {row['kind']}\n")
    sys.stdout.write(f"overviews.jsonl: {len(asked) - len(wrong)} of {len(asked)}\n")
    sys.stdout.writelines(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
