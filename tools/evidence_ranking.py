"""Which span of the notes found answers best: learned weights of its features. Pure.

The weights are fitted by ``python -m evals.fit_evidence`` on questions with their evidence lines.
"""

import json
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from tools.domain import ANSWER_KINDS
from tools.evidence_features import FEATURES, Asked, Candidate, is_called, persons_in
from tools.text.dialogue import first_name
from tools.text.tokens import stem, stems_in

WEIGHTS = Path(__file__).with_name("evidence_weights.json")
TOGETHER_BY = (*FEATURES, "together", "together_turkish")
ALONE_BY = (*TOGETHER_BY, "alone", "alone_turkish")
ANSWERABLE_BY = (
    "constant",
    "surest",
    "unsure",
    "all",
    "most_covered",
    "first_covered",
    "every_word",
    "relevance",
    "words",
    "names",
    "unnamed",
    *ANSWER_KINDS,
)
ALONE = 10
"""Candidates that the reader looks at alone, of those that it has read beside their neighbours."""
_CLOSE = 3.0
"""How far behind the best one they may be: others almost never come before it."""
SHOWN = 3
"""Spans that are quoted whichever notes they stand in; of every other note one."""
_WHOLE = 0.999
_SOME = 3
"""Words of a question from which on a span that has them all is no coincidence."""
_OF_THEM, _SOMEBODY = 10.28, 0.38
"""Slope and middle of the logistic by which an answer is likely that is told of the person asked
about. The slope is fitted on ``evals/data/answerable.jsonl``; the middle, 0.44 there, is lowered so
that on four public conversations about a twentieth is denied wrongly (PERFORMANCE.md)."""
_SHARPNESS = 0.1
"""Difference in coverage by which a span weighs e times as much as another."""
_LIKELY = 0.5
"""Probability from which on a list is taken to be asked for."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate and its place among all by ``score``, with the reader's logits where it was read.

    ``together`` was given beside what stands around it, ``alone`` without that.
    """

    candidate: Candidate
    score: float
    together: float | None = None
    alone: float | None = None

    @property
    def logit(self) -> float | None:
        """How surely it answers: the mean of what is known."""
        if self.together is None or self.alone is None:
            return self.together
        return (self.together + self.alone) / 2.0


def read_together(candidate: Candidate, logit: float) -> tuple[float, ...]:
    """The candidate's features and what the reader says of it, in the order of ``TOGETHER_BY``."""
    return (*candidate.features, logit, logit * candidate.note.turkish)


def read_alone(candidate: Candidate, together: float, alone: float) -> tuple[float, ...]:
    """The same with what it says of the candidate alone, in the order of ``ALONE_BY``."""
    return (*read_together(candidate, together), alone, alone * candidate.note.turkish)


def first_ranked(
    found: Iterable[Candidate], named: Collection[str] = frozenset()
) -> list[Candidate]:
    """The candidates by what they share with the question, the best first.

    Before all others stand those of the notes ``named``, whose name is all that is asked for, and
    of these where the notes begin.
    """
    weights, opening = first_weights(), FEATURES.index("opening")

    def place(one: Candidate) -> tuple[float, float, float]:
        asked = float(one.note.path in named)
        return -asked, -asked * one.features[opening], -_dot(weights, one.features)

    return sorted(found, key=place)


def first_weights() -> tuple[float, ...]:
    """The weights of ``FEATURES`` by which what is read is chosen."""
    return _weights("prior", FEATURES)


def ranked(found: Sequence[Candidate], logits: Sequence[float | None]) -> list[Scored]:
    """The candidates by how well they answer, those that were read before the others.

    ``found`` are in their first order, ``logits`` what the reader says of each beside its
    neighbours: None of one that it did not read.
    """
    prior, weights = first_weights(), _weights("together", TOGETHER_BY)
    read: list[Scored] = []
    rest: list[Scored] = []
    for one, logit in zip(found, logits, strict=True):
        if logit is None:
            rest.append(Scored(one, _dot(prior, one.features)))
        else:
            read.append(Scored(one, _dot(weights, read_together(one, logit)), logit))
    return _one_after_another(read, rest)


def contenders(scores: Iterable[float], *, most: int = ALONE) -> int:
    """How many of the first may still be the best; ``scores`` are those of ``ranked``."""
    first = list(islice(scores, most))
    return sum(1 for _ in takewhile(lambda one: one >= first[0] - _CLOSE, first))


def ranked_alone(found: Sequence[Scored], logits: Sequence[float | None]) -> list[Scored]:
    """Those that the reader has looked at alone before the others, by all that it says of them.

    ``logits`` are what it says of each of ``found``: None of one that it has not looked at.
    """
    weights = _weights("alone", ALONE_BY)
    read: list[Scored] = []
    rest: list[Scored] = []
    for one, alone in zip(found, logits, strict=True):
        if alone is None or one.together is None:
            rest.append(one)
        else:
            features = read_alone(one.candidate, one.together, alone)
            read.append(replace(one, score=_dot(weights, features), alone=alone))
    return _one_after_another(read, rest)


