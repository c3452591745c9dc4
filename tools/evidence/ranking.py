"""Which span of the notes found answers best: learned weights of its features. Pure.

The weights are fitted by ``python -m evals.fitting.evidence_ranking`` on questions with their
evidence lines.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from tools.evidence.features import FEATURES, Candidate, QueryTerms
from tools.evidence.weights import weighed, weights_of

TOGETHER_BY = (*FEATURES, "together")
ALONE_BY = (*TOGETHER_BY, "alone")
ALONE = 10
"""Candidates that the reader looks at alone, of those that it has read beside their neighbours."""
CLOSE = 3.0
"""How far behind the best one they may be: others almost never come before it."""
SHOWN = 3
"""Spans that are quoted whichever notes they stand in; of every other note one."""
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


def window_features(candidate: Candidate, logit: float) -> tuple[float, ...]:
    """The candidate's features and what the reader says of it, in the order of ``TOGETHER_BY``."""
    return (*candidate.features, logit)


def span_features(candidate: Candidate, together: float, alone: float) -> tuple[float, ...]:
    """The same with what it says of the candidate alone, in the order of ``ALONE_BY``."""
    return (*window_features(candidate, together), alone)


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
        return -asked, -asked * one.features[opening], -weighed(weights, one.features)

    return sorted(found, key=place)


def first_weights() -> tuple[float, ...]:
    """The weights of ``FEATURES`` by which what is read is chosen."""
    return weights_of("prior", FEATURES)


def ranked(found: Sequence[Candidate], logits: Sequence[float | None]) -> list[Scored]:
    """The candidates by how well they answer, those that were read before the others.

    ``found`` are in their first order, ``logits`` what the reader says of each beside its
    neighbours: None of one that it did not read.
    """
    prior, weights = first_weights(), weights_of("together", TOGETHER_BY)
    read: list[Scored] = []
    rest: list[Scored] = []
    for one, logit in zip(found, logits, strict=True):
        if logit is None:
            rest.append(Scored(one, weighed(prior, one.features)))
        else:
            read.append(Scored(one, weighed(weights, window_features(one, logit)), logit))
    return _one_after_another(read, rest)


def contender_count(scores: Iterable[float]) -> int:
    """How many of the first may still be the best; ``scores`` are those of ``ranked``."""
    first = list(islice(scores, ALONE))
    return sum(1 for _ in takewhile(lambda one: one >= first[0] - CLOSE, first))


def ranked_alone(found: Sequence[Scored], logits: Sequence[float | None]) -> list[Scored]:
    """Those that the reader has looked at alone before the others, by all that it says of them.

    ``logits`` are what it says of each of ``found``: None of one that it has not looked at.
    """
    weights = weights_of("alone", ALONE_BY)
    read: list[Scored] = []
    rest: list[Scored] = []
    for one, alone in zip(found, logits, strict=True):
        if alone is None or one.together is None:
            rest.append(one)
        else:
            features = span_features(one.candidate, one.together, alone)
            read.append(replace(one, score=weighed(weights, features), alone=alone))
    return _one_after_another(read, rest)


def _one_after_another(first: Sequence[Scored], rest: Sequence[Scored]) -> list[Scored]:
    """The first by their scores, then the rest in their order, none above any of the first."""
    ordered = sorted(first, key=lambda one: -one.score)
    top = rest[0].score if rest else 0.0
    last = ordered[-1].score if ordered else top
    return ordered + [replace(one, score=last + (one.score - top)) for one in rest]


def list_of(
    asked: QueryTerms, best: Candidate, sure: Collection[Candidate], found: Iterable[Candidate]
) -> Candidate | None:
    """The whole list that the ``best`` span leads to or is an item of, where that is the answer.

    It is behind a sentence that ends with a colon; and where several things or steps are asked for
    and several of its items are among those that the reader takes for answers (``sure``).
    """
    several = asked.reading.likely("list", "howto") >= _LIKELY
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


def without_overlaps(found: Iterable[Candidate]) -> list[Candidate]:
    """The first spans that are ``SHOWN``, without those that share lines with one before them."""
    kept: list[Candidate] = []
    for one in found:
        if len(kept) == SHOWN:
            break
        if not any(overlap(one, other) for other in kept):
            kept.append(one)
    return kept


def overlap(one: Candidate, other: Candidate) -> bool:
    a, b = one.span, other.span
    same = one.note.path == other.note.path
    return same and a.line_start <= b.line_end and b.line_start <= a.line_end
