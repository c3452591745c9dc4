"""The notes found for a question, read: what of them stands in their files, and what answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphs.evidence import Evidence, Texts
from tools.domain import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The notes found that say something, as they stand in their files now.

    Of ``results`` every quoted line stands there; ``behind`` are those that are only read.
    ``lines`` are all lines of each note cited.
    """

    results: Sequence[Result]
    behind: Sequence[Result]
    lines: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesRead(Standing):
    """These, with ``evidence``: the spans of the ``texts`` of the notes ``looked`` through."""

    looked: Sequence[Result]
    texts: Texts
    evidence: Evidence
