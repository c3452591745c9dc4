"""Sentence selection: the most central statements that cover what there is, nothing twice. Pure.

Centrality is LexRank (Erkan and Radev 2004, https://doi.org/10.1613/jair.1523), drawn to what is
asked (Otterbacher, Erkan and Radev 2005, "Using Random Walks for Question-focused Sentence
Retrieval"). What is chosen is the greedy maximum of a submodular function within a number of words
(Lin and Bilmes 2011, "A Class of Submodular Functions for Document Summarization").
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.overview.statements import Statement
from tools.text.idf import rarity
from tools.text.likeness import vectors_of

type Array = NDArray[np.float32]

_WORDS, _MEANING = 0.5, 0.5
"""What shared words and like meaning count in the similarity of two statements."""
_APART = 0.55
"""The cosine of two statements of one topic that say different things."""
_DAMPING = 0.5
"""How far centrality follows what is alike rather than what is asked: questions are the guide."""
_ROUNDS = 20
_REWARD = 1.0
"""What a fair share for each group counts beside covering what there is."""
_COST = 0.4
"""The power of a statement's words by which its gain is divided (r of Lin and Bilmes 2010)."""
_REPEATS = 0.6
"""Similarity from which on a statement says again what another one says."""


def similarity(told: Sequence[Statement]) -> Array:
    """How alike each two statements are, in [0, 1]: by shared words, and what words mean."""
    stems = [one.stems for one in told]
    rare = rarity((stem for own in stems for stem in own), stems)
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


def centrality(alike: Array, asked: Array) -> Array:
    """The share of each statement in a random walk over what is alike that goes back to ``asked``.

    ``asked`` is how likely each is started from; the greatest share is brought to one.
    """
    steps = alike / alike.sum(1, keepdims=True)
    start = asked / asked.sum()
    share = start
    for _ in range(_ROUNDS):
        share = (1.0 - _DAMPING) * start + _DAMPING * share @ steps
    return np.asarray(share / share.max(), np.float32)


def select(
    told: Sequence[Statement],
    alike: Array,
    weights: Array,
    *,
    room: int,
    group: Callable[[Statement], object],
    most: int,
) -> list[int]:
    """Which statements to show within ``room`` words, in the order of choice.

    The function is Σ_i w_i max_{j∈A} s_ij + λ Σ_groups √(Σ_{j∈A∩group} w_j): what is covered, and a
    fair share for each group, of which at ``most`` so many are taken.
    """
    chosen: list[int] = []
    held: dict[object, list[float]] = {}
    left, words = room, [max(1, one.words) for one in told]
    open_ = set(range(len(told)))
    covered = np.zeros(len(told), np.float32)

    def gain(at: int, covered: Array) -> float:
        covers = float((weights * np.maximum(alike[at] - covered, 0.0)).sum())
        own = sum(held.get(group(told[at]), ()))
        fair = math.sqrt(own + float(weights[at])) - math.sqrt(own)
        return (covers + _REWARD * fair) / words[at] ** _COST

    while open_:
        gains = {at: gain(at, covered) for at in sorted(open_)}
        best = max(gains, key=gains.__getitem__)
        open_.discard(best)
        own = held.setdefault(group(told[best]), [])
        repeats = any(float(alike[best, other]) >= _REPEATS for other in chosen)
        if words[best] > left or len(own) >= most or repeats:
            continue
        chosen.append(best)
        own.append(float(weights[best]))
        covered = np.maximum(covered, alike[best])
        left -= words[best]
    return chosen
