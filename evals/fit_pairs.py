"""Fit what the judge makes of the reader of pairs and of the words: ``… fit_pairs FILE|VAULT …``.

A logistic regression over ``FEATURES`` of ``agents/pair_scoring.py``, on pairs that the reader has
not learned from: one for questions on files of pairs, one for scans on vaults in which pairs are
known, with the twenty likeliest neighbours a note. Each file and vault is left out once: from what
is made of it then comes the confidence from which on a clash is told of, the least at which
``PRECISION`` of those told of are one, and that from which on it is kept as less sure
(``SUSPECTED``). Printed is what both come to on each, beside the words alone; what is fitted on all
of them is written.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from agents.judge import readable, text_for_reader
from agents.pair_scoring import FEATURES, ON_ONE_TOPIC, WEIGHTS, Occasion, Shares, features, guarded
from agents.verdict import verdict
from evals.cases import read_lines
from evals.claim_vaults import pairs_of
from evals.claims import ClaimPair
from evals.figures import table
from evals.regressions import logistic
from evals.span_questions import Matrix, Which
from tools.domain import Claim
from tools.semantic.encoder import load_encoder
from tools.semantic.minilm import NAME
from tools.semantic.pair_reader import PairReader

PRECISION: Mapping[Occasion, float] = {"question": 0.95, "scan": 0.8}
SUSPECTED: Mapping[Occasion, float] = {"question": 0.95, "scan": 0.5}
_ALL = 1_000_000
_FEWEST = 10
"""Pairs told of, from which on their precision counts."""
_CLASH, _COMMON = FEATURES.index("words clash surely"), FEATURES.index("in common")

type Sample = tuple[Matrix, Which]
"""The features of some pairs, and which of them clash."""


def read(pairs: Sequence[tuple[Claim, Claim]], truth: Sequence[bool], reader: PairReader) -> Sample:
    """What is made of the pairs, but for those of which the reader is not believed anyway."""
    shares = reader.relations([(text_for_reader(a), text_for_reader(b)) for a, b in pairs])
    found = [verdict(a.text, b.text) for a, b in pairs]
    there = np.array(
        [
            readable(a, b) and not (one.apart or guarded(a.text) or guarded(b.text))
            for (a, b), one in zip(pairs, found, strict=True)
        ]
    )
    rows = [features(one, Shares(*own.tolist())) for one, own in zip(found, shares, strict=True)]
    return np.array(rows)[there], np.array(truth)[there]


def of_file(file: Path, reader: PairReader) -> Sample:
    pairs = read_lines(file, ClaimPair)
    return read(
        [one.claims for one in pairs], [one.label == "contradiction" for one in pairs], reader
    )


def of_vault(folder: Path, reader: PairReader) -> Sample:
    encoder, rng = load_encoder(NAME, ollama_url=""), random.Random(1)  # noqa: S311
    every = [*pairs_of(folder, encoder, neighbours=_ALL, rng=rng)]
    clash = [kind in ("contradiction", "change") for *_, kind in every]
    return read([(a, b) for a, b, _ in every], clash, reader)


def fitted(rows: Matrix, truth: Which) -> Matrix:
    """Weights of the features, and the bias last."""
    return logistic(np.column_stack([rows, np.ones(len(rows))]), truth)


def likely(rows: Matrix, weights: Matrix) -> Matrix:
    return 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))


def least(confidence: Matrix, truth: Which, *, precision: float) -> float:
    """The least confidence from which on so many are right; 1 where there is none."""
    order = np.argsort(-confidence)
    right = np.cumsum(truth[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero((right >= precision) & (np.arange(len(order)) + 1 >= _FEWEST))
    return float(confidence[order[enough[-1]]]) if len(enough) else 1.0


def told(truth: Which, said: Which) -> tuple[float, float]:
    """Precision and recall."""
    hits = int((truth & said).sum())
    return hits / max(1, int(said.sum())), hits / max(1, int(truth.sum()))


def fit(given: Mapping[str, Sample], occasion: Occasion) -> Mapping[str, object]:
    """Print how well each is told when it is left out; return what all of them come to."""
    unseen: dict[str, Matrix] = {}
    for name, (rows, _) in given.items():
        others = [own for other, own in given.items() if other != name]
        unseen[name] = likely(rows, fitted(*map(np.concatenate, zip(*others, strict=True))))
    every = [np.concatenate(part) for part in zip(*given.values(), strict=True)]
    if occasion == "question":  # of those on other topics none is told of
        for name, (rows, _) in given.items():
            unseen[name] *= rows[:, _COMMON] >= ON_ONE_TOPIC
    likelihoods = np.concatenate([*unseen.values()])
    bound, suspected = (
        least(likelihoods, every[1], precision=precision[occasion])
        for precision in (PRECISION, SUSPECTED)
    )
    shown = {
        name: (
            *told(truth, rows[:, _CLASH] > 0),
            *told(truth, unseen[name] >= bound),
            int((unseen[name] >= bound).sum()),
            *told(truth, unseen[name] >= suspected),
        )
        for name, (rows, truth) in given.items()
    }
    columns = ("words P", "words R", "P", "R", "told of", "suspected P", "R")
    table(f"left out ({occasion})", columns, shown)
    weights = fitted(*every)
    return {
        "weights": dict(zip(FEATURES, weights.round(4).tolist(), strict=False)),
        "bias": round(float(weights[-1]), 4),
        "told": round(bound, 3),
        "suspected": round(suspected, 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("given", nargs="+", type=Path)
    given: Sequence[Path] = parser.parse_args().given
    reader = PairReader()
    files = {one.stem: of_file(one, reader) for one in given if one.is_file()}
    vaults = {one.name: of_vault(one, reader) for one in given if one.is_dir()}
    kept = {"question": fit(files, "question"), "scan": fit(vaults, "scan")}
    WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
