"""Which span of the notes found answers best: learned weights of its features. Pure.

The weights are fitted by ``python -m evals.fit_evidence`` on questions with their evidence lines.
"""

import json
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tools.domain import ANSWER_KINDS
from tools.evidence_features import FEATURES, Asked, Candidate, persons_in
from tools.text.dialogue import first_name
from tools.text.tokens import stem, stems_in

WEIGHTS = Path(__file__).with_name("evidence_weights.json")
READ_BY = (*FEATURES, "answers", "answers_turkish")
ANSWERABLE_BY = (
    "constant",
    "surest",
    "first",
    "third",
    "most_covered",
    "first_covered",
    "first_names",
    "similar",
    "relevance",
    "together",
    "every_word",
    "unknown",
    "unknown_name",
    "turkish",
    "words",
    "names",
    "told",
    *ANSWER_KINDS,
)
READ = 24
"""Candidates that the reader is asked about."""
SHOWN = 3
"""Spans that are quoted whichever notes they stand in; of every other note one."""
_WHOLE = 0.999
_SOME = 3
"""Words of a question from which on a span that has them all is no coincidence."""
_BEFORE = 100.0
"""More than any score."""
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
    """A candidate, its place among all by ``score``, and the reader's logit where it was read."""

    candidate: Candidate
    score: float
    logit: float | None = None


def answered(asked: Asked, candidate: Candidate, logit: float) -> tuple[float, ...]:
    """The candidate's features beside what the reader says of it, in the order of ``READ_BY``."""
    return (*candidate.features, logit, logit * asked.turkish)


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


def ranked(
    asked: Asked,
    read: Sequence[Candidate],
    logits: Sequence[float] | None,
    rest: Sequence[Candidate],
) -> list[Scored]:
    """The candidates by how well they answer, those that were ``read`` before the ``rest``.

    ``logits`` are what the reader says of those that were read; None if it could not be asked.
    Where it takes none for an answer, a span that says all that is asked for comes first.
    """
    prior = first_weights()
    if logits is None:
        return [Scored(one, _dot(prior, one.features)) for one in (*read, *rest)]
    weights, unsure = _weights("read", READ_BY), max(logits, default=0.0) < 0.0
    scored = [
        Scored(
            one,
            _dot(weights, answered(asked, one, logit))
            + _BEFORE * (unsure and _says_all(asked, one)),
            logit,
        )
        for one, logit in zip(read, logits, strict=True)
    ]
    scored.sort(key=lambda one: -one.score)
    # What was not read comes after all that was, in the order it had.
    last = scored[-1].score if scored else 0.0
    top = _dot(prior, rest[0].features) if rest else 0.0
    behind = [Scored(one, last + (_dot(prior, one.features) - top)) for one in rest]
    return scored + behind


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

    Where one says all that is asked for, and not of somebody else, or a note is ``named`` so, it is
    at least what is not called absent.
    """
    read = [one for one in spans if one.logit is not None]
    if not read:
        return 0.0
    weights = _weights("answerable", ANSWERABLE_BY)
    likely = _logistic(_dot(weights, told_by(asked, read)))
    of_them = told_of(asked, [one.candidate for one in spans]) - _SOMEBODY
    likely *= _logistic(_OF_THEM * of_them)
    said = named or (of_them > 0.0 and any(_says_all(asked, one.candidate) for one in read))
    return max(likely, float(_kept()["absent_below"])) if said else likely


def _says_all(asked: Asked, candidate: Candidate) -> bool:
    """Whether the span alone has every word of a question of some words."""
    covered = candidate.features[FEATURES.index("span_coverage")]
    return len(asked.weights) >= _SOME and covered > _WHOLE


def is_absent(probability: float) -> bool:
    """Whether an answer of this probability is so unlikely that the notes are said not to have it.

    The bound is fitted so that a twentieth of the questions that have an answer is told so.
    """
    return probability < _kept()["absent_below"]


def told_by(asked: Asked, read: Sequence[Scored]) -> tuple[float, ...]:
    """What the spans that were read, the best first, tell of an answer (``ANSWERABLE_BY``)."""
    logits = sorted((one.logit or 0.0 for one in read), reverse=True)

    def of(one: Scored, name: str) -> float:
        return one.candidate.features[FEATURES.index(name)]

    first = read[0]
    covered = max(of(one, "whole_coverage") for one in read)
    total = sum(asked.weights.values()) or 1.0
    return (
        1.0,
        logits[0],
        first.logit or 0.0,
        logits[min(2, len(logits) - 1)],
        covered,
        of(first, "whole_coverage"),
        of(first, "names"),
        max(of(one, "passage_similarity") for one in read),
        max(one.candidate.note.relevance for one in read),
        math.log1p(sum(map(math.exp, logits))),
        float(covered > _WHOLE),
        sum(asked.weights.get(one, 0.0) for one in asked.unknown) / total,
        float(not asked.names.isdisjoint(asked.unknown)),
        float(asked.turkish),
        float(len(asked.weights)),
        float(len(asked.names)),
        _told(read),
        *(asked.of(kind) for kind in ANSWER_KINDS),
    )


def _told(read: Sequence[Scored]) -> float:
    """How far what is read tells of who is asked about: the mean weighed by how surely it answers.

    What is asked of one person and was said by another is as close to the question as its answer.
    """
    weights = [math.exp(one.logit or 0.0) for one in read]
    at = FEATURES.index("tells")
    tells = [one.candidate.features[at] for one in read]
    return math.sumprod(weights, tells) / sum(weights)


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
