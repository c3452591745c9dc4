"""What speaks for a link from one note to another, as numbers that a ranking weighs. Pure.

Each signal counts as it is, which tells how strong it is, and by its rank among the candidates,
which means the same in every vault.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tools.vault.catalog.link_graph import LinkGraph

type Values = Mapping[str, float]
"""A number for each note, by its path; one without it has none of the signal."""
type Matrix = NDArray[np.float64]

_RANK_OFFSET = 3.0
"""How soon a lower rank counts less: the first counts as two of the ninth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What is known of the candidates of one note.

    ``meaning`` is the cosine of the nearest passage, ``words`` the BM25 of the best one for the
    note's rare words, ``mentions`` the rarity of a name that stands in the note.
    """

    meaning: Values = field(default_factory=dict[str, float])
    words: Values = field(default_factory=dict[str, float])
    mentions: Values = field(default_factory=dict[str, float])
    similar_link: Values = field(default_factory=dict[str, float])
    shared_neighbours: Values = field(default_factory=dict[str, float])
    links_back: Values = field(default_factory=dict[str, float])
    links_in: Values = field(default_factory=dict[str, float])


GRADED = ("meaning", "words", "mentions", "similar_link", "shared_neighbours")
PLAIN = ("links_back", "links_in")
FEATURES = (*(f"{name}{kind}" for name in GRADED for kind in ("", " rank")), *PLAIN)


def features(signals: Signals, paths: Sequence[str]) -> Matrix:
    """The values of ``FEATURES`` for candidates (paths × features)."""
    columns: list[Matrix] = []
    for name in GRADED:
        values = _column(getattr(signals, name), paths)
        columns += (np.log1p(values), _by_rank(values))
    columns += [np.log1p(_column(getattr(signals, name), paths)) for name in PLAIN]
    return np.column_stack(columns)


def _column(values: Values, paths: Sequence[str]) -> Matrix:
    return np.maximum([values.get(path, 0.0) for path in paths], 0.0)


def _by_rank(values: Matrix) -> Matrix:
    """A share of one that falls with the rank; nothing without the signal."""
    order = np.argsort(-values, kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(len(values))
    return np.where(values > 0, 1.0 / (ranks + _RANK_OFFSET), 0.0)


def linked_signals(graph: LinkGraph, path: str, similar: Values) -> Signals:
    """What the links of a vault say of the candidates of a note.

    ``similar`` has the notes that it resembles most, with how much: what they link to speaks for a
    link. A shared neighbour counts the less, the more neighbours it has (Adamic and Adar 2003,
    https://doi.org/10.1016/S0378-8733(03)00009-1).
    """
    similar_link: dict[str, float] = {}
    for other, weight in similar.items():
        for target in graph.targets(other):
            similar_link[target] = similar_link.get(target, 0.0) + weight
    shared: dict[str, float] = {}
    for neighbour in graph.neighbours(path):
        around = graph.neighbours(neighbour)
        for other in around:
            shared[other] = shared.get(other, 0.0) + 1.0 / math.log(2.0 + len(around))
    return Signals(
        similar_link=similar_link,
        shared_neighbours=shared,
        links_back=dict.fromkeys(graph.sources(path), 1.0),
        links_in={other: float(len(sources)) for other, sources in graph.back.items()},
    )
