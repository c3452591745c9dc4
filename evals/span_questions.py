"""Questions over a vault with every span of the notes found for each, and which are evidence."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.answers import AnswerCase, Place, Quoted
from evals.cases import read_lines
from evals.searching import find, indexed, looked_into
from graphs.evidence import gathered, sought_by
from tools.evidence_features import FEATURES, Asked, Candidate, speaking
from tools.evidence_ranking import READ, READ_BY, answered
from tools.semantic.evidence_reader import EvidenceReader

_TALLER = 2
"""A span of so many times the lines of what answers is no evidence."""

type Matrix = NDArray[np.float64]
type Which = NDArray[np.bool_]


@dataclass(slots=True, kw_only=True)
class Question:
    """A question, its spans, and which of them are evidence; then those read, the best first.

    ``question`` is how it was read, with slips put right; ``named`` are the spans of notes whose
    name is all that is asked for.
    """

    case: AnswerCase
    question: str
    asked: Asked
    found: Sequence[Candidate]
    gold: Which
    features: Matrix
    named: Which
    read: list[int] = field(default_factory=list[int])
    logits: Sequence[float] = ()

    @property
    def surest(self) -> Sequence[int]:
        """What was read, the likeliest answer first."""
        return [at for _, at in sorted(zip(self.logits, self.read, strict=True), reverse=True)]

    @property
    def judged(self) -> Matrix:
        """The features of the spans that were read (rows), with what the reader says."""
        pairs = zip(self.read, self.logits, strict=True)
        rows = [answered(self.asked, self.found[at], logit) for at, logit in pairs]
        return np.array(rows).reshape(-1, len(READ_BY))


async def questions(vault: Path, file: Path) -> list[Question]:
    """The questions over a vault, with every span of the notes found for each."""
    asked: list[Question] = []
    async with indexed(await asyncio.to_thread(vault.resolve)) as deps:
        for case in read_lines(file, AnswerCase):
            found = await find(case.q, deps)
            looked, texts = await looked_into(found, deps)
            sought = sought_by(found.plan, deps)
            spans = gathered(sought.asked, looked, texts, found.semantic)
            named = speaking(spans, sought.named)
            asked.append(
                Question(
                    case=case,
                    question=found.plan.reading.question,
                    asked=sought.asked,
                    found=spans,
                    gold=np.array([_answers(one, case.gold) for one in spans], bool),
                    named=np.array([one.note.path in named for one in spans], bool),
                    features=np.array([one.features for one in spans]).reshape(-1, len(FEATURES)),
                )
            )
    return asked


def read_all(asked: Sequence[Question], weights: Sequence[float] | Matrix) -> None:
    """Have the reader look at the spans that come first by ``weights`` (of ``FEATURES``)."""
    reader = EvidenceReader()
    for one in asked:
        begins = one.named * (1.0 + one.features[:, FEATURES.index("opening")])
        one.read = best_first(one.features @ np.asarray(weights), begins)[:READ]
        spans = [one.found[at] for at in one.read]
        one.logits = reader.scores(one.question, [o.span.under(o.note.title) for o in spans])


def best_first(scores: Matrix, before: Matrix | Which) -> list[int]:
    """The places of the greatest scores, those with more of ``before`` before the others."""
    return [int(at) for at in np.lexsort((-scores, -before.astype(float)))]


def _answers(candidate: Candidate, gold: Sequence[Place]) -> bool:
    """Whether a span is evidence; a list that is much longer than what answers is none."""
    span = candidate.span
    quoted = Quoted(path=candidate.note.path, first=span.line_start, last=span.line_end)
    height = span.line_end - span.line_start + 1
    return quoted.tells(
        place for place in gold if height <= _TALLER * (place.lines[1] - place.lines[0] + 1)
    )
