"""Which claims are worth comparing: those of different notes that have much in common. Pure."""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.contexts import ON_SUBJECT
from tools.claims.attribution import attribution
from tools.domain import Claim
from tools.text.tokens import stems_in

MOST_PAIRS = 96
"""Pairs that are looked at; the ones with the most in common come first."""


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """The places of two claims of different notes, or versions, that may be about one thing."""

    a: int
    b: int
    overlap: float


def candidate_pairs(
    claims: Sequence[Claim], asked: Sequence[float] | None = None
) -> tuple[CandidatePair, ...]:
    """The pairs that may be compared, those with most in common first, at most ``MOST_PAIRS``.

    ``asked`` is the share of what is asked that each claim holds, where that is known: pairs that
    cannot hold enough of it together come last.
    """
    if len(claims) < 2:
        return ()
    shared = np.triu(_words_shared([stems_in(_said(claim)) for claim in claims]), 1)
    shared *= _comparable(claims)
    firsts, others = np.nonzero(shared)
    overlap = shared[firsts, others]
    off = np.zeros(len(overlap), np.bool_)
    if asked is not None:
        share = np.array(asked)
        off = share[firsts] + share[others] <= ON_SUBJECT
    best = np.lexsort((-overlap, off))[:MOST_PAIRS]
    return tuple(CandidatePair(int(firsts[at]), int(others[at]), float(overlap[at])) for at in best)


def _said(claim: Claim) -> str:
    """The claim under what stands over it, or alone without whom it cites."""
    return claim.read_as or attribution(claim.text).said


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


def _words_shared(texts: Sequence[Iterable[str]]) -> NDArray[np.float64]:
    """The cosine of the stems of each two texts (texts × texts), each by its idf among them all."""
    texts_with: dict[str, list[int]] = defaultdict(list)
    for at, stems in enumerate(texts):
        for stem in set(stems):
            texts_with[stem].append(at)
    common = np.zeros((len(texts), len(texts)))
    for own in texts_with.values():
        common[np.ix_(own, own)] += math.log(1 + len(texts) / len(own)) ** 2
    length = np.sqrt(np.diagonal(common)) + 1e-9
    return common / (length[:, None] * length[None, :])
