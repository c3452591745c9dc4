"""Which claims of a whole vault are worth comparing: those nearer to each other than to others.

A line like many others (a log's, a form's) is near to them all, two that speak of one matter are
near to each other alone. So a pair counts by its cosine less how near either is to its nearest:
cross-domain similarity local scaling, CSLS (Conneau et al. 2018, section 2.3). Names and numbers
say little of a vector, so the words that both have count as well, rare ones most. Pure.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NEAREST = 20
"""Claims of other notes that each one may be paired with."""
_CROWD = 10
"""Of them, that say how near others are to a claim (K of CSLS)."""
_FEW = 1000
"""Claims that are held against all others, however many there are."""
_LOOKED_AT = 20_000
"""Claims that each of more is held against, at least: those of the nearest cells."""
_ROWS, _BLOCK = 64, 8192
"""Claims that are held against others at once, and those others."""
_PAIRS = 20_000
"""Pairs whose words are compared at once."""
_BY_WORDS = 8
"""Times the pairs wanted whose words are looked at, those that count most without."""
_WORDS = 0.75
"""What the words in common weigh beside the cosine; any weight from 0.5 to 1 does as well."""

type Vectors = NDArray[np.float16] | NDArray[np.float32]
type Pairs = list[tuple[int, int]]
"""Two places each, the lower first."""
type ClaimStems = Callable[[Sequence[int]], Iterable[Iterable[str]]]
"""The stems of the claims at some places, one claim after the other."""


class Nearest(NamedTuple):
    """The pairs that count most, in order, and how near others are to each of the rows given."""

    pairs: Pairs
    crowd: NDArray[np.float32]


def nearest_pairs(
    rows: NDArray[np.intp],
    vectors: Vectors,
    notes: NDArray[np.int64],
    crowd: NDArray[np.float32],
    said: ClaimStems,
    *,
    most: int,
) -> Nearest:
    """The ``most`` pairs of one of ``rows`` and a claim of another note that count most.

    ``vectors`` (claims × dimensions) have length one, ``notes`` tells the note of each, ``crowd``
    how near others are to each that is not among ``rows``, as it was told when that one was.
    """
    if not len(rows) or len(vectors) < 2:
        return Nearest([], np.zeros(len(rows), np.float32))
    places, cosines = _nearest(rows, vectors, notes)
    crowd = crowd.copy()
    crowd[rows] = _mean_of_crowd(cosines)
    first, second = np.repeat(rows.astype(np.int32), places.shape[1]), places.ravel()
    counts = cosines.ravel() - (crowd[first] + crowd[second]) / 2
    counts[notes[first] == notes[second]] = -np.inf
    pairs, counts = _once(first, second, counts, _BY_WORDS * most)
    del places, cosines, first, second  # words need the room
    counts += _WORDS * _words_shared(pairs, said)
    kept = pairs[_foremost(counts, most)]
    return Nearest(sorted((low, high) for low, high in kept.tolist()), crowd[rows])


def _once(
    first: NDArray[np.int32], second: NDArray[np.int32], counts: NDArray[np.floating], most: int
) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """The ``most`` pairs that count most, each once, with the lower place first; and their counts.

    Each claim of a pair may be among the nearest of the other.
    """
    likely = _foremost(counts, 2 * most)
    likely = likely[np.isfinite(counts[likely])]
    ends = np.sort([first[likely], second[likely]], axis=0).astype(np.int64)
    _, once = np.unique(ends[0] << 32 | ends[1], return_index=True)
    best = once[_foremost(counts[likely[once]], most)]
    return ends[:, best].T, counts[likely[best]]


def _foremost(counts: NDArray[np.floating], most: int) -> NDArray[np.intp]:
    """The places of the ``most`` greatest, of equal ones the first."""
    return np.argsort(-counts, kind="stable")[:most]


def _words_shared(pairs: NDArray[np.intp], said: ClaimStems) -> NDArray[np.float32]:
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

    def __init__(self, vectors: Vectors) -> None:
        drawn = np.random.default_rng(0).choice(
            len(vectors), size=int(len(vectors) ** 0.5), replace=False
        )
        leaders = vectors[drawn].astype(np.float32)
        self._of = np.concatenate(
            [
                (vectors[at : at + _ROWS].astype(np.float32) @ leaders.T).argmax(1)
                for at in range(0, len(vectors), _ROWS)
            ]
        )
        order = np.argsort(self._of, kind="stable")
        self._sizes = np.bincount(self._of, minlength=len(leaders))
        self._members: list[NDArray[np.intp]] = np.split(order, np.cumsum(self._sizes)[:-1])
        self._nearest = np.argsort(-(leaders @ leaders.T), axis=1)

    def around(self, rows: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Places within ``rows`` of those of one cell, and the claims each is held against."""
        for cell in np.unique(self._of[rows]):
            cells: list[int] = self._nearest[cell].tolist()
            enough = int(np.searchsorted(np.cumsum(self._sizes[cells]), _LOOKED_AT)) + 1
            pool = np.concatenate([self._members[one] for one in cells[:enough]])
            yield np.flatnonzero(self._of[rows] == cell), pool


def _nearest(
    rows: NDArray[np.intp], vectors: Vectors, notes: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Places and cosines of the nearest claims of other notes, in no order (rows × NEAREST).

    Where there are too few, the rest is of the claim's own note.
    """
    width = min(NEAREST, len(vectors))
    places = np.repeat(rows[:, None].astype(np.int32), width, axis=1)
    cosines = np.full((len(rows), width), -1.0, np.float32)
    everything = [(np.arange(len(rows)), np.arange(len(vectors)))]
    whole = len(rows) <= _FEW or len(vectors) <= _LOOKED_AT
    for among, pool in everything if whole else _Cells(vectors).around(rows):
        for at in range(0, len(pool), _BLOCK):
            block = pool[at : at + _BLOCK]
            others = vectors[block].astype(np.float32).T
            for start in range(0, len(among), _ROWS):
                some = among[start : start + _ROWS]
                found = vectors[rows[some]].astype(np.float32) @ others
                found[notes[rows[some]][:, None] == notes[block][None, :]] = -1.0
                known = np.concatenate([cosines[some], found], axis=1)
                best = np.argpartition(-known, width - 1, axis=1)[:, :width]
                cosines[some] = np.take_along_axis(known, best, axis=1)
                new = block[np.maximum(best - width, 0)]
                before = np.take_along_axis(places[some], np.minimum(best, width - 1), axis=1)
                places[some] = np.where(best < width, before, new)
    return places, cosines


def _mean_of_crowd(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of the cosines of its nearest, the mean of those that say how near others are to each."""
    most = min(_CROWD, cosines.shape[1])
    return -np.partition(-cosines, most - 1, axis=1)[:, :most].mean(1)
