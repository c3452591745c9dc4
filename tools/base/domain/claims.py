"""What notes assert, and two assertions that contradict each other or changed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tools.base.domain.sources import DecidedBy

ContradictionType = Literal[
    "negation", "conflicting_values", "opposing_sentiment", "semantic_conflict"
]
ClashRelation = Literal["contradiction", "disagreement"]
ChangeBasis = Literal["claims", "notes", "succession", "versions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One asserted sentence and where it stands.

    ``read_as`` is how it reads under what stands over it, where that is known. ``version`` is set
    where an earlier version of the note says it: from when on that one held.
    ``ended`` is since when another note, at ``ended_by``, has taken the place of this one, or since
    when a later version no longer says it.
    """

    note_path: str
    note_title: str
    text: str
    line: int
    heading: str | None = None
    timestamp: datetime | None = None
    opinion: bool = False
    version: datetime | None = None
    ended: datetime | None = None
    ended_by: str | None = None
    read_as: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionSide:
    """One of two claims that clash, and the note that makes it.

    ``source`` is whom the claim is cited from, None where the note speaks for itself;
    ``speaks_of`` the year, month or day (ISO 8601) that the claim itself names; ``version`` is set
    where an earlier version of the note says it, which held from then on.
    """

    path: str
    title: str
    claim: str
    line: int
    heading: str | None
    timestamp: datetime | None
    source: str | None = None
    opinion: bool = False
    speaks_of: str | None = None
    version: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two claims that cannot both hold. ``similarity`` says how much they are about one thing.

    It is a ``disagreement`` where each is cited from another source: the notes report both.
    """

    note_a: ContradictionSide
    note_b: ContradictionSide
    confidence: float
    similarity: float
    type: ContradictionType
    newer: Literal["a", "b", "unknown"]
    explanation: str
    decided_by: DecidedBy
    relation: ClashRelation = "contradiction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Two claims that would clash, but speak of different times: ``after`` is the newer.

    ``changed_on`` is the first day on which the newer is known to hold, None where only the words
    tell the order. ``known_from`` says what tells it: dates in the claims, the dates of the notes,
    that one note superseded the other, or two versions of one note.
    """

    before: ContradictionSide
    after: ContradictionSide
    changed_on: datetime | None
    known_from: ChangeBasis
    confidence: float
    similarity: float
    type: ContradictionType
    explanation: str
    decided_by: DecidedBy
