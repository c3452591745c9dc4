"""Sentence selection: the statements that a reader would miss most, nothing twice. Pure.

How likely a statement is one of these is learned (``evals/fitting/overviews.py``): a logistic
regression for each kind of overview, over a few features. One of them is LexRank (Erkan and Radev
2004, https://doi.org/10.1613/jair.1523).
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.base.domain import OverviewKind
from tools.overview.statements import Statement
from tools.text.idf import idf
from tools.text.likeness import vectors_of

type Array = NDArray[np.float32]

FEATURES = ("score", "meant", "central", "words", "quoted", "constant")
WEIGHTS = Path(__file__).with_name("overview_weights.json")
ROOM = 200
"""Words of an overview."""
_LEAST = 0.06
"""How likely a statement has to be one that is missed: chosen on the labels that are learned from,
for pages a fifth shorter that say as much."""
_COMPARED = 600
"""Statements of which an overview is chosen: each is compared with each other."""
_WORDS, _MEANING = 0.5, 0.5
"""What shared words and like meaning count in the similarity of two statements."""
_APART = 0.55
"""The cosine of two statements of one topic that say different things."""
_DAMPING = 0.5
_ROUNDS = 20
_COST = 0.4
"""The power of a statement's words by which it is divided (r of Lin and Bilmes 2010)."""
_REPEATS = 0.6
"""Similarity from which on a statement says again what another one says."""


class ScoredStatements(NamedTuple):
    """Statements with their ``FEATURES``, how likely each would be missed, and how alike they are.

    ``rows`` has a row for each statement, ``alike`` a number in [0, 1] for each two.
    """

    told: Sequence[Statement]
    rows: Array
    likely: Array
    alike: Array

    @property
    def selected(self) -> list[Statement]:
        """Those that are likely enough to be shown."""
        return [one for one, does in zip(self.told, self.likely >= _LEAST, strict=True) if does]


def score_statements(told: Sequence[Statement], weights: Array) -> ScoredStatements:
    """How likely each statement is one that is missed, by ``weights`` of the ``FEATURES``."""
    told = nlargest(_COMPARED, told, key=lambda one: one.known.score)
    if not told:
        return ScoredStatements(
            (), *(np.zeros(size, np.float32) for size in ((0, len(weights)), 0, (0, 0)))
        )
    alike = similarity(told)
    rows = features(told, alike)
    likely = np.asarray(1.0 / (1.0 + np.exp(-(rows @ weights))), np.float32)
    return ScoredStatements(told, rows, likely, alike)


def weights_of(kind: OverviewKind) -> Array:
    """What has been learned for a kind of overview."""
    return np.array([_weights()[kind][name] for name in FEATURES], np.float32)


@cache
def _weights() -> dict[str, dict[str, float]]:
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))


def features(told: Sequence[Statement], alike: Array) -> Array:
    """The ``FEATURES`` of each statement, a row for each."""
    central = centrality(alike)
    rows = [
        (*one.known, central[at], math.log(max(1, one.words)), float(one.quoted), 1.0)
        for at, one in enumerate(told)
    ]
    return np.array(rows, np.float32)


def similarity(told: Sequence[Statement]) -> Array:
    """How alike each two statements are, in [0, 1]: by shared words, and what words mean."""
    stems = [one.stems for one in told]
    rare = idf((stem for own in stems for stem in own), stems)
    places = {stem: at for at, stem in enumerate(rare)}
    counts = np.zeros((len(told), len(places)), np.float32)
    for row, own in enumerate(stems):
        for stem in own:
            counts[row, places[stem]] = rare[stem]
    counts /= np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
    vectors = vectors_of([{stem: rare[stem] for stem in sorted(own)} for own in stems])
    alike = np.clip((vectors @ vectors.T - _APART) / (1.0 - _APART), 0.0, 1.0)
    both = _WORDS * counts @ counts.T + _MEANING * alike
    np.fill_diagonal(both, 1.0)
    return np.asarray(both, np.float32)


def centrality(alike: Array) -> Array:
    """The share of each statement in a random walk over what is alike; the greatest is one."""
    steps = alike / alike.sum(1, keepdims=True)
    start = np.full(len(alike), 1.0 / len(alike), np.float32)
    share = start
    for _ in range(_ROUNDS):
        share = (1.0 - _DAMPING) * start + _DAMPING * share @ steps
    return np.asarray(share / share.max(), np.float32)


def select(found: ScoredStatements, *, room: int = ROOM) -> list[Statement]:
    """The likeliest statements for their length that fit into ``room`` words, the best first."""
    words = np.array([max(1, one.words) for one in found.told])
    order = np.argsort(-found.likely / words**_COST, kind="stable")
    chosen: list[int] = []
    for at in order[found.likely[order] >= _LEAST].tolist():
        repeats = any(found.alike[at, other] >= _REPEATS for other in chosen)
        if words[at] <= room and not repeats:
            chosen.append(at)
            room -= int(words[at])
    return [found.told[at] for at in chosen]
