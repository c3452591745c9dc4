"""The notes found for a question, read: what of them stands in their files, and what answers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tools.base.domain import Excerpt, Result
from tools.evidence.features import QueryTerms
from tools.evidence.ranking import Scored, without_overlaps

type Texts = Mapping[str, Sequence[Excerpt]]
"""What is read of each note, by its path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The spans that may answer, the best first, and how likely it is that one does.

    ``confidence`` is how likely the best one does; both are None where nothing was read.
    ``named`` are the notes whose name is all that is asked for; those of them that say something
    are ``told``.
    """

    asked: QueryTerms
    spans: Sequence[Scored]
    answerable: float | None
    confidence: float | None = None
    named: Collection[str] = ()
    told: Collection[str] = ()

    @property
    def best(self) -> frozenset[str]:
        """The notes of the best spans."""
        return frozenset(
            one.note.path for one in without_overlaps(one.candidate for one in self.spans)
        )

    @property
    def taken(self) -> frozenset[str]:
        """The notes of which the reader takes a span for an answer."""
        return frozenset(
            one.candidate.note.path for one in self.spans if one.logit is not None and one.logit > 0
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesRead:
    """The notes found that say something, as they stood in their files when they were read.

    Of ``results`` every quoted line stood there; ``behind`` are those that are only read.
    ``lines`` are all lines of each note cited. The spans of ``evidence`` are those of the ``texts``
    of the notes ``looked`` through.
    """

    results: Sequence[Result]
    behind: Sequence[Result]
    lines: Mapping[str, Sequence[str]]
    looked: Sequence[Result]
    texts: Texts
    evidence: Evidence
