"""How soon suggested links follow a person: ``python -m evals.fitting.link_feedback VAULT…``.

Links of each vault are hidden (``evals/links/hidden.py``) and suggested by weights of the other
vaults. A simulated person goes through the suggestions for half of the notes, accepts the hidden
links, rejects the others, and is learned from after each note; measured is the other half, before
and after. Printed are the means over several halves, and which strength of the prior the other
vaults would choose for each. Takes as long as ``evals.fitting.links``, and some minutes more.
"""

import asyncio
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.linker.personal import STRENGTH, personal_ranking
from agents.linker.ranking import Ranking
from evals.fitting.links import fit
from evals.links.measure import Sample, hits, samples
from evals.metrics.classification import Bin, calibration_error
from evals.metrics.figures import table
from tools.links.signals import Matrix, features, features_by_name
from tools.vault.storage.link_feedback import LinkDecision

COUNTS = (20, 100, 500)
"""Decisions after which is measured."""
STRENGTHS = (10.0, 30.0, 100.0, 300.0)
FIGURES = ("hit@10", "MRR", "log loss", "calibration error")
_RANKING = 2
"""The first of them say how well the links are ranked."""
_SHOWN = 10
_HALVES = 6
_EVERY = 3
"""Of the other vaults' notes one in so many gives the weights: more change little and take long."""
_BINS = 10
_UNDATED = datetime(2020, 1, 1, tzinfo=UTC)

type Learned = Mapping[int, Matrix]
"""``FIGURES`` after so many decisions; after 0 those of what ships."""
type Results = Mapping[tuple[str, bool], Mapping[float, Learned]]
"""Those of each vault, with and without the words of its links, by the strength of the prior."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """A note's candidates with the values of ``FEATURES`` (candidates × features)."""

    paths: list[str]
    values: Matrix
    gold: NDArray[np.bool_]
    sample: Sample

    def best_first(self, ranking: Ranking) -> list[int]:
        order = np.argsort(-(self.values @ ranking.weights), kind="stable")
        return [int(place) for place in order]


def learned(found: Sequence[Candidates], start: Ranking, *, strength: float) -> Learned:
    """Figures of the notes that nobody decided on, the mean over some halves of the notes."""
    figures: dict[int, list[Matrix]] = {count: [] for count in (0, *COUNTS)}
    for seed in range(_HALVES):
        order = random.Random(seed).sample(found, len(found))  # noqa: S311
        middle = len(order) // 2
        decisions = _decisions(order[:middle], start, strength=strength)
        for count, measured in figures.items():
            ranking = personal_ranking(decisions[:count], start, strength=strength)
            measured.append(_figures(order[middle:], ranking, shown_by=start))
    return {count: np.mean(measured, axis=0) for count, measured in figures.items()}


def _decisions(
    found: Iterable[Candidates], start: Ranking, *, strength: float
) -> list[LinkDecision]:
    """What the person decides on the best suggestions for each note, who is learned from."""
    made: list[LinkDecision] = []
    for one in found:
        if len(made) >= max(COUNTS):
            break
        ranking = personal_ranking(made, start, strength=strength)
        best = one.best_first(ranking)[:_SHOWN]
        made += [
            LinkDecision(
                at=_UNDATED,
                source="",
                target=one.paths[place],
                accepted=bool(one.gold[place]),
                probability=float(likely),
                features=features_by_name(one.values[place]),
            )
            for place, likely in zip(best, _promised(one, best, ranking), strict=True)
        ]
    return made


def _promised(one: Candidates, places: Sequence[int], ranking: Ranking) -> Matrix:
    odds = ranking.slope * one.values[places] @ ranking.weights + ranking.bias
    return 1.0 / (1.0 + np.exp(-odds))


def _figures(found: Sequence[Candidates], ranking: Ranking, *, shown_by: Ranking) -> Matrix:
    """``FIGURES``; the last two of the same suggestions, those that ``shown_by`` puts first."""
    ranked = [
        ([one.paths[at] for at in one.best_first(ranking)], one.sample.wanted) for one in found
    ]
    shown = [(one, one.best_first(shown_by)[:_SHOWN]) for one in found]
    likely = np.concatenate([_promised(one, best, ranking) for one, best in shown])
    truth = np.concatenate([one.gold[best] for one, best in shown])
    loss = -np.log(np.maximum(np.where(truth, likely, 1.0 - likely), 1e-9)).mean()
    return np.array([*hits(ranked), loss, calibration_error(_bins(likely, truth))])


def _bins(likely: Matrix, truth: NDArray[np.bool_]) -> list[Bin]:
    places = np.clip(np.ceil(likely * _BINS), 1, _BINS)
    return [
        Bin(
            lower=(place - 1) / _BINS,
            upper=place / _BINS,
            count=int((places == place).sum()),
            confidence=float(likely[places == place].mean()),
            accuracy=float(truth[places == place].mean()),
        )
        for place in np.unique(places).tolist()
    ]


def main(vaults: Sequence[Path]) -> None:
    """Print the figures before and after for each vault, and the strengths that would be chosen."""
    found = {
        (vault.name, kept): [
            Candidates(
                paths=[*one.paths],
                values=features(one.signals, one.paths),
                gold=one.gold,
                sample=one,
            )
            for one in own
        ]
        for vault in vaults
        for kept, own in asyncio.run(samples(vault)).items()
    }
    results: dict[tuple[str, bool], dict[float, Learned]] = {}
    rows: dict[str, Sequence[float]] = {}
    starts = {name: _weights_of_others(found, name) for name in {name for name, _ in found}}
    for (name, kept), own in found.items():
        start = starts[name]
        by_strength = {each: learned(own, start, strength=each) for each in STRENGTHS}
        results[name, kept] = by_strength
        words = "words kept" if kept else "words gone"
        for count, figures in by_strength[STRENGTH].items():
            rows[f"{name}, {words}, {count} decisions"] = figures.tolist()
    table("vault left out", FIGURES, rows)
    table("strength", [f"{one} after {n}" for n in COUNTS for one in FIGURES], _gains(results))
    for name in dict.fromkeys(name for name, _ in results):
        others = {at: some for at, some in results.items() if at[0] != name}
        sys.stdout.write(f"{name}: the other vaults would choose {_best(others):g}.\n")
    sys.stdout.write(f"All vaults would choose {_best(results):g}.\n")


def _weights_of_others(
    found: Mapping[tuple[str, bool], Sequence[Candidates]], name: str
) -> Ranking:
    others = [one.sample for at, some in found.items() if at[0] != name for one in some]
    return fit(others[::_EVERY])


def _best(results: Results) -> float:
    """The strength by which the ranking surely gains most: the mean less its standard error."""

    def gain(strength: float) -> float:
        changes = np.array(
            [
                (some[strength][n] - some[strength][0])[:_RANKING].mean()
                for some in results.values()
                for n in COUNTS
            ]
        )
        return float(changes.mean() - changes.std() / np.sqrt(len(changes)))

    return max(STRENGTHS, key=gain)


def _gains(results: Results) -> dict[str, Sequence[float]]:
    """For each strength the mean change of each figure, after so many decisions."""
    return {
        str(strength): np.concatenate(
            [
                np.mean([some[strength][n] - some[strength][0] for some in results.values()], 0)
                for n in COUNTS
            ]
        ).tolist()
        for strength in STRENGTHS
    }


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
