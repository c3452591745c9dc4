"""Mentions of notes: fit how sure one is, and measure it by vaults left out.

``python -m evals.fitting.mentions NAME=DIR …`` reads ``data/mentions.jsonl``: mentions judged by
hand, by the vault's name, each "found" (any that was) or "sure" (of those above the threshold).
Printed is, for each of the vaults by weights that never saw it, how many of both are above the
threshold and how many of these are right; then the weights from all, for
``tools/links/mention_score.py``. Only "found" ones are fitted to: the others were chosen.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import ClassVar, Literal

import numpy as np

from evals.answers.span_questions import Matrix
from evals.datasets.files import DATA
from evals.datasets.records import Record, read_lines
from evals.fitting.regressions import logistic, probability
from tools.base.domain import Note
from tools.base.errors import InputError
from tools.links.mention_score import FEATURES, THRESHOLD, Usage, mention_features
from tools.links.mentions import Mention, find_mentions, index_names
from tools.text.normalize import fold_name
from tools.vault.notes.links import resolver
from tools.vault.notes.notes import parse_note

_PENALTY = 10.0
"""Of the squared weights of scaled features."""
_MTIME = datetime(2020, 1, 1, tzinfo=UTC)

type Row = tuple[tuple[float, ...], bool, bool]
"""Features of a mention, whether it is right, and whether it is one of any that were found."""


class Label(Record):
    """A mention that somebody judged; no text of the vault is kept."""

    example: ClassVar[str] = (
        '{"vault": "v", "path": "a.md", "line": 3, "start": 0, "name": "B", "right": true, '
        '"sample": "found"}'
    )

    vault: str
    path: str
    line: int
    start: int
    name: str
    right: bool
    sample: Literal["found", "sure"]


@dataclass(frozen=True, slots=True)
class Model:
    weights: Matrix
    mean: Matrix
    scale: Matrix

    def probabilities(self, rows: Sequence[Row]) -> Matrix:
        return probability(_scaled(rows, self.mean, self.scale), self.weights)


def main(arguments: Sequence[str]) -> None:
    labels = read_lines(DATA / "mentions.jsonl", Label)
    folders = dict(one.split("=", 1) for one in arguments)
    rows = {name: [*judged(Path(folder), name, labels)] for name, folder in folders.items()}
    for name, own in rows.items():
        model = fitted([row for other, theirs in rows.items() if other != name for row in theirs])
        for sample in (True, False):
            some = [row for row in own if row[2] == sample]
            if some:
                sure = model.probabilities(some) >= THRESHOLD
                right = np.array([row[1] for row in some])
                print(  # noqa: T201
                    f"{name} {'found' if sample else 'sure'}: {len(some)} judged, {right.sum()} "
                    f"right; above the threshold {sure.sum()}, {(right & sure).sum()} right"
                )
    model = fitted([row for own in rows.values() for row in own])
    weights = model.weights[:-1] / model.scale
    bias = model.weights[-1] - float(weights @ model.mean)
    named = zip(FEATURES, weights, strict=True)
    print({name: round(float(weight), 3) for name, weight in named}, round(float(bias), 3))  # noqa: T201


def judged(folder: Path, name: str, labels: Sequence[Label]) -> Iterator[Row]:
    """The features of the labelled mentions that are found in a vault."""
    mine = {(one.path, one.line, one.start): one for one in labels if one.vault == name}
    for path, mention, usage in vault_mentions(read_vault(folder)):
        if label := mine.get((path, mention.line, mention.start)):
            yield mention_features(mention, usage), label.right, label.sample == "found"


def read_vault(folder: Path) -> list[Note]:
    notes: list[Note] = []
    for file in sorted(folder.rglob("*.md")):
        try:
            path = file.relative_to(folder).as_posix()
            notes.append(parse_note(path, file.read_bytes(), mtime=_MTIME))
        except InputError:
            continue
    return notes


def vault_mentions(notes: Sequence[Note]) -> Iterator[tuple[str, Mention, Usage]]:
    """Every mention in a vault of a note that its own does not link to, with its path."""
    index = index_names((name, note.path) for note in notes for name in _names(note))
    linked = _linked(notes)
    found = {note.path: find_mentions(note, index) for note in notes}
    linking = Counter(path for own in linked.values() for path in own)
    saying = Counter(key for own in found.values() for key in {(one.path, one.name) for one in own})
    for path, own in found.items():
        for one in own:
            if one.path not in linked[path]:
                count = linking[one.path]
                said = saying[one.path, one.name] + count
                yield path, one, Usage(notes=len(notes), saying=said, linking=count)


def _names(note: Note) -> tuple[str, ...]:
    return (note.title, PurePosixPath(note.path).stem, *note.aliases)


def _linked(notes: Sequence[Note]) -> Mapping[str, set[str]]:
    targets = [(fold_name(name), note.path) for note in notes for name in reversed(_names(note))]
    resolve = resolver([*targets, *((fold_name(note.path), note.path) for note in notes)])
    return {
        note.path: {path for link in note.links if (path := resolve(link.target))} - {note.path}
        for note in notes
    }


def fitted(rows: Sequence[Row]) -> Model:
    some = [row for row in rows if row[2]]
    features = np.array([row[0] for row in some])
    mean, scale = features.mean(0), features.std(0) + 1e-6
    truth = np.array([row[1] for row in some])
    weights = logistic(_scaled(some, mean, scale), truth, share=1.0 / _PENALTY)
    return Model(weights, mean, scale)


def _scaled(rows: Sequence[Row], mean: Matrix, scale: Matrix) -> Matrix:
    features = (np.array([row[0] for row in rows]) - mean) / scale
    return np.hstack([features, np.ones((len(rows), 1))])


if __name__ == "__main__":
    main(sys.argv[1:])
