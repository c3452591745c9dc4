"""Train the two heads of overviews: ``python -m evals.train_overviews [questions] [sides]``.

``questions``: which overview a question asks for (``agents/overview_kinds.py``), learned from
``data/overview_questions/train``, and that questions over the vaults below ``data/reader`` ask for
none, nor do those of ``data/intents/train`` for times, causes, comparisons or of several readings.
``sides``: whether a heading speaks for or against (``agents/sides.py``), learned from
``data/overview_sides/train``.
Each file is left out once: printed is how many of its texts are read rightly, and how many are
given a kind or a side that have none. The temperatures are set on these. Needs the group ``train``;
takes five minutes.
"""

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents import overview_kinds, sides
from agents.heads import vector_text
from agents.planning import GATHERING
from evals.head_fit import Labelled, fit, logits_of, temperature
from evals.question_batches import features_of
from evals.reader_weights import write_head
from tools.semantic.question import QuestionReader

DATA = Path(__file__).parent / "data"
_OF_VAULT = 6
"""Questions of each vault that ask for no overview."""
_GATHERED = ("explore", "list")
"""Kinds of those vaults' questions that may ask for an overview: nobody has labelled them so."""
_APART = 120
"""Questions of each file of intents that ask for times, causes or a comparison."""
_OTHERS = 0.3
"""What one of these and of those of several readings counts: there are many, most are easy."""

type Row = tuple[str, int]
type Rows = Mapping[str, Sequence[Row]]


def main(wanted: Sequence[str]) -> int:
    reader = QuestionReader()
    if not wanted or "questions" in wanted:
        rows = _rows(DATA / "overview_questions" / "train", "q", "kind", overview_kinds.LABELS)
        others = list(_elsewhere(overview_kinds.LABELS.index(None)))
        _train(rows, others, overview_kinds.WEIGHTS, reader)
        _test(reader)
    if not wanted or "sides" in wanted:
        rows = _rows(DATA / "overview_sides" / "train", "text", "side", sides.LABELS)
        _train(rows, (), sides.WEIGHTS, reader)
    return 0


def _rows(folder: Path, text: str, label: str, labels: Sequence[str | None]) -> Rows:
    """The texts of each file with the places of their labels; what is in none is labelled so."""
    found: dict[str, list[Row]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        none = labels.index(None)
        found[file.stem] = [
            (row[text], labels.index(row[label]) if row[label] in labels else none) for row in rows
        ]
    return found


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


def _train(files: Rows, others: Sequence[Row], weights: Path, reader: QuestionReader) -> None:
    """Fit a head whose last label is none; ``others`` are learned from and never left out."""
    rows = [*others, *(row for own in files.values() for row in own)]
    every = Labelled.read([text for text, _ in rows], [label for _, label in rows], reader)
    counts = np.where(np.arange(len(rows)) < len(others), _OTHERS, 1.0)
    unseen: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
    start = len(others)
    for name, own in files.items():
        held = slice(start, start := start + len(own))
        left = counts.copy()
        left[held] = 0.0  # what is left out counts nothing
        said = logits_of(fit(every, left), every.part(held))
        unseen.append(said)
        for how, logits in zip(("with the vector", "by words alone"), said, strict=True):
            _tell(f"{name:12} unseen, {how}", logits.argmax(1), every.labels[held])
    labels = every.labels[len(others) :]
    logits = [np.concatenate(own) for own in zip(*unseen, strict=True)]
    for how, own in zip(("with the vector", "by words alone"), logits, strict=True):
        _tell(f"{'all':12} unseen, {how}", own.argmax(1), labels)
    temperatures = [temperature(own, labels) for own in logits]
    write_head(fit(every, counts), weights, temperatures=temperatures)


def _tell(what: str, read: NDArray[np.int64], labels: NDArray[np.int64]) -> None:
    right, none = read == labels, labels == labels.max()
    sys.stdout.write(
        f"{what}: {right.mean():.3f} of {len(labels)}; "
        f"wrongly taken for some: {(~right[none]).sum()} of {none.sum()}\n"
    )
    sys.stdout.flush()


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
