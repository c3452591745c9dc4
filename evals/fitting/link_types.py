"""Fit the types of suggested links: ``python -m evals.fitting.link_types NAME=DIR …``.

Pairs of notes, each with the type of its link, by writers who saw no program, and pairs of real
notes, most of them of none (``real_link_pairs.py``); ``NAME=DIR`` says where a vault lies that is
no part of this repository. Each writer and each vault is left out once. Printed is how often the
likeliest type of the writers' pairs is right if one of the seven has to be, and how often where
its probability, calibrated on the other writers, is at least ``SURE``; then how often a type is
shown and right if a pair may be of none. The weights of all are written where no vault is missing.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.linker.relation import (
    OUTCOMES,
    RELATIONS,
    SHOWN,
    WEIGHTS,
    Matrix,
    RelationWeights,
    logits,
    scaled,
    shares,
)
from evals.fitting.real_link_pairs import LABELS, OWN_VAULTS, RealPairs, read_real_pairs
from evals.fitting.regressions import softmax
from evals.metrics.figures import table
from tools.links.excerpt_features import Excerpt, pair_features
from tools.semantic.encoder import E5Encoder, Encoder, MiniLmEncoder
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note

PAIRS = Path(__file__).parents[1] / "data" / "link_types"
SURE = 0.6
_PENALTY = 300.0
"""Of the squared weights, chosen by leaving writers out."""
_NONE = 4.0
"""What the pairs of no type count together, against those of one type."""
_TURNED = {
    "contradicts": "contradicts",
    "analogous_to": "analogous_to",
    "generalizes": "specializes",
    "specializes": "generalizes",
}
"""What a pair is in the other order, where that is one of the types."""
type Types = NDArray[np.int64]

_TEMPERATURES = np.geomspace(0.2, 5.0, 65)


class Written(NamedTuple):
    """The pairs of one writer: features of each, and its type's place in ``RELATIONS``.

    ``crossed`` are pairs of none: the first note of each with the nearest second one of another.
    """

    features: Matrix
    types: Types
    turned: Matrix
    crossed: Matrix


def read(file: Path, encoder: Encoder) -> Written:
    """The pairs of a writer, encoded as notes are indexed."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    pairs = list(
        zip(*(_excerpts([row[side] for row in rows], encoder) for side in "ab"), strict=True)
    )
    return Written(
        pair_features(pairs),
        np.array([RELATIONS.index(row["type"]) for row in rows], np.int64),
        pair_features([(b, a) for a, b in pairs]),
        pair_features(_crossed(pairs)),
    )


def _crossed(pairs: Sequence[tuple[Excerpt, Excerpt]]) -> list[tuple[Excerpt, Excerpt]]:
    firsts, seconds = zip(*pairs, strict=True)
    cosines = np.array([one.vector for one in firsts]) @ np.array([one.vector for one in seconds]).T
    np.fill_diagonal(cosines, -1.0)
    return [(one, seconds[int(at)]) for one, at in zip(firsts, cosines.argmax(1), strict=True)]


def _excerpts(notes: Sequence[Mapping[str, str]], encoder: Encoder) -> list[Excerpt]:
    undated = datetime(1970, 1, 1, tzinfo=UTC)
    chunks = [
        chunk_note(
            parse_note(
                f"{note['title'].replace('/', '-')}.md", note["text"].encode(), mtime=undated
            )
        )[0]
        for note in notes
    ]
    vectors = encoder.encode([chunk.embedding_text for chunk in chunks]).astype(np.float64)
    return [
        Excerpt(title=note["title"], text=chunk.text, vector=vector)
        for note, chunk, vector in zip(notes, chunks, vectors, strict=True)
    ]


def fit(
    writers: Sequence[Written], real: Sequence[RealPairs] = (), *, dimensions: int
) -> RelationWeights:
    """The regression over written pairs in both orders, and over real and crossed ones of none.

    Each type counts the same, and features are scaled as those of written pairs. Real pairs of a
    type are too few to learn from; without real pairs no pair is of none.
    """
    rows, types = [one.features for one in writers], [one.types for one in writers]
    for one in writers:
        other = np.array([_turned(int(place)) for place in one.types])
        rows.append(one.turned[other >= 0])
        types.append(other[other >= 0])
    written = np.concatenate(rows)
    mean, deviation = written.mean(0), written.std(0) + 1e-9
    none = OUTCOMES.index("none")
    untyped = [one.features[one.types == none] for one in real]
    untyped += [one.crossed for one in writers if real]
    features = np.concatenate([written, *untyped])
    truth = np.concatenate([*types, np.full(sum(map(len, untyped)), none)])
    counts = np.bincount(truth, minlength=len(OUTCOMES))
    wanted = np.array([*[1.0] * len(RELATIONS), _NONE]) * counts[: len(RELATIONS)].max()
    values = scaled(features, mean, deviation, dimensions=dimensions)
    share = wanted[truth] / counts[truth]
    weights, bias = softmax(values, truth, share=share, penalty=_PENALTY)
    return RelationWeights(mean, deviation, weights, bias)


