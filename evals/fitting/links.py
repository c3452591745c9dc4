"""Fit the ranking of suggested links: ``python -m evals.fitting.links VAULT…``.

A fifth of the links of each vault is hidden, once with and once without their words, and the notes
that were linked are chosen among the candidates: a conditional logit in which each note counts the
same. Each vault is left out once; printed are its figures beside those of the cosine of note
vectors and of BM25. What ships was fitted on vaults and wikis whose licences allow it. Takes some
minutes a vault, since each is indexed twice.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.linker.ranking import WEIGHTS
from evals.fitting.regressions import choosing, logistic
from evals.links.measure import Sample, figures, samples
from evals.metrics.figures import table
from tools.links.signals import FEATURES, Matrix, features


def fit(found: Sequence[Sample]) -> Matrix:
    """Weights of ``FEATURES``."""
    asked = [(features(one.signals, one.paths), one.gold) for one in found]
    return choosing(asked, np.ones(len(FEATURES), np.bool_))


def main(vaults: Sequence[Path]) -> None:
    """Print the figures of each vault left out and write the weights of all."""
    found = {
        (vault.name, kept): own
        for vault in vaults
        for kept, own in asyncio.run(samples(vault)).items()
    }
    rows: dict[str, Sequence[float]] = {}
    for (name, kept), own in found.items():
        others = [one for (other, _), some in found.items() if other != name for one in some]
        weights = fit(others or own)
        ways = figures(
            own, lambda signals, paths, weights=weights: features(signals, paths) @ weights
        )
        words = "words kept" if kept else "words gone"
        rows |= {f"{name}, {words}: {way}": both for way, both in ways.items()}
    table("vault", ("hit@10", "MRR"), rows)
    every = [one for some in found.values() for one in some]
    weights = fit(every)
    told = np.concatenate([features(one.signals, one.paths) @ weights for one in every])
    truth = np.concatenate([one.gold for one in every])
    slope, bias = logistic(np.column_stack([told, np.ones_like(told)]), truth)
    kept = {
        "weights": {
            name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)
        },
        "slope": round(float(slope), 4),
        "bias": round(float(bias), 4),
    }
    WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
