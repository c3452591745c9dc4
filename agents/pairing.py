"""Which claims are worth comparing: those of different notes that have much in common. Pure."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.verdict import SAME_TOPIC
from tools.claims.alignment import content_stems
from tools.claims.attribution import attribution
from tools.domain import Claim

MOST_PAIRS = 64
"""Pairs compared word by word; the ones with the most in common come first."""
_COSINES_AT_ONCE = 512
"""Pairs whose vectors are gathered at once; they fit the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePair:
    """The places of two claims of different notes, or versions, that may be about one thing."""

    a: int
    b: int
    overlap: float
    similarity: float | None = None


def candidate_pairs(
    claims: Sequence[Claim], vectors: NDArray[np.float32] | None = None
) -> tuple[CandidatePair, ...]:
    """The pairs that may be compared and share words or meaning enough for it.

    ``vectors`` holds one row of unit length per claim. At most ``MOST_PAIRS`` are returned.
    """
    if len(claims) < 2:
        return ()
    stems = [content_stems(claim.text) for claim in claims]
    common = _shared(stems)
    sizes = np.array([max(1, len(words)) for words in stems], np.float32)
    half = sizes / 2.0
    overlaps = common / (half[:, None] + half[None, :])
    enough = (overlaps >= 0.4) & (common >= np.minimum(half[:, None], half[None, :]))
    apart = _comparable(claims)
    # By meaning, words in common only say which pairs are worth a look.
    worth = enough if vectors is None else common >= 1.0
    firsts, others = np.nonzero(np.triu(worth & apart, 1))
    overlap, promising = overlaps[firsts, others], enough[firsts, others]
    cosines = None if vectors is None else _cosines(vectors, firsts, others)
    if cosines is not None:
        promising |= cosines >= SAME_TOPIC
        overlap = np.maximum(overlap, cosines)
    kept = np.flatnonzero(promising)
    best = kept[np.argsort(-overlap[kept], kind="stable")[:MOST_PAIRS]]
    return tuple(
        CandidatePair(
            a=int(firsts[at]),
            b=int(others[at]),
            overlap=float(overlap[at]),
            similarity=None if cosines is None else float(cosines[at]),
        )
        for at in best
    )


type _Rows = NDArray[np.intp]


def _comparable(claims: Sequence[Claim]) -> NDArray[np.bool_]:
    """Which two claims may clash: of two notes, of versions of one, or of two sources one cites.

    What a note says no longer is held against its other versions alone.
    """
    notes = _numbers([claim.note_path for claim in claims])
    texts = _numbers([(claim.note_path, claim.version) for claim in claims])
    over = np.array([claim.ended is not None and claim.ended_by is None for claim in claims])
    sources = [attribution(claim.text).source for claim in claims]
    cited = _numbers([source and source.casefold() for source in sources])
    named = np.array([bool(source) for source in sources])
    same = notes[:, None] == notes[None, :]
    of_sources = (cited[:, None] != cited[None, :]) & named[:, None] & named[None, :]
    either_over = over[:, None] | over[None, :]
    return ((texts[:, None] != texts[None, :]) | of_sources) & (same | ~either_over)


def _numbers(keys: Sequence[Hashable]) -> NDArray[np.intp]:
    """The same number for equal keys."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys])


def _shared(stems: Sequence[frozenset[str]]) -> NDArray[np.float32]:
    """How many stems each two have in common."""
    postings: dict[str, list[int]] = {}
    for row, words in enumerate(stems):
        for word in words:
            postings.setdefault(word, []).append(row)
    rows_of = {word: np.array(rows) for word, rows in postings.items() if len(rows) > 1}
    common = np.zeros((len(stems), len(stems)), np.float32)
    # Row by row: a matrix product would wake a thread per core for a millisecond's work.
    for row, words in enumerate(stems):
        if rows := [rows_of[word] for word in words if word in rows_of]:
            common[row] = np.bincount(np.concatenate(rows), minlength=len(stems))
    return common


def _cosines(vectors: NDArray[np.float32], firsts: _Rows, others: _Rows) -> NDArray[np.float32]:
    """The cosine of each pair of rows; a matrix product of all would wake the other threads."""
    cosines = np.empty(len(firsts), np.float32)
    for start in range(0, len(firsts), _COSINES_AT_ONCE):
        part = slice(start, start + _COSINES_AT_ONCE)
        cosines[part] = np.einsum("pd,pd->p", vectors[firsts[part]], vectors[others[part]])
    return cosines
