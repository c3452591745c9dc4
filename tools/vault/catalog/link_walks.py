"""Where walks along links lead, and what is linked together: sums over all links at once. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.vault.catalog.link_graph import LinkGraph

type Rows = NDArray[np.int64]
type Shares = NDArray[np.float64]

_RESTART = 0.4
"""How often a walk begins anew before its next step."""
_STEPS = 2
"""Steps of a walk: five found no more hidden links over four vaults than two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWalks:
    """The links of a vault as rows of ``paths``: ``source`` to ``target`` by link.

    ``one`` and ``other`` are the ends of each pair of linked notes, both ways.
    """

    paths: Sequence[str]
    rows: Mapping[str, int]
    source: Rows
    target: Rows
    one: Rows
    other: Rows

    def reached(self, starts: Mapping[str, float]) -> dict[str, float]:
        """How often a random walk is at each note, of 0 to 1, that begins at some by their weights.

        Each step takes any link of a note, either way; often the walk begins anew (personalised
        PageRank: Haveliwala 2002, https://doi.org/10.1145/511446.511513).
        """
        outside = [path for path in starts if path not in self.rows]
        size = len(self.paths)
        rows = {**self.rows, **{path: size + at for at, path in enumerate(outside)}}
        seed = np.zeros(len(rows))
        for path, weight in starts.items():
            seed[rows[path]] = weight
        seed /= max(float(seed.sum()), 1e-9)
        degree = np.maximum(np.bincount(self.one, minlength=size), 1)
        at = seed
        for _ in range(_STEPS):
            leaving = at[:size] / degree
            moved = np.zeros_like(at)
            moved[:size] = _summed(self.other, leaving[self.one], size)
            at = _RESTART * seed + (1.0 - _RESTART) * moved
        return _named([*self.paths, *outside], at)

    def linked_together(self, path: str) -> dict[str, float]:
        """How often other notes link to each together with what the note at ``path`` links to.

        A note that links to many counts the less, and so does one that many link to.
        """
        if (own := self.rows.get(path)) is None:
            return {}
        size = len(self.paths)
        links_in = np.maximum(np.bincount(self.target, minlength=size), 1)
        links_out = np.maximum(np.bincount(self.source, minlength=size), 1)
        mine = np.zeros(size)
        mine[self.target[self.source == own]] = 1.0
        alike = _summed(self.source, (mine / np.sqrt(links_in))[self.target], size) / links_out
        alike[own] = 0.0
        together = _summed(self.target, alike[self.source], size) / np.sqrt(links_in)
        return _named(self.paths, together)


def link_walks(graph: LinkGraph) -> LinkWalks:
    """The links of a graph, to walk along."""
    paths = sorted({*graph.to, *graph.back})
    rows = {path: row for row, path in enumerate(paths)}
    sources = [rows[path] for path, all_to in graph.to.items() for _ in all_to]
    targets = [rows[to] for all_to in graph.to.values() for to in all_to]
    links = np.array([sources, targets], np.int64)
    source, target = _in_order(links, len(paths))
    one, other = _in_order(np.concatenate([links, links[::-1]], axis=1), len(paths))
    return LinkWalks(paths=paths, rows=rows, source=source, target=target, one=one, other=other)


def _in_order(pairs: Rows, size: int) -> tuple[Rows, Rows]:
    """Each pair (columns) of rows of ``size`` paths once, by the first and then the second."""
    first, second = np.divmod(np.unique(pairs[0] * size + pairs[1]), max(size, 1))
    return first, second


def _summed(rows: Rows, values: Shares, size: int) -> Shares:
    return np.bincount(rows, weights=values, minlength=size)


def _named(paths: Sequence[str], values: Shares) -> dict[str, float]:
    rows = np.flatnonzero(values)
    return dict(zip([paths[row] for row in rows.tolist()], values[rows].tolist(), strict=True))