def _turned(place: int) -> int:
    other = _TURNED.get(RELATIONS[place])
    return -1 if other is None else RELATIONS.index(other)


def temperature(scores: Matrix, types: Types) -> float:
    """What scores are divided by, so that the types are likeliest."""

    def lost(value: float) -> float:
        return -float(np.log(shares(scores, value)[np.arange(len(types)), types]).mean())

    return float(min(_TEMPERATURES, key=lost))


def left_out(writers: Mapping[str, Written], *, dimensions: int) -> dict[str, Matrix]:
    """The scores of each writer's pairs by the others' weights."""
    return {
        name: logits(
            own.features,
            fit([one for other, one in writers.items() if other != name], dimensions=dimensions),
            dimensions=dimensions,
        )
        for name, own in writers.items()
    }


def report(title: str, writers: Mapping[str, Written], scores: Mapping[str, Matrix]) -> None:
    """Print how often each writer's types are right, and their mean."""
    rows: dict[str, Sequence[float]] = {}
    for name, own in writers.items():
        others = [other for other in writers if other != name]
        heat = temperature(
            np.concatenate([scores[other] for other in others]),
            np.concatenate([writers[other].types for other in others]),
        )
        found = shares(scores[name], heat)
        right, sure = found.argmax(1) == own.types, found.max(1) >= SURE
        rows[name] = right.mean(), right[sure].mean(), sure.mean()
    rows["mean"] = np.mean([*rows.values()], axis=0).tolist()
    table(title, ("right", f"right, {SURE} and surer", "so many are"), rows)


def report_shown(
    title: str, pairs: Mapping[str, Written | RealPairs], scores: Mapping[str, Matrix]
) -> None:
    """Print of how many pairs a type is shown, at several bounds, and of how many it is right."""
    rows: dict[str, Sequence[float]] = {}
    for bound in sorted({0.4, 0.5, 0.6, 0.7, SHOWN}):
        shown = right = 0
        for name, own in pairs.items():
            asked = own.asked if isinstance(own, RealPairs) else np.ones(len(own.types), np.bool_)
            found = shares(scores[name][asked])[:, : len(RELATIONS)]
            sure = found.max(1) >= bound
            shown += int(sure.sum())
            right += int((sure & (found.argmax(1) == own.types[asked])).sum())
        rows[f"{bound}"] = shown, right
    table(title, ("shown", "right"), rows)


def report_likeliest(
    title: str, writers: Mapping[str, Written], scores: Mapping[str, Matrix]
) -> None:
    """Print how often the likeliest of the seven types is right where a pair may be of none."""
    rows = {
        name: [float((scores[name][:, : len(RELATIONS)].argmax(1) == own.types).mean())]
        for name, own in writers.items()
    }
    table(title, ("right",), {**rows, "mean": np.mean([*rows.values()], axis=0).tolist()})


def with_none(
    writers: Mapping[str, Written], real: Mapping[str, RealPairs], *, dimensions: int
) -> dict[str, Matrix]:
    """The scores of each writer's and each vault's pairs, by the weights of all the others."""
    every = {**writers, **real}
    return {
        left: logits(
            own.features,
            fit(
                [one for name, one in writers.items() if name != left],
                [one for name, one in real.items() if name != left],
                dimensions=dimensions,
            ),
            dimensions=dimensions,
        )
        for left, own in every.items()
    }


def main(arguments: Sequence[str]) -> None:
    """Print the figures with each writer and each vault left out; write the weights of all."""
    vaults = {
        **OWN_VAULTS,
        **{name: Path(at) for name, at in (one.split("=", 1) for one in arguments)},
    }
    missing = {file.stem for file in LABELS.glob("*.jsonl")} - vaults.keys()
    kept: dict[str, NDArray[np.floating]] = {}
    for encoder in (MiniLmEncoder(), E5Encoder()):
        size = encoder.dimensions
        writers = {file.stem: read(file, encoder) for file in sorted(PAIRS.glob("*.jsonl"))}
        real = {name: read_real_pairs(name, at, encoder) for name, at in sorted(vaults.items())}
        report(encoder.name, writers, left_out(writers, dimensions=size))
        scores = with_none(writers, real, dimensions=size)
        report_likeliest(f"{encoder.name}, or none", writers, scores)
        report_shown(f"{encoder.name}, pairs of writers left out, or none", writers, scores)
        report_shown(f"{encoder.name}, pairs of vaults left out", real, scores)
        fitted = fit([*writers.values()], [*real.values()], dimensions=size)
        for part, values in fitted._asdict().items():
            kept[f"{encoder.name}/{part}"] = values.astype(
                np.float16 if part == "weights" else np.float32
            )
    if missing:
        print(f"No weights are written without the vaults {', '.join(sorted(missing))}.")  # noqa: T201
        return
    np.savez_compressed(WEIGHTS, allow_pickle=False, **kept)


if __name__ == "__main__":
    main(sys.argv[1:])
