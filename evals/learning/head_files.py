"""Train a head on files of labelled texts, each of which is left out once."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.learning.heads import Labelled, fit, logits_of, temperature
from evals.learning.weights import write_head
from tools.semantic.question import QuestionReader

type Row = tuple[str, int]
type Rows = Mapping[str, Sequence[Row]]
_NONE = frozenset({"none", "neither"})
"""What files call the label None."""


def read_rows(folder: Path, text: str, label: str, labels: Sequence[str | None]) -> Rows:
    """The texts of each file with the places of their labels.

    Raises ValueError for a label that is not one of ``labels``.
    """
    found: dict[str, list[Row]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        found[file.stem] = [
            (row[text], labels.index(None if row[label] in _NONE else row[label])) for row in rows
        ]
    return found


def train(
    files: Rows,
    weights: Path,
    reader: QuestionReader,
    *,
    others: Sequence[Row] = (),
    share: float = 1.0,
) -> None:
    """Fit a head whose last label is none; ``others`` are learned from and never left out.

    One of these counts a ``share`` of one of the files: there are many, most are easy.

    Printed is how many texts of each file are read rightly unseen; the temperatures are set on
    these.
    """
    rows = [*others, *(row for own in files.values() for row in own)]
    every = Labelled.read([text for text, _ in rows], [label for _, label in rows], reader)
    counts = np.where(np.arange(len(rows)) < len(others), share, 1.0)
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
