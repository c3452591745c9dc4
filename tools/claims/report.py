"""Pairs of claims that clash, as a scan of the whole vault finds and keeps them. Pure."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from tools.base.domain import Change, Contradiction, ContradictionSide

type Conflict = Contradiction | Change


class ScannedConflict(NamedTuple):
    """A pair of claims that clashes, and whether that is sure."""

    clash: Conflict
    sure: bool


_KEY_LENGTH = 8
"""Hexadecimal digits: two of ten thousand pairs are alike in one vault of a hundred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundConflict:
    """A pair that clashes, under the key by which it can be dismissed.

    ``new`` says that it was not shown before, ``sure`` that most such pairs do clash; of the others
    fewer do.
    """

    key: str
    clash: Conflict
    sure: bool
    found_at: datetime
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownConflicts:
    """What a scan found between some notes, the surest first, and the keys of all dismissed.

    ``compared`` counts the notes of the vault that it has compared with all others.
    """

    found: Sequence[Conflict] = ()
    dismissed: frozenset[str] = frozenset()
    compared: int = 0


def sides(clash: Conflict) -> tuple[ContradictionSide, ContradictionSide]:
    """Both sides of a pair, the earlier of a change first."""
    if isinstance(clash, Change):
        return clash.before, clash.after
    return clash.note_a, clash.note_b


def key_of(clash: Conflict) -> str:
    """The same for the same two claims of the same two notes, wherever they stand in them."""
    said = sorted((side.path, side.claim) for side in sides(clash))
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:_KEY_LENGTH]
