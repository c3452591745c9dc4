"""Which claims of a whole vault are worth comparing: those nearer to each other than to others.

A line like many others (a log's, a form's) is near to them all, two that speak of one matter are
near to each other alone. So a pair counts by its cosine less how near either is to its nearest:
cross-domain similarity local scaling, CSLS (Conneau et al. 2018, section 2.3). Pure.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NEAREST = 20
"""Claims of other notes that each one may be paired with."""
_CROWD = 10
"""Of them, that say how near others are to a claim (K of CSLS)."""
_LOOKED_AT = 20_000
"""Claims that each is held against, at least: in a larger vault those of the nearest cells."""
_ROWS = 256
"""Claims that are held against others at once."""

type Vectors = NDArray[np.float16] | NDArray[np.float32]
type Pairs = list[tuple[int, int]]
"""Two places each, the lower first."""


class _Nearest(NamedTuple):
    """Places and cosines of the nearest of each of some claims, in no order (claims × NEAREST)."""

    places: NDArray[np.intp]
    cosines: NDArray[np.float32]

    def crowd(self) -> NDArray[np.float32]:
        """The mean cosine of the nearest of each."""
        most = min(_CROWD, self.cosines.shape[1])
        return -np.partition(-self.cosines, most - 1, axis=1)[:, :most].mean(1)


def nearest_pairs(
    rows: NDArray[np.intp], vectors: Vectors, notes: NDArray[np.int64], *, most: int
) -> Pairs:
    """The ``most`` pairs of one of ``rows`` and a claim of another note that count most, in order.

    ``vectors`` (claims × dimensions) have length one, ``notes`` tells the note of each.
    """
    if not len(rows) or len(vectors) < 2:
        return []
    cells = _Cells(vectors, notes)
    own = cells.nearest(rows)
    others = np.setdiff1d(own.places, rows)
    crowd = np.zeros(len(vectors), np.float32)
    crowd[rows] = own.crowd()
    if len(others):
        crowd[others] = cells.nearest(others).crowd()
    first = np.repeat(rows, own.places.shape[1])
    second, cosines = own.places.ravel(), own.cosines.ravel()
    there = notes[first] != notes[second]
    first, second, cosines = first[there], second[there], cosines[there]
    low, high = np.minimum(first, second), np.maximum(first, second)
    _, once = np.unique(low * len(vectors) + high, return_index=True)
    counts = (2 * cosines - crowd[first] - crowd[second])[once]
    best = once[np.argsort(-counts, kind="stable")[:most]]
    return sorted(zip(low[best].tolist(), high[best].tolist(), strict=True))


class _Cells:
    """Claims by which of some that were drawn, the leaders, each is nearest to.

    Cluster pruning (Manning, Raghavan and Schütze 2008, section 7.1.6).
    """

    def __init__(self, vectors: Vectors, notes: NDArray[np.int64]) -> None:
        self._vectors, self._notes = vectors, notes
        drawn = np.random.default_rng(0).choice(
            len(vectors), size=int(len(vectors) ** 0.5), replace=False
        )
        leaders = vectors[drawn].astype(np.float32)
        self._cell = np.concatenate(
            [
                (vectors[at : at + _ROWS].astype(np.float32) @ leaders.T).argmax(1)
                for at in range(0, len(vectors), _ROWS)
            ]
        )
        order = np.argsort(self._cell, kind="stable")
        sizes = np.bincount(self._cell, minlength=len(leaders))
        self._members: list[NDArray[np.intp]] = np.split(order, np.cumsum(sizes)[:-1])
        self._nearest_cells = np.argsort(-(leaders @ leaders.T), axis=1)
        self._sizes = sizes

    def nearest(self, rows: NDArray[np.intp]) -> _Nearest:
        """The nearest claims of other notes of each of ``rows``; too few are filled up with any."""
        width = min(NEAREST, len(self._vectors))
        places = np.zeros((len(rows), width), np.intp)
        cosines = np.full((len(rows), width), -1.0, np.float32)
        for cell in np.unique(self._cell[rows]):
            at = np.flatnonzero(self._cell[rows] == cell)
            pool = self._pool(cell)
            others = self._vectors[pool].astype(np.float32).T
            for start in range(0, len(at), _ROWS):
                some = at[start : start + _ROWS]
                found = self._vectors[rows[some]].astype(np.float32) @ others
                found[self._notes[rows[some]][:, None] == self._notes[pool][None, :]] = -1.0
                best = np.argpartition(-found, width - 1, axis=1)[:, :width]
                places[some] = pool[best]
                cosines[some] = np.take_along_axis(found, best, axis=1)
        return _Nearest(places, cosines)

    def _pool(self, cell: int) -> NDArray[np.intp]:
        cells: list[int] = self._nearest_cells[cell].tolist()
        enough = int(np.searchsorted(np.cumsum(self._sizes[cells]), _LOOKED_AT)) + 1
        return np.concatenate([self._members[one] for one in cells[:enough]])
