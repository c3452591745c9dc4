"""Where the nodes of a graph stand: springs along edges, repulsion between nodes. Pure."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_GOLDEN_ANGLE = 2.399963229728653
_GRAVITY = 0.5
_ASPECT = 1.7
"""Width over height of what is wanted."""


def positions(hops: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """A place for each node, neighbours near each other; x spans about -1.7 to 1.7, y -1 to 1.

    ``hops`` from the middle, one per node, ``pairs`` the nodes joined by an edge; equal input gives
    equal places. Forces as in ForceAtlas2 (Jacomy et al. 2014), so that hubs keep apart.
    """
    count = len(hops)
    if count < 2:
        return [(0.0, 0.0)] * count
    ring = np.maximum(np.asarray(hops, dtype=float), 0.0) + 0.3
    angle = np.arange(count) * _GOLDEN_ANGLE
    points = np.column_stack([ring * np.cos(angle), ring * np.sin(angle)]) * np.sqrt(count)
    joined = np.zeros((count, count))
    for one, other in pairs:
        if one != other:
            joined[one, other] = joined[other, one] = 1.0
    weight = joined.sum(axis=1) + 1.0
    repulsion = 2.0 * weight[:, None] * weight[None, :]
    middle = np.where(ring < 1.0, 6.0, 1.0)
    pull = _GRAVITY * (weight * middle)[:, None] * np.array([1.0 / _ASPECT, _ASPECT])
    rounds = min(max(60_000 // count, 60), 400)
    for turn in range(rounds):
        heat = math.sqrt(count) ** (1 - turn / rounds) * 0.01 ** (turn / rounds)
        apart = points[:, None, :] - points[None, :, :]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 0.01)
        force = repulsion / distance**2 - joined
        far = np.maximum(np.hypot(points[:, 0], points[:, 1]), 1.0)[:, None]
        move = (apart * force[..., None]).sum(axis=1) - pull * points / far
        length = np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-9)
        points = points + move * np.minimum(1.0 / weight, heat / length)[:, None]
    return [(float(x), float(y)) for x, y in _filling(points)]


def _filling(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points moved and stretched a little, so that they fill the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    half = np.maximum((high - low) / 2, 1e-9)
    scale = np.array([_ASPECT, 1.0]) / half
    return (points - (low + high) / 2) * np.minimum(scale, scale.min() * 1.5)
