"""Which notes belong together by their links: communities. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

type _Weights = Mapping[int, Mapping[int, float]]
"""For each node how strongly it is joined to others; its own links count in both directions."""

_MOST_ROUNDS = 20
"""Rounds of moves after which a level is taken as it is: later ones move few nodes."""


def communities(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each of ``count`` nodes the number of its community, 0 for the largest.

    ``pairs`` are the nodes joined by a link, whichever way it goes. Modularity is raised as by
    Louvain (Blondel et al. 2008), nodes in their order, so that equal input gives equal output.
    """
    weights = _joined(pairs)
    of = list(range(count))
    while True:
        moved = _moved(weights)
        if all(node == to for node, to in moved.items()):
            break
        of = [moved.get(node, node) for node in of]
        weights = _merged(weights, moved)
    ranked = [name for name, _ in sorted(Counter(of).items(), key=lambda one: (-one[1], one[0]))]
    number = {name: place for place, name in enumerate(ranked)}
    return [number[name] for name in of]


def _joined(pairs: Iterable[tuple[int, int]]) -> _Weights:
    weights = defaultdict[int, dict[int, float]](dict)
    for one, other in pairs:
        if one != other:
            weights[one][other] = weights[other][one] = 1.0
    return weights


def _moved(weights: _Weights) -> Mapping[int, int]:
    """Each node's community after moving nodes, one by one, to where modularity rises most."""
    degree = {node: sum(near.values()) for node, near in weights.items()}
    total = sum(degree.values())
    of, sums = {node: node for node in weights}, dict(degree)
    for _ in range(_MOST_ROUNDS):
        changed = False
        for node in sorted(weights):
            sums[of[node]] -= degree[node]
            near = _by_community(weights[node], of, node)
            gains = {to: near[to] - sums[to] * degree[node] / total for to in sorted(near)}
            best = max(gains, key=lambda to: gains[to])
            if gains[best] > gains[of[node]] + 1e-9:
                of[node], changed = best, True
            sums[of[node]] += degree[node]
        if not changed:
            break
    return of


def _by_community(near: Mapping[int, float], of: Mapping[int, int], node: int) -> dict[int, float]:
    """How strongly a node is joined to each community beside it, and to its own."""
    joined = {of[node]: 0.0}
    for other, weight in near.items():
        if other != node:
            joined[of[other]] = joined.get(of[other], 0.0) + weight
    return joined


def _merged(weights: _Weights, of: Mapping[int, int]) -> _Weights:
    """The graph whose nodes are the communities."""
    merged = defaultdict[int, dict[int, float]](dict)
    for node, near in weights.items():
        for other, weight in near.items():
            row = merged[of[node]]
            row[of[other]] = row.get(of[other], 0.0) + weight
    return merged
