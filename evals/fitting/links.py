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
from functools import partial
from pathlib import Path

import numpy as np

from agents.linker.ranking import WEIGHTS, Ranking, scores
from evals.fitting.regressions import choosing, logistic
from evals.links.measure import Sample, figures, samples
from evals.metrics.figures import table
from tools.links.signals import FEATURES, features


def fit(found: Sequence[Sample]) -> Ranking:
    """Weights of ``FEATURES``, and the odds that a score stands for."""
    asked = [(features(one.signals, one.paths), one.gold) for one in found]
    weights = choosing(asked, np.ones(len(FEATURES), np.bool_))
    told = np.concatenate([values @ weights for values, _ in asked])
    truth = np.concatenate([gold for _, gold in asked])
    slope, bias = logistic(np.column_stack([told, np.ones_like(told)]), truth)
    return Ranking(weights=weights, slope=float(slope), bias=float(bias))


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
        ways = figures(own, partial(scores, ranking=fit(others or own)))
        words = "words kept" if kept else "words gone"
        rows |= {f"{name}, {words}: {way}": both for way, both in ways.items()}
    table("vault", ("hit@10", "MRR"), rows)
    ranking = fit([one for some in found.values() for one in some])
    kept = {
        "weights": {
            name: round(float(weight), 4)
            for name, weight in zip(FEATURES, ranking.weights, strict=True)
        },
        "slope": round(ranking.slope, 4),
        "bias": round(ranking.bias, 4),
    }
    WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
