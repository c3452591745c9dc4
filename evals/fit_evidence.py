"""Fit the weights by which evidence is ranked: ``python -m evals.fit_evidence VAULTS``.

VAULTS is the folder with the real vaults; the written ones are in the repository. Four parts:
``prior`` chooses what is read, ``together`` which of that the reader looks at alone, ``alone``
ranks these by all that it says, each as a softmax over the spans of a question; ``answerable`` is
a logistic regression on what the best ones tell. Each vault is left out once, its figures printed
with the weights of the others; then all are fitted and written to where they ship. Those below
``data/weighed`` are fitted on, too (``together`` on them alone): the reader has seen neither these
nor the vaults that are left out.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from evals.span_questions import (
    Matrix,
    Question,
    Which,
    look_again,
    questions,
    read_windows,
)
from tools.evidence_features import FEATURES
from tools.evidence_ranking import (
    ALONE_BY,
    ANSWERABLE_BY,
    TOGETHER_BY,
    WEIGHTS,
    Scored,
    apart,
    list_of,
    told_by,
)
from tools.semantic.text_model import cores

DATA = Path(__file__).parent / "data"
_PENALTY = 10.0
"""Of the squared weights, over all questions: chosen by leaving vaults out."""
_STEPS = 400
_SAMPLE = 64
"""Spans of a question, beside its evidence, that ``prior`` is fitted on."""
_DENIED = 0.04
"""Share of the answerable questions that may be told that the notes do not have it. Of the vaults
left out, whose questions are harder than most, it is about a twentieth."""


type Sample = tuple[Matrix, Which]
"""Features of some spans of a question, and which of them are evidence."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", type=Path)
    parser.add_argument("--ablate", action="store_true", help="leave out one feature after another")
    options = parser.parse_args()
    own = {
        file.stem: (_vault(file.stem, options.vaults), file)
        for file in sorted((DATA / "answers").glob("*.jsonl"))
    }
    weighed = {
        file.parent.name: (file.parent / "notes", file)
        for file in sorted((DATA / "weighed").glob("*/questions.jsonl"))
    }
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        found = pool.map(_found, (own | weighed).values())
        data = dict(zip(own | weighed, found, strict=True))
    samples = {name: [_sampled(one) for one in asked] for name, asked in data.items()}
    tested = {name: data[name] for name in own}
    beside = [one for name in weighed for one in data[name]]

    def prior(without: str = "") -> Matrix:
        # What is read of a vault is chosen as the others alone would have it.
        others = [given for name, given in samples.items() if name != without]
        return fit([one for given in others for one in given], _all(FEATURES))

    for name, given in tested.items():
        read_windows(given, prior(without=name))
    chosen = prior()
    read_windows(beside, chosen)
    together = fit([(one.rows_together, one.gold[one.read]) for one in beside], _all(TOGETHER_BY))
    for given in (*tested.values(), beside):
        look_again(given, together)
    for name, figure in left_out(tested, beside, _all(ALONE_BY)).items():
        sys.stdout.write(f"{name:16} {_in_line(figure)}\n")
    if options.ablate:
        for feature in ALONE_BY:
            used = np.array([one != feature for one in ALONE_BY])
            figure = left_out(tested, beside, used)["mean"]
            sys.stdout.write(f"without {feature:20} {_in_line(figure)}\n")
        return 0
    everything = [*beside, *(one for given in tested.values() for one in given)]
    alone, answerable, bound = _fitted(everything, _all(ALONE_BY))
    weights = {
        "prior": _named(FEATURES, chosen),
        "together": _named(TOGETHER_BY, together),
        "alone": _named(ALONE_BY, alone),
        "answerable": _named(ANSWERABLE_BY, answerable),
        "absent_below": round(bound, 3),
    }
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    return 0


def _found(place: tuple[Path, Path]) -> list[Question]:
    return asyncio.run(questions(*place))


def left_out(
    tested: Mapping[str, Sequence[Question]], beside: Sequence[Question], used: Which
) -> dict[str, Mapping[str, float]]:
    """The figures of each vault with the weights of the others, and their mean over the vaults.

    The questions ``beside`` are fitted on whichever is left out.
    """
    found: dict[str, Mapping[str, float]] = {}
    for name, given in tested.items():
        others = [one for other, own in tested.items() if other != name for one in own]
        found[name] = figures(given, *_fitted([*beside, *others], used))
    names = next(iter(found.values()))
    mean = {one: float(np.mean([own[one] for own in found.values()])) for one in names}
    return {**found, "mean": mean}


def _all(names: Sequence[str]) -> Which:
    return np.ones(len(names), bool)


def _vault(name: str, vaults: Path) -> Path:
    own = {"example": DATA.parent.parent / "examples" / "vault"}
    places = (own.get(name), DATA / "vaults" / name, vaults / name)
    return next(place for place in places if place is not None and place.is_dir())


