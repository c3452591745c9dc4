"""Fit what the judge makes of the reader of pairs and of the words: ``… fit_pairs FILE …``.

A logistic regression over ``FEATURES`` of ``agents/pair_scoring.py``, on pairs that the reader has
not learned from. Each file is left out once: printed is how well contradictions are told from all
else then, beside the words alone. What is fitted on all of them is written.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.judge import text_for_reader
from agents.pair_scoring import FEATURES, WEIGHTS, Shares, features
from agents.verdict import CONTRADICTS, verdict
from evals.cases import read_lines
from evals.claims import ClaimPair
from evals.figures import table
from evals.regressions import logistic
from evals.span_questions import Matrix, Which
from tools.semantic.pair_reader import PairReader


def read(pairs: Sequence[ClaimPair], reader: PairReader) -> tuple[Matrix, Which]:
    """The features of each pair, and which are contradictions."""
    claims = [pair.claims for pair in pairs]
    shares = reader.relations([(text_for_reader(a), text_for_reader(b)) for a, b in claims])
    rows = [
        features(verdict(a.text, b.text), Shares(*own.tolist()))
        for (a, b), own in zip(claims, shares, strict=True)
    ]
    return np.array(rows), np.array([pair.label == "contradiction" for pair in pairs])


def fitted(rows: Matrix, truth: Which) -> Matrix:
    """Weights of the features, and the bias last."""
    return logistic(np.column_stack([rows, np.ones(len(rows))]), truth)


def likely(rows: Matrix, weights: Matrix) -> Matrix:
    return 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))


def told(truth: Which, said: Which) -> tuple[float, float]:
    """Precision and recall."""
    hits = int((truth & said).sum())
    return hits / max(1, int(said.sum())), hits / max(1, int(truth.sum()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    files: Sequence[Path] = parser.parse_args().files
    reader = PairReader()
    given = {file.stem: read(read_lines(file, ClaimPair), reader) for file in files}
    shown: dict[str, tuple[float, ...]] = {}
    clash = FEATURES.index("words clash surely")
    for name, (rows, truth) in given.items():
        others = [own for other, own in given.items() if other != name]
        weights = fitted(*map(np.concatenate, zip(*others, strict=True)))
        words = told(truth, rows[:, clash] > 0)
        shown[name] = (*words, *told(truth, likely(rows, weights) > CONTRADICTS))
    table("left out", ("words P", "words R", "P", "R"), shown)
    weights = fitted(*map(np.concatenate, zip(*given.values(), strict=True)))
    kept = {"weights": dict(zip(FEATURES, weights.round(4).tolist(), strict=False))}
    kept |= {"bias": round(float(weights[-1]), 4)}
    WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
