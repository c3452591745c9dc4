"""Which claims of a whole vault are worth comparing: those nearest in meaning. Pure."""

import numpy as np
from numpy.typing import NDArray

NEAREST = 6
"""Claims of other notes that each one is compared with, at most."""
LEAST_COSINE = 0.4
"""Two claims that mean less alike than this are about other things."""
_ROWS = 256
"""Claims that are held against all others at once."""

type Pairs = list[tuple[int, int]]
"""Two places each, the lower first."""


def nearest_pairs(
    rows: NDArray[np.intp], vectors: NDArray[np.float32], notes: NDArray[np.int64]
) -> Pairs:
    """Each of ``rows`` with its nearest of other notes; each pair once, in order.

    ``vectors`` (claims × dimensions) have length one, ``notes`` tells the note of each.
    """
    pairs: set[tuple[int, int]] = set()
    for start in range(0, len(rows), _ROWS):
        some = rows[start : start + _ROWS]
        cosines = vectors[some] @ vectors.T
        cosines[notes[some][:, None] == notes[None, :]] = -1.0
        most = min(NEAREST, cosines.shape[1])
        nearest = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
        for row, others in zip(range(len(some)), nearest, strict=True):
            near = others[cosines[row, others] >= LEAST_COSINE].tolist()
            one = int(some[row])
            pairs.update((min(one, other), max(one, other)) for other in near)
    return sorted(pairs)
