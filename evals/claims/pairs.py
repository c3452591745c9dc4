"""Have pairs of claims judged as the program itself judges them, and say how well."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import batched
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from agents.judge.judge import MOST_FOR_MODEL, judge_pairs
from agents.judge.report import JudgedPair
from agents.llm.structured import StructuredModel
from evals.datasets.records import Record, Text
from evals.metrics.classification import Scores, Share
from tools.base.domain import Claim, ContradictionType, DecidedBy, Mode
from tools.semantic.pair_reader import PairReader

Label = Literal["contradiction", "entailment", "neutral", "none"]
"""``none`` is what is no contradiction, be it the one or the other."""


class ClaimPair(Record):
    """Two claims and, where known, how they stand to each other."""

    example: ClassVar[str] = '{"a": "Basil needs sun.", "b": "Basil needs no sun."}'

    a: Text
    b: Text
    label: Label | None = None
    source: str | None = None
    about_a: str = ""
    about_b: str = ""
    date_a: date | None = None
    date_b: date | None = None

    @property
    def claims(self) -> tuple[Claim, Claim]:
        """Both as claims of two notes, which are called after what the claims are about."""
        a = _claim(self.a, path="a.md", title=self.about_a, day=self.date_a)
        return a, _claim(self.b, path="b.md", title=self.about_b, day=self.date_b)


def _claim(text: str, *, path: str, title: str, day: date | None) -> Claim:
    written = datetime.combine(day, time(), UTC) if day else None
    return Claim(note_path=path, note_title=title, text=text, line=1, timestamp=written)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOutcome:
    """A pair and what it was judged to be."""

    pair: ClaimPair
    contradiction: bool
    confidence: float
    type: ContradictionType | None
    explanation: str
    decided_by: DecidedBy

    def line(self) -> str:
        """The prediction as one JSON object."""
        told = {
            "a": self.pair.a,
            "b": self.pair.b,
            "predicted": "contradiction" if self.contradiction else "none",
            "confidence": self.confidence,
            "type": self.type if self.contradiction else None,
            "explanation": self.explanation if self.contradiction else "",
            "decided_by": self.decided_by,
        }
        return json.dumps(told, ensure_ascii=False)


async def run_pairs(
    pairs: Sequence[ClaimPair],
    *,
    model: StructuredModel | None,
    mode: Mode,
    on_outcome: Callable[[PairOutcome], None] = lambda _: None,
) -> list[PairOutcome]:
    """The outcomes in the order of the pairs; ``on_outcome`` hears each once it is known."""
    done: list[PairOutcome] = []
    # As many at once as a model is asked about for one question.
    for some in batched(pairs, MOST_FOR_MODEL):
        judged = await judge_pairs(
            [pair.claims for pair in some],
            relate=_relate,
            model=model,
            mode=mode,
        )
        for at, (pair, one) in enumerate(zip(some, judged.pairs, strict=True)):
            outcome = _outcome(pair, one, silent=at in judged.unanswered)
            done.append(outcome)
            on_outcome(outcome)
    return done


def _outcome(pair: ClaimPair, judged: JudgedPair, *, silent: bool) -> PairOutcome:
    found = judged.verdict
    return PairOutcome(
        pair=pair,
        contradiction=found.contradiction and judged.order is None,
        confidence=found.confidence,
        type=found.type,
        explanation=found.explanation,
        decided_by="fallback" if silent else judged.decided_by,
    )


async def _relate(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    return _reader().relations(pairs)


@cache
def _reader() -> PairReader:
    return PairReader()


# --- how good ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSummary:
    """Contradictions found; of the pairs that are none, the share taken for one.

    ``found`` is None where there is no contradiction to find, ``alarms`` where there is nothing
    else.
    """

    found: Scores | None
    alarms: Share | None


def summarise(outcomes: Sequence[PairOutcome]) -> PairSummary:
    """Figures of the labelled ones among them."""
    labelled = [one for one in outcomes if one.pair.label is not None]
    truly = [one for one in labelled if one.pair.label == "contradiction"]
    others = [one for one in labelled if one.pair.label != "contradiction"]
    hits = sum(one.contradiction for one in truly)
    alarms = sum(one.contradiction for one in others)
    return PairSummary(
        found=_scores(hits, alarms, len(truly)) if truly else None,
        alarms=Share(hits=alarms, count=len(others)) if others else None,
    )


def _scores(hits: int, alarms: int, support: int) -> Scores:
    precision = hits / (hits + alarms) if hits else 0.0
    recall = hits / support
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return Scores(precision=precision, recall=recall, f1=f1, support=support)


def by_source(outcomes: Sequence[PairOutcome]) -> Mapping[str, Sequence[PairOutcome]]:
    """The labelled outcomes of each source, in the order in which they first appear."""
    groups: dict[str, list[PairOutcome]] = {}
    for outcome in outcomes:
        if outcome.pair.label is not None:
            groups.setdefault(outcome.pair.source or "", []).append(outcome)
    return groups


def scored(outcomes: Sequence[PairOutcome]) -> list[tuple[float, bool]]:
    """Of each labelled pair how surely it is called a contradiction, and whether it is one."""
    return [
        (one.confidence, one.pair.label == "contradiction")
        for one in outcomes
        if one.pair.label is not None
    ]
