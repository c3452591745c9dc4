"""Which claims are worth comparing: those of different notes that have much in common. Pure."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tools.claims.alignment import content_stems
from tools.claims.attribution import attribution
from tools.domain import Claim

MOST_PAIRS = 64
"""Pairs compared word by word; the ones with the most in common come first."""
_ENOUGH = 0.4
"""Share of the words of two claims that both have, at least."""


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """The places of two claims of different notes, or versions, that may be about one thing."""

    a: int
    b: int
    overlap: float


def candidate_pairs(claims: Sequence[Claim]) -> tuple[CandidatePair, ...]:
    """The pairs that may be compared and share words enough for it, at most ``MOST_PAIRS``."""
    if len(claims) < 2:
        return ()
    shared = _shared([claim.text for claim in claims])
    firsts, others = np.nonzero(np.triu(shared.enough & _comparable(claims), 1))
    overlap = shared.share[firsts, others]
    best = np.argsort(-overlap, kind="stable")[:MOST_PAIRS]
    return tuple(CandidatePair(int(firsts[at]), int(others[at]), float(overlap[at])) for at in best)


def pairable(texts: Sequence[str], said_in: Sequence[Hashable]) -> list[bool]:
    """Whether each text, were it a claim, could be one of a pair by the words it has.

    ``said_in`` tells the note, or its version, of each.
    """
    if len(texts) < 2:
        return [False] * len(texts)
    enough = _shared(texts).enough & _differing(texts)
    elsewhere = _differing(said_in)
    found = (enough & elsewhere).any(axis=1)
    for at in np.flatnonzero((enough & ~elsewhere).any(axis=1) & ~found).tolist():
        found[at] = attribution(texts[at]).source is not None
    return found.tolist()


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
    otherwise = _differing([claim.text for claim in claims])
    return otherwise & (of_texts | of_sources) & ~(of_notes & either_over)


def _differing(keys: Sequence[Hashable]) -> NDArray[np.bool_]:
    """Which two of the keys are not equal."""
    known: dict[Hashable, int] = {}
    numbers = np.array([known.setdefault(key, len(known)) for key in keys])
    return numbers[:, None] != numbers[None, :]


@dataclass(frozen=True, slots=True)
class _Shared:
    """What share of their stems each two texts have in common, and whether it is enough."""

    share: NDArray[np.floating]
    enough: NDArray[np.bool_]


def _shared(texts: Sequence[str]) -> _Shared:
    stems = [content_stems(text) for text in texts]
    texts_with = Counter(chain.from_iterable(stems))
    column = {stem: at for at, stem in enumerate(s for s, many in texts_with.items() if many > 1)}
    width = 64 * (1 + len(column) // 64)
    has = np.zeros(len(stems) * width, np.bool_)
    has[[row * width + column[s] for row, own in enumerate(stems) for s in own if s in column]] = 1
    # Bit by bit: a matrix product would wake a thread per core for a millisecond's work.
    bits = np.packbits(has.reshape(len(stems), width), axis=1).view(np.uint64)
    common = np.zeros((len(stems), len(stems)), np.float32)
    for part in bits.T:
        common += np.bitwise_count(part[:, None] & part)
    half = np.array([max(1, len(own)) for own in stems], np.float32) / 2.0
    share = common / (half[:, None] + half[None, :])
    enough = (share >= _ENOUGH) & (common >= np.minimum(half[:, None], half[None, :]))
    return _Shared(share, enough)
