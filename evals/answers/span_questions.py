"""Questions over a vault with every span of the notes found for each, and which are evidence."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.interpreter.conversation import context_of_line
from evals.answers.evidence import Quoted
from evals.datasets.dialogues import Dialogue
from evals.datasets.evidence import AnswerCase, Place
from evals.retrieval.search import Found, find, indexed, looked_into, read_found
from graphs.core.deps import Deps
from graphs.core.notes_read import Evidence
from graphs.query.evidence.evidence import EvidenceQuery, candidate_spans, evidence_query
from tools.base.domain import Before
from tools.evidence.features import FEATURES, Candidate, notes_with_content
from tools.evidence.ranking import (
    ALONE_BY,
    TOGETHER_BY,
    Scored,
    contender_count,
    span_features,
    window_features,
    without_overlaps,
)
from tools.evidence.spans import Span
from tools.evidence.windows import first_windows, logits_of
from tools.semantic.e5 import E5
from tools.semantic.evidence_reader import EvidenceReader
from tools.semantic.minilm import MINILM

_TALLER = 2
"""A span of so many times the lines of what answers is no evidence."""

type Matrix = NDArray[np.float64]
type Which = NDArray[np.bool_]


@dataclass(kw_only=True)
class Question:
    """A question, its spans, and which of them are evidence; then those read.

    ``named`` are the spans of notes whose name is all that is asked for. ``read`` are those read
    beside their neighbours, with their logits (``together``); the first of them were looked at
    once more, with what came of that (``alone``).
    """

    case: AnswerCase
    sought: EvidenceQuery
    found: Sequence[Candidate]
    gold: Which
    features: Matrix
    named: Which
    read: list[int] = field(default_factory=list[int])
    together: Sequence[float] = ()
    alone: Sequence[float] = ()

    @cached_property
    def named_notes(self) -> frozenset[str]:
        """The notes whose name is all that is asked for, that say something."""
        told = zip(self.found, self.named, strict=True)
        return frozenset(one.note.path for one, named in told if named)

    def answers(self, span: Candidate) -> bool:
        """Whether a span of ``found`` is evidence."""
        return any(self.found[at] is span for at in np.flatnonzero(self.gold).tolist())

    @property
    def surest(self) -> Sequence[int]:
        """What was read, the likeliest answer first."""
        return [at for _, at in sorted(zip(self.together, self.read, strict=True), reverse=True)]

    @property
    def twice(self) -> Sequence[int]:
        """What was looked at alone."""
        return self.read[: len(self.alone)]

    @property
    def rows_together(self) -> Matrix:
        """What is known of the spans that were read (``TOGETHER_BY``)."""
        pairs = zip(self.read, self.together, strict=True)
        rows = [window_features(self.found[at], logit) for at, logit in pairs]
        return np.array(rows).reshape(-1, len(TOGETHER_BY))

    @property
    def rows_alone(self) -> Matrix:
        """What is known of the spans that were looked at alone (``ALONE_BY``)."""
        known = zip(self.read, self.together, self.alone, strict=False)
        rows = [span_features(self.found[at], *logits) for at, *logits in known]
        return np.array(rows).reshape(-1, len(ALONE_BY))

    def ranked(self, weights: Matrix) -> list[Scored]:
        """All that was read, the best first, by ``weights`` of ``ALONE_BY``."""
        scores = self.rows_alone @ weights
        first = [
            Scored(self.found[self.read[at]], float(scores[at]), self.together[at], self.alone[at])
            for at in best_first(scores, self.named[self.twice])
        ]
        rest = zip(self.read, self.together, strict=True)
        return first + [Scored(self.found[at], 0.0, logit) for at, logit in rest][len(first) :]


async def questions(
    vault: Path, cases: Iterable[AnswerCase], dialogues: Iterable[Dialogue] = ()
) -> list[Question]:
    """The questions over a vault, with every span of the notes found for each.

    Then those turns of dialogues over it that lean on what was asked before, and are read so.
    """
    async with indexed(await asyncio.to_thread(vault.resolve)) as deps:
        asked = [await _with_spans(case, await find(case.q, deps), deps) for case in cases]
        for dialogue in dialogues:
            before: Before | None = None
            for turn in dialogue.turns:
                found = await find(turn.q, deps, before=before)
                if turn.leans and found.plan.reading.before:
                    asked.append(await _with_spans(turn, found, deps))
                before = _before(found, (await read_found(found, deps)).evidence)
    return asked


async def _with_spans(case: AnswerCase, found: Found, deps: Deps) -> Question:
    sought = evidence_query(found.plan, deps)
    looked, texts = await looked_into(found, sought, deps)
    spans = candidate_spans(sought, looked, texts, found.semantic)
    named = notes_with_content(spans, sought.named)
    return Question(
        case=case,
        sought=sought,
        found=spans,
        gold=np.array([answers(one.note.path, one.span, case.gold) for one in spans], bool),
        named=np.array([one.note.path in named for one in spans], bool),
        features=np.array([one.features for one in spans]).reshape(-1, len(FEATURES)),
    )


def _before(found: Found, evidence: Evidence) -> Before:
    """What the next turn may lean on, as an answer would leave it."""
    shown = without_overlaps(one.candidate for one in evidence.spans)
    places = [(one.note.path, one.span.line_start, one.span.line_end) for one in shown]
    return context_of_line(found.plan, line=shown[0].span.text if shown else "", places=places)


def read_windows(asked: Sequence[Question], weights: Sequence[float] | Matrix) -> None:
    """Have the reader read the windows whose spans come first by ``weights`` (of ``FEATURES``).

    What it does not get to read of them is left out.
    """
    for one in asked:
        reader = _reader(multilingual=one.sought.multilingual)
        begins = one.named * (1.0 + one.features[:, FEATURES.index("opening")])
        order = best_first(one.features @ np.asarray(weights), begins)
        windows = first_windows(one.found, [one.found[at] for at in order])
        scores = reader.scores(one.sought.window_inputs(windows), "together")
        logits = logits_of(one.found, windows, scores)
        one.read = [at for at in order if logits[at] is not None]
        one.together = [logit for at in order if (logit := logits[at]) is not None]
        one.alone = ()


def look_again(asked: Sequence[Question], weights: Sequence[float] | Matrix) -> None:
    """Have it look alone at those of them that come first by ``weights`` (of ``TOGETHER_BY``)."""
    for one in asked:
        reader = _reader(multilingual=one.sought.multilingual)
        scores = one.rows_together @ np.asarray(weights)
        order = best_first(scores, one.named[one.read])
        one.read = [one.read[at] for at in order]
        one.together = [one.together[at] for at in order]
        best = (one.found[at] for at in one.read[: contender_count(scores[order])])
        logits = reader.scores(one.sought.span_inputs(best), "alone")
        one.alone = [own[0] or 0.0 for own in logits]


@cache
def _reader(*, multilingual: bool) -> EvidenceReader:
    """The reader that goes with the vault's encoder."""
    return EvidenceReader(E5 if multilingual else MINILM)


def best_first(scores: Matrix, before: Matrix | Which) -> list[int]:
    """The places of the greatest scores, those with more of ``before`` before the others."""
    return [int(at) for at in np.lexsort((-scores, -before.astype(float)))]


def answers(path: str, span: Span, gold: Sequence[Place]) -> bool:
    """Whether a span of a note is evidence; a list much longer than what answers is none."""
    quoted = Quoted(path=path, first=span.line_start, last=span.line_end)
    height = span.line_end - span.line_start + 1
    return quoted.covers(
        place for place in gold if height <= _TALLER * (place.lines[1] - place.lines[0] + 1)
    )
