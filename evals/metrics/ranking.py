"""How good a ranking is, held against judgements: pure functions over ids of any kind.

Gains are graded relevance, 0 and less counting as none. ``ranked`` holds each id once, best first.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What holds when all that scores at least ``threshold`` is called positive."""

    threshold: float
    precision: float
    recall: float


def ndcg[T: Hashable](ranked: Sequence[T], gains: Mapping[T, float], *, depth: int = 10) -> float:
    """Discounted gain of the first ``depth`` over the best possible; 0 where nothing is relevant.

    Järvelin and Kekäläinen (2002), the gain itself linear.
    """
    kept = {one: gain for one, gain in gains.items() if gain > 0}
    best = sorted(kept.values(), reverse=True)[:depth]
    ideal = math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(best, start=1))
    got = math.fsum(
        kept.get(one, 0.0) / math.log2(place + 1)
        for place, one in enumerate(ranked[:depth], start=1)
    )
    return min(1.0, got / ideal) if ideal else 0.0


def recall[T: Hashable](ranked: Sequence[T], relevant: Set[T], *, depth: int) -> float:
    """Share of what is relevant among the first ``depth``; 0 where nothing is."""
    return len(relevant & set(ranked[:depth])) / len(relevant) if relevant else 0.0


def reciprocal_rank[T: Hashable](ranked: Sequence[T], relevant: Set[T]) -> float:
    """One over the place of the first that is relevant; 0 where none is found."""
    places = (place for place, one in enumerate(ranked, start=1) if one in relevant)
    return 1 / next(places, math.inf)


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Probability that a positive scores above a negative, an equal score counting half.

    The Mann-Whitney statistic over the number of pairs. Both must hold at least one score.
    """
    below = 0
    ordered = sorted([*((score, 1) for score in positives), *((score, 0) for score in negatives)])
    wins = 0.0
    at = 0
    while at < len(ordered):
        score = ordered[at][0]
        same = {0: 0, 1: 0}
        while at < len(ordered) and ordered[at][0] == score:
            same[ordered[at][1]] += 1
            at += 1
        wins += same[1] * (below + same[0] / 2)
        below += same[0]
    return wins / (len(positives) * len(negatives))


def precision_recall(scored: Iterable[tuple[float, bool]]) -> list[Cut]:
    """Precision and recall at every distinct score, the strictest first.

    Of each pair the second says whether it is truly positive; at least one must be.
    """
    ordered = sorted(scored, key=lambda one: -one[0])
    total = sum(truly for _, truly in ordered)
    cuts: list[Cut] = []
    hits = 0
    for called, (score, truly) in enumerate(ordered, start=1):
        hits += truly
        if called == len(ordered) or ordered[called][0] != score:
            cuts.append(Cut(threshold=score, precision=hits / called, recall=hits / total))
    return cuts


def average_precision(scored: Iterable[tuple[float, bool]]) -> float:
    """Mean of the precision at each cut, weighted by the recall it adds."""
    area = before = 0.0
    for cut in precision_recall(scored):
        area += cut.precision * (cut.recall - before)
        before = cut.recall
    return area


def mean(values: Iterable[float]) -> float:
    """The mean of at least one value."""
    kept = list(values)
    return math.fsum(kept) / len(kept)