def _named(names: Sequence[str], weights: Matrix) -> dict[str, float]:
    return {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}


def _in_line(found: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in found.items())


def _sampled(one: Question) -> Sample:
    """A question's evidence and some of its other spans."""
    drawn = np.random.default_rng(len(one.found)).permutation(len(one.found))[:_SAMPLE]
    rows = np.union1d(drawn, np.flatnonzero(one.gold)).astype(int)
    return one.features[rows], one.gold[rows]


def _fitted(asked: Sequence[Question], used: Which) -> tuple[Matrix, Matrix, float]:
    """The weights of ``alone`` and ``answerable``, and the probability below which it is denied."""
    alone = fit([(one.rows_alone, one.gold[one.twice]) for one in asked], used)
    told = np.array([_told(one, one.ranked(alone)) for one in asked])
    truth = np.array([one.case.answerable for one in asked])
    weights = _logistic(told, truth)
    bound = float(np.quantile(_probability(told, weights)[truth], _DENIED))
    return alone, weights, bound


def _told(one: Question, ranked: Sequence[Scored]) -> tuple[float, ...]:
    if not ranked:
        return (1.0, *[0.0] * (len(ANSWERABLE_BY) - 1))
    return told_by(one.sought.of(ranked[0].candidate.note), ranked)


def _probability(told: Matrix, weights: Matrix) -> Matrix:
    return 1.0 / (1.0 + np.exp(-(told @ weights)))


def _logistic(told: Matrix, truth: Which) -> Matrix:
    """Maximum likelihood with both outcomes weighed alike, by Newton's method."""
    weights = np.zeros(told.shape[1])
    share = np.where(truth, 0.5 / truth.mean(), 0.5 / (1.0 - truth.mean()))
    for _ in range(30):
        likely = _probability(told, weights)
        slope = told.T @ (share * (likely - truth)) + weights
        curve = (told * (share * likely * (1 - likely))[:, None]).T @ told
        weights -= np.linalg.solve(curve + np.eye(len(weights)), slope)
    return weights


def fit(asked: Sequence[Sample], used: Which) -> Matrix:
    """Weights of the features as they are, by gradient descent (Adam) on scaled ones."""
    given = [(features, gold) for features, gold in asked if gold.any()]
    features = np.concatenate([own for own, _ in given])
    gold = np.concatenate([own for _, own in given])
    starts = np.cumsum([0, *(len(own) for _, own in given[:-1])])
    of = np.repeat(np.arange(len(given)), [len(own) for _, own in given])
    scale = features.std(0) + 1e-6
    scaled = features / scale * used

    def shares(likely: Matrix) -> Matrix:
        return likely / np.add.reduceat(likely, starts)[of]

    weights = np.zeros(len(scale))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = scaled @ weights
        likely = shares(np.exp(scores - np.maximum.reduceat(scores, starts)[of]))
        slope = (scaled.T @ (likely - shares(likely * gold)) + _PENALTY * weights) / len(given)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights / scale * used


def figures(
    asked: Sequence[Question], alone: Matrix, answerable: Matrix, bound: float
) -> Mapping[str, float]:
    """How often the best span, one of the three shown and the best one's note are right.

    The best span is the whole list where that is shown for it; what shares lines with a better one
    is not shown. Where the notes are said not to have it, no line is right.

    ``read`` is how often evidence is among what is read; ``no`` how often an unanswerable question
    is told so, ``false_no`` how often another one.
    """
    hits: list[tuple[bool, ...]] = []
    denied: dict[bool, list[bool]] = {True: [], False: []}
    for one in asked:
        ranked = one.ranked(alone)
        sure = _probability(np.array([_told(one, ranked)]), answerable)[0]
        told_no = bool(sure < bound)
        denied[one.case.answerable].append(told_no)
        if not one.case.answerable:
            continue
        order = [own.candidate for own in ranked]
        taken = [own.candidate for own in ranked if (own.logit or 0.0) > 0.0]
        whole = list_of(one.sought.asked, order[0], taken, one.found) if order else None
        gold = {id(span) for span, right in zip(one.found, one.gold, strict=True) if right}
        quoted = [] if told_no else apart([whole, *order] if whole else order)
        shown = [id(span) in gold for span in quoted]
        notes = {place.path for place in one.case.gold}
        first = len(order) > 0 and order[0].note.path in notes
        read = not gold.isdisjoint(map(id, order))
        hits.append((any(shown[:1]), any(shown), first, read))
    shares = np.mean(hits, axis=0).tolist() if hits else [0.0] * 4
    nos = [float(np.mean(denied[kind])) if denied[kind] else 0.0 for kind in (False, True)]
    names = ("first", "top3", "note1", "read", "no", "false_no")
    return dict(zip(names, (*shares, *nos), strict=True))


if __name__ == "__main__":
    sys.exit(main())
