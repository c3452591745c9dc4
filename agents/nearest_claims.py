"""Which claims of a whole vault are worth comparing: those nearer to each other than to others.

A line like many others (a log's, a form's) is near to them all, two that speak of one matter are
near to each other alone. So a pair counts by its cosine less how near either is to its nearest:
cross-domain similarity local scaling, CSLS (Conneau et al. 2018, section 2.3). Names and numbers
say little of a vector, so the words that both have count as well, rare ones most. Pure.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NEAREST = 20
"""Claims of other notes that each one may be paired with."""
_CROWD = 10
"""Of them, that say how near others are to a claim (K of CSLS)."""
_LOOKED_AT = 20_000
"""Claims that each is held against, at least: in a larger vault those of the nearest cells."""
_ROWS = 64
"""Claims that are held against others at once."""
_PAIRS = 20_000
"""Pairs whose words are compared at once."""
_BY_WORDS = 8
"""Times the pairs wanted whose words are looked at, those that count most without."""
_WORDS = 0.75
"""What the words in common weigh beside the cosine; any weight from 0.5 to 1 does as well."""

type Vectors = NDArray[np.float16] | NDArray[np.float32]
type Pairs = list[tuple[int, int]]
"""Two places each, the lower first."""
type Said = Callable[[Sequence[int]], Iterable[Iterable[str]]]
"""The stems of the claims at some places, one claim after the other."""


class _Nearest(NamedTuple):
    """Places and cosines of the nearest of each of some claims, in no order (claims × NEAREST)."""

    places: NDArray[np.int32]
    cosines: NDArray[np.float32]

    def crowd(self) -> NDArray[np.float32]:
        """The mean cosine of the nearest of each."""
        most = min(_CROWD, self.cosines.shape[1])
        return -np.partition(-self.cosines, most - 1, axis=1)[:, :most].mean(1)


def nearest_pairs(
    rows: NDArray[np.intp], vectors: Vectors, notes: NDArray[np.int64], said: Said, *, most: int
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
    first = np.repeat(rows.astype(np.int32), own.places.shape[1])
    second = own.places.ravel()
    counts = own.cosines.ravel() - (crowd[first] + crowd[second]) / 2
    counts[notes[first] == notes[second]] = -np.inf
    # Each claim may be among the nearest of the other.
    likely = _foremost(counts, 2 * _BY_WORDS * most)
    likely = likely[np.isfinite(counts[likely])]
    ends = np.sort([first[likely], second[likely]], axis=0).astype(np.int64)
    _, once = np.unique(ends[0] * len(vectors) + ends[1], return_index=True)
    best = once[_foremost(counts[likely[once]], _BY_WORDS * most)]
    pairs, counts = ends[:, best].T, counts[likely[best]]
    counts += _WORDS * _words_shared(pairs, said)
    kept = pairs[_foremost(counts, most)]
    return sorted((low, high) for low, high in kept.tolist())


def _foremost(counts: NDArray[np.floating], most: int) -> NDArray[np.intp]:
    """The places of the ``most`` greatest, of equal ones the first."""
    return np.argsort(-counts, kind="stable")[:most]


def _words_shared(pairs: NDArray[np.intp], said: Said) -> NDArray[np.float32]:
    """The cosine of the words of both claims of each pair, each by its idf among all of them."""
    places, at = np.unique(pairs, return_inverse=True)
    column: dict[str, int] = {}
    known = array("i")
    ends = [0]
    for own in said(places.tolist()):
        known.extend({column.setdefault(stem, len(column)) for stem in own})
        ends.append(len(known))
    if not known:
        return np.zeros(len(pairs), np.float32)
    words, starts = np.frombuffer(known, np.intc), np.array(ends)
    of = np.repeat(np.arange(len(places), dtype=np.intc), np.diff(starts))
    weight = np.log1p(len(places) / np.bincount(words)) ** 2
    length = np.sqrt(np.bincount(of, weight[words], minlength=len(places))) + 1e-9
    shared = np.zeros(len(pairs))
    for start in range(0, len(pairs), _PAIRS):
        some = at.reshape(pairs.shape)[start : start + _PAIRS]
        a, b = (_keys(own, starts, words, len(column)) for own in some.T)
        both = np.intersect1d(a, b, assume_unique=True)
        pair, word = np.divmod(both, len(column))
        common = np.bincount(pair, weight[word], minlength=len(some))
        shared[start : start + _PAIRS] = common / (length[some[:, 0]] * length[some[:, 1]])
    return shared.astype(np.float32)


def _keys(
    claims: NDArray[np.intp], starts: NDArray[np.intp], words: NDArray[np.intc], many: int
) -> NDArray[np.int64]:
    """A number for each word of each of the claims: their place among these, and the word."""
    sizes = starts[claims + 1] - starts[claims]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    own = words[np.repeat(starts[claims], sizes) + within]
    return np.repeat(np.arange(len(claims)), sizes) * many + own


class _Cells:
    """Claims by which of some that were drawn, the leaders, each is nearest to.

    Cluster pruning (Manning, Raghavan and Schütze 2008, section 7.1.6).
    """

    def __init__(self, vectors: Vectors, notes: NDArray[np.int64]) -> None:
        self._vectors, self._notes = vectors, notes
        # Of a vault that is looked at whole one cell is enough, and read once.
        cells = int(len(vectors) ** 0.5) if len(vectors) > _LOOKED_AT else 1
        drawn = np.random.default_rng(0).choice(len(vectors), size=cells, replace=False)
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
        places = np.zeros((len(rows), width), np.int32)
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