def _one_after_another(first: Sequence[Scored], rest: Sequence[Scored]) -> list[Scored]:
    """The first by their scores, then the rest in their order, none above any of the first."""
    ordered = sorted(first, key=lambda one: -one.score)
    top = rest[0].score if rest else 0.0
    last = ordered[-1].score if ordered else top
    return ordered + [replace(one, score=last + (one.score - top)) for one in rest]


def list_of(
    asked: Asked, best: Candidate, sure: Collection[Candidate], found: Iterable[Candidate]
) -> Candidate | None:
    """The whole list that the ``best`` span leads to or is an item of, where that is the answer.

    It is behind a sentence that ends with a colon; and where several things or steps are asked for
    and several of its items are among those that the reader takes for answers (``sure``).
    """
    several = asked.of("list", "howto") >= _LIKELY
    for one in found:
        if one.note.path != best.note.path or one.span.kind != "list":
            continue
        items = [
            other
            for other in sure
            if other.note.path == best.note.path
            and other.span.kind == "item"
            and one.span.line_start <= other.span.line_start <= one.span.line_end
        ]
        leads = best.span.kind == "prose" and one.span.order == best.span.order + 1
        if leads and (several or best.span.text.endswith(":")):
            return one
        if several and best in items and len(items) > 1:
            return one
    return None


def apart(found: Iterable[Candidate]) -> list[Candidate]:
    """The first spans that are ``SHOWN``, without those that share lines with one before them."""
    kept: list[Candidate] = []
    for one in found:
        if len(kept) == SHOWN:
            break
        if not any(_overlap(one, other) for other in kept):
            kept.append(one)
    return kept


def _overlap(one: Candidate, other: Candidate) -> bool:
    a, b = one.span, other.span
    same = one.note.path == other.note.path
    return same and a.line_start <= b.line_end and b.line_start <= a.line_end


def answerable(asked: Asked, spans: Sequence[Scored], *, named: bool = False) -> float:
    """The probability that one of the spans answers, from those that were read; 0 of none.

    Where the best says all that is asked for, and not of somebody else, or a note is ``named`` so,
    it is at least what is not called absent.
    """
    read = [one for one in spans if one.logit is not None]
    if not read:
        return 0.0
    weights = _weights("answerable", ANSWERABLE_BY)
    likely = _logistic(_dot(weights, told_by(asked, read)))
    of_them = told_of(asked, [one.candidate for one in spans]) - _SOMEBODY
    likely *= _logistic(_OF_THEM * of_them)
    said = named or (of_them > 0.0 and _says_all(asked, read[0].candidate))
    return max(likely, float(_kept()["absent_below"])) if said else likely


def _says_all(asked: Asked, candidate: Candidate) -> bool:
    """Whether the span alone has every word of a question of some words."""
    covered = candidate.features[FEATURES.index("span_coverage")]
    return len(asked.weights) >= _SOME and covered > _WHOLE


def is_absent(probability: float) -> bool:
    """Whether an answer of this probability is so unlikely that the notes are said not to have it.

    The bound is fitted so that a twentieth of the questions that have an answer is told so at most.
    """
    return probability < _kept()["absent_below"]


def told_by(asked: Asked, read: Sequence[Scored]) -> tuple[float, ...]:
    """What the spans that were read, the best first, tell of an answer (``ANSWERABLE_BY``)."""
    closely = [one for one in read if one.alone is not None]
    logits = [one.logit or 0.0 for one in closely or read]
    covered = [one.candidate.features[FEATURES.index("whole_coverage")] for one in read]
    return (
        1.0,
        max(logits),
        min(0.0, max(logits)),
        math.log1p(sum(map(math.exp, logits))),
        max(covered),
        covered[0],
        float(max(covered) > _WHOLE),
        max(one.candidate.note.relevance for one in read),
        float(len(asked.weights)),
        float(len(asked.names)),
        float(_is_unnamed(asked, [one.candidate for one in read])),
        *(asked.of(kind) for kind in ANSWER_KINDS),
    )


def _is_unnamed(asked: Asked, read: Sequence[Candidate]) -> bool:
    """Whether the best span lacks a name of several words that another has."""
    return not is_called(asked, read[0]) and any(is_called(asked, one) for one in read)


def told_of(asked: Asked, found: Sequence[Candidate]) -> float:
    """How far the spans that hold most of the question tell of the person asked about, in [0, 1].

    1 where nobody who speaks is asked about.
    """
    spans = [one.span for one in found]
    if not persons_in(asked, spans):
        return 1.0
    people = {stem(first_name(one.speaker)) for one in spans if one.speaker}
    wanted = {word: weight for word, weight in asked.weights.items() if word not in people}
    total = sum(wanted.values()) or 1.0
    shares = [
        sum(wanted[word] for word in wanted.keys() & {*stems_in(one.text), *stems_in(one.lead)})
        for one in spans
    ]
    most = max(shares)
    weights = [math.exp((share - most) / total / _SHARPNESS) for share in shares]
    at = FEATURES.index("tells")
    return math.sumprod(weights, [one.features[at] for one in found]) / sum(weights)


def _logistic(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit))


def _dot(weights: Sequence[float], features: Sequence[float]) -> float:
    return math.sumprod(weights, features)


@cache
def _weights(part: str, names: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(float(_kept()[part][name]) for name in names)


@cache
def _kept() -> dict[str, Any]:
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))
