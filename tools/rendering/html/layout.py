"""Where the nodes of a graph stand: springs along edges, repulsion between nodes. Pure."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

type Points = NDArray[np.float64]
type Spots = list[tuple[float, float]]

_GOLDEN_ANGLE = 2.399963229728653
_GRAVITY = 0.5
_LEAST_WIDTH = 60.0
"""How wide rows of parts are at least that no edges join."""
_ASPECT = 1.7
"""Width over height of what is wanted."""
_APART, _WIDEST_STEP = 0.4, 0.08
"""How high the rows of nodes without an edge are at most, and how far each is from the next."""
_NEAREST = 0.01
"""Points that are nearer repel each other as from here."""
_BLOCK = 16
"""Points whose distances to all others are looked at together: they fit a processor's cache."""


def positions(hops: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Spots:
    """A place for each node, neighbours near each other; x spans about -1.7 to 1.7, y -1 to 1.

    ``hops`` from the middle, one per node, ``pairs`` the nodes joined by an edge; equal input gives
    equal places. Forces as in ForceAtlas2 (Jacomy et al. 2014), so that hubs keep apart.
    """
    count = len(hops)
    if count < 2:
        return [(0.0, 0.0)] * count
    ring = np.maximum(np.asarray(hops, dtype=float), 0.0) + 0.3
    start = ring[:, None] * _spiral(count) * np.sqrt(count)
    points = _settled(start, pairs, size=np.ones(count), middle=np.where(ring < 1.0, 6.0, 1.0))
    return [(float(x), float(y)) for x, y in _filling(points)]


def grouped_positions(groups: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Spots:
    """The same for nodes without a middle; those that no edges lead to from the most stand below.

    ``groups`` has the number of each node's group, from 0. The nodes start where their groups would
    stand as one node each, so that thousands find their places in few rounds.
    """
    count = len(groups)
    if count < 2:
        return [(0.0, 0.0)] * count
    points = np.empty((count, 2))
    parts = _components(count, pairs)
    number = {node: at for part in parts for at, node in enumerate(part)}
    within: list[list[tuple[int, int]]] = [[] for _ in parts]
    part_of = {node: place for place, part in enumerate(parts) for node in part}
    for one, other in pairs:
        within[part_of[one]].append((number[one], number[other]))
    for part, own in zip(parts, within, strict=True):
        points[part] = _part_settled([groups[node] for node in part], own)
    for part, shift in zip(parts, _shelves([points[part] for part in parts]), strict=True):
        points[part] += shift
    return [(float(x), float(y)) for x, y in _filling(points)]


def apart(count: int) -> Spots:
    """Places in rows below those of ``grouped_positions``, for nodes that nothing is joined to."""
    width = 2 * _ASPECT
    step = min(math.sqrt(width * _APART / max(count, 1)), _WIDEST_STEP)
    across = int(width / step)
    return [
        ((at % across + 0.5) * step - _ASPECT, -1.0 - _WIDEST_STEP - step * (at // across))
        for at in range(count)
    ]


def _part_settled(groups: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Points:
    """The places of nodes that edges join all together."""
    own = np.unique(np.asarray(groups), return_inverse=True)[1]
    sizes = np.bincount(own)
    between = sorted({(int(own[one]), int(own[other])) for one, other in pairs})
    ring = np.sqrt(np.arange(len(sizes)) + 1.0)
    centre = _settled(_spiral(len(sizes)) * ring[:, None], between, size=sizes.astype(float))
    within = np.zeros(len(groups))
    for number, size in enumerate(sizes):
        within[own == number] = np.sqrt(np.arange(size) + 0.5)
    start = centre[own] + within[:, None] * _spiral(len(groups))
    return _settled(start, pairs, size=np.ones(len(groups)))


def _components(count: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The nodes that edges join together, the most first."""
    near: list[set[int]] = [set() for _ in range(count)]
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)
    parts: list[list[int]] = []
    seen: set[int] = set()
    for start in range(count):
        part: list[int] = []
        level = {start} - seen
        while level:
            seen |= level
            part += sorted(level)
            level = set[int]().union(*(near[node] for node in level)) - seen
        if part:
            parts.append(part)
    return sorted(parts, key=len, reverse=True)


def _shelves(parts: Sequence[Points]) -> list[Points]:
    """How each part is moved to stand in rows, left to right, as wide as the first of them."""
    width = max(float(np.ptp(parts[0][:, 0])), _LEAST_WIDTH)
    gap = width / 30
    shifts: list[Points] = []
    x = y = tall = 0.0
    for part in parts:
        low, high = part.min(axis=0), part.max(axis=0)
        size = high - low
        if x and x + size[0] > width:
            x, y, tall = 0.0, y - tall - gap, 0.0
        shifts.append(np.array([x - low[0], y - high[1]]))
        x, tall = x + size[0] + gap, max(tall, float(size[1]))
    return shifts


def _spiral(count: int) -> Points:
    angle = np.arange(count) * _GOLDEN_ANGLE
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _settled(
    points: Points,
    pairs: Sequence[tuple[int, int]],
    *,
    size: Points,
    middle: Points | float = 1.0,
) -> Points:
    """The points after rounds of forces, each of which moves them less far than the one before.

    ``size`` is how many nodes each stands for, ``middle`` how strongly it is pulled there.
    """
    count = len(points)
    ends = np.array(sorted({(min(pair), max(pair)) for pair in pairs}), dtype=int).reshape(-1, 2)
    ends = ends[ends[:, 0] != ends[:, 1]]
    weight = np.bincount(ends.ravel(), minlength=count) + size
    pull = _GRAVITY * (weight * middle)[:, None] * np.array([1.0 / _ASPECT, _ASPECT])
    rounds = min(max(60_000 // count, 60), 400, 60 + 10 * count)
    for turn in range(rounds):
        heat = math.sqrt(count) ** (1 - turn / rounds) * 0.01 ** (turn / rounds)
        far = np.maximum(np.hypot(points[:, 0], points[:, 1]), 1.0)[:, None]
        move = _repulsion(points, weight) + _attraction(points, ends) - pull * points / far
        length = np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-9)
        points = points + move * np.minimum(1.0 / weight, heat / length)[:, None]
    return points


def _repulsion(points: Points, weight: Points) -> Points:
    """The force on each point away from all others: of both weights, over their distance."""
    force = np.empty_like(points)
    x, y = points.T.astype(np.float32)  # twice as fast, and forces need no more digits
    weights = weight.astype(np.float32)
    for begin in range(0, len(points), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        across, along = x[block, None] - x, y[block, None] - y
        strength = weights / np.maximum(across * across + along * along, _NEAREST**2)
        force[block, 0] = np.einsum("ij,ij->i", strength, across)
        force[block, 1] = np.einsum("ij,ij->i", strength, along)
    return 2.0 * weight[:, None] * force


def _attraction(points: Points, ends: NDArray[np.int_]) -> Points:
    """The force on each point towards those it is joined to: their distance."""
    apart = points[ends[:, 1]] - points[ends[:, 0]]
    both, pulls = ends.T.ravel(), np.vstack([apart, -apart])
    return np.column_stack(
        [np.bincount(both, weights=pulls[:, axis], minlength=len(points)) for axis in (0, 1)]
    )


def _filling(points: Points) -> Points:
    """The points moved and stretched a little, so that they fill the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    half = np.maximum((high - low) / 2, 1e-9)
    scale = np.array([_ASPECT, 1.0]) / half
    return (points - (low + high) / 2) * np.minimum(scale, scale.min() * 1.5)
