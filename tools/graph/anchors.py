"""One ranking of what several ways found, by rank: their scores are of different kinds. Pure."""

from collections.abc import Iterable, Mapping, Sequence

_SMOOTHING = 10
"""``k`` of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""
WEIGHTS: Mapping[str, float] = {"exact": 3.0, "entity": 2.0, "vector": 1.0, "text": 1.0}
"""What a name counts beside a search: who names a note means it."""


def fused[K: str](
    rankings: Iterable[tuple[K, Sequence[str]]], *, limit: int
) -> list[tuple[str, K, float]]:
    """The best items, each with the first way that found it and a score in [0, 1]."""
    given = list(rankings)
    most = sum(WEIGHTS[kind] for kind, _ in given) / (_SMOOTHING + 1)
    scores: dict[str, float] = {}
    kinds: dict[str, K] = {}
    for kind, items in given:
        for rank, item in enumerate(dict.fromkeys(items), 1):
            scores[item] = scores.get(item, 0.0) + WEIGHTS[kind] / (_SMOOTHING + rank)
            kinds.setdefault(item, kind)
    best = sorted(scores, key=lambda item: (-scores[item], item))[:limit]
    return [(item, kinds[item], scores[item] / most) for item in best]
