"""Which claims are compared for a question: those that answer it, two of different notes. Pure."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.base.domain import Claim
from tools.claims.attribution import attribution
from tools.text.normalize import fold

type Pair = tuple[int, int]
"""The places of two claims."""

MOST_PAIRS = 14
"""Of five clashes that are asked for four are among so many pairs."""
_MOST_WORDS = 500
"""Of all these together: a pair of long claims takes seven milliseconds to read."""


def candidate_pairs(claims: Sequence[Claim]) -> list[Pair]:
    """The pairs of claims that may clash, those of the foremost claims first, as many as fit."""
    if len(claims) < 2:
        return []
    firsts, others = np.nonzero(np.triu(_comparable(claims), 1))
    lengths = [len((claim.read_as or claim.text).split()) for claim in claims]
    found: list[Pair] = []
    left = _MOST_WORDS
    for at in np.lexsort((firsts, firsts + others)).tolist():
        pair = int(firsts[at]), int(others[at])
        words = lengths[pair[0]] + lengths[pair[1]]
        if words <= left:
            found.append(pair)
            left -= words
        if len(found) == MOST_PAIRS:
            break
    return found


def _comparable(claims: Sequence[Claim]) -> NDArray[np.bool_]:
    """Which two claims may clash: of two notes, of versions of one, or of two sources one cites.

    What a note says no longer is held against its other versions alone.
    """
    over = np.array([claim.ended is not None and claim.ended_by is None for claim in claims])
    sources = [attribution(claim.text).source for claim in claims]
    named = np.array([bool(source) for source in sources])
    of_sources = _differing([source and source.casefold() for source in sources])
    of_sources &= named[:, None] & named[None, :]
    of_notes = _differing([claim.note_path for claim in claims])
    of_texts = _differing([(claim.note_path, claim.version) for claim in claims])
    either_over = over[:, None] | over[None, :]
    otherwise = _differing([fold(claim.text) for claim in claims])
    return otherwise & (of_texts | of_sources) & ~(of_notes & either_over)


def _differing(keys: Sequence[Hashable]) -> NDArray[np.bool_]:
    """Which two of the keys are not equal."""
    known: dict[Hashable, int] = {}
    numbers = np.array([known.setdefault(key, len(known)) for key in keys])
    return numbers[:, None] != numbers[None, :]
