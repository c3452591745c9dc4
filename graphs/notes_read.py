"""The notes found for a question, read: what of them stands in their files, and what answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphs.evidence import Evidence, Texts
from tools.domain import Result


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
