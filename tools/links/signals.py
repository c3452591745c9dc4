"""What speaks for a link from one note to another, as numbers that a ranking weighs. Pure.

Each signal counts as it is, which tells how strong it is, and by its rank among the candidates,
which means the same in every vault.
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tools.vault.catalog.link_walks import LinkWalks

type Values = Mapping[str, float]
"""A number for each note, by its path; one without it has none of the signal."""
type Matrix = NDArray[np.float64]

_RANK_OFFSET = 3.0
"""How soon a lower rank counts less: the first counts as two of the fourth."""
_SIMILAR = 30
"""Notes at which walks begin, since what is linked to them may be what this one lacks."""
_SHARPNESS, _PASSAGE_SHARPNESS = 4, 8
"""Powers of a cosine by which what is nearer counts more."""
_MOST = 300
"""Candidates of one signal: the others are too far down to be among those that are shown."""
_PER_THOUSAND = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What is known of the candidates of one note.

    ``meaning`` is the cosine of the nearest passage, ``words`` the BM25 of the best one for the
    note's rare words, ``mentions`` the rarity of a name that stands in the note, ``link_rate`` the
    share of the notes with that name in their text that link to it, ``similar_link`` how near the
    passages of other notes are that link to it, ``reached`` how often walks along links come by it,
    ``linked_together`` how often it is linked to beside what the note links to.
    """

    meaning: Values = field(default_factory=dict[str, float])
    words: Values = field(default_factory=dict[str, float])
    mentions: Values = field(default_factory=dict[str, float])
    link_rate: Values = field(default_factory=dict[str, float])
    similar_link: Values = field(default_factory=dict[str, float])
    reached: Values = field(default_factory=dict[str, float])
    linked_together: Values = field(default_factory=dict[str, float])
    links_in: Values = field(default_factory=dict[str, float])
    passages: Values = field(default_factory=dict[str, float])

    @property
    def candidates(self) -> list[str]:
        """All notes for which anything speaks but what they are themselves, by path."""
        return sorted(set[str]().union(*(getattr(self, name) for name in GRADED)))


GRADED = (
    "meaning",
    "words",
    "mentions",
    "link_rate",
    "similar_link",
    "reached",
    "linked_together",
)
PLAIN = ("links_in", "passages")
FEATURES = (*(f"{name}{kind}" for name in GRADED for kind in ("", " rank")), *PLAIN)


def features(signals: Signals, paths: Sequence[str]) -> Matrix:
    """The values of ``FEATURES`` for candidates (paths × features)."""
    columns: list[Matrix] = []
    for name in GRADED:
        values = _column(getattr(signals, name), paths)
        columns += (np.log1p(values), _by_rank(values))
    columns += [np.log1p(_column(getattr(signals, name), paths)) for name in PLAIN]
    return np.column_stack(columns)


def features_by_name(row: Matrix) -> dict[str, float]:
    """What ``features`` has of one candidate, as it is kept with a decision."""
    return dict(zip(FEATURES, row.tolist(), strict=True))


def _column(values: Values, paths: Sequence[str]) -> Matrix:
    return np.maximum([values.get(path, 0.0) for path in paths], 0.0)


def _by_rank(values: Matrix) -> Matrix:
    """A share of one that falls with the rank; nothing without the signal."""
    order = np.argsort(-values, kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(len(values))
    return np.where(values > 0, 1.0 / (ranks + _RANK_OFFSET), 0.0)


def linked_signals(walks: LinkWalks, path: str, similar: Values) -> Signals:
    """What the links of a vault say of the candidates of a note.

    ``similar`` has the notes that it resembles, with the cosine of each: walks begin at those that
    resemble it most as often as at the note itself.
    """
    nearest = heapq.nlargest(_SIMILAR, similar.items(), key=lambda one: (one[1], one[0]))
    weights = {other: max(cosine, 0.0) ** _SHARPNESS for other, cosine in nearest}
    starts = {path: sum(weights.values()) or 1.0, **weights}
    reached = {
        other: _PER_THOUSAND * share
        for other, share in _most(walks.reached(starts)).items()
        if other != path
    }
    return Signals(reached=reached, linked_together=_most(walks.linked_together(path)))


def links_of_similar(passages: Iterable[tuple[float, Iterable[str]]]) -> dict[str, float]:
    """For each note how near the passages are that link to it.

    ``passages`` are the cosine of each to the note, and the notes that it links to. Many that are
    somewhat near tell less than a few that are very near.
    """
    found: dict[str, float] = {}
    for cosine, targets in passages:
        weight = max(cosine, 0.0) ** _PASSAGE_SHARPNESS
        for target in targets:
            found[target] = found.get(target, 0.0) + weight
    return found


def _most(values: Values) -> Values:
    if len(values) <= _MOST:
        return values
    least = heapq.nlargest(_MOST, values.values())[-1]
    best = [one for one in values.items() if one[1] >= least]
    return dict(heapq.nlargest(_MOST, best, key=lambda one: (one[1], one[0])))
