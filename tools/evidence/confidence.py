"""How sure an answer is: whether the notes have one, and whether the best span is it. Pure.

Both are logistic regressions over what the spans that were read tell, fitted by
``python -m evals.fitting.evidence_ranking``.
"""

import math
from collections.abc import Collection, Sequence

from tools.base.domain import ANSWER_KINDS
from tools.evidence.features import FEATURES, Candidate, QueryTerms, has_full_name, persons_in
from tools.evidence.ranking import CLOSE, Scored, overlap
from tools.evidence.weights import absent_below, weighed, weights_of
from tools.text.markdown.dialogue import first_name
from tools.text.names import full_names
from tools.text.tokens import stem, stems_in

RIGHT_BY = ("constant", "surest", "score", "ahead", "ahead_of_notes", "named")
ANSWERABLE_BY = (
    *RIGHT_BY,
    "unsure",
    "all",
    "first_covered",
    "every_word",
    "relevance",
    "words",
    "names",
    "of_another",
    *ANSWER_KINDS,
)
_WHOLE = 0.999
_SOME = 3
"""Words of a question from which on a span that has them all is no coincidence."""
_OF_THEM, _SOMEBODY = 10.28, 0.38
"""Slope and middle of the logistic by which an answer is likely that is told of the person asked
about. The slope is fitted on ``evals/data/answerable.jsonl``; the middle, 0.44 there, is lowered so
that on four public conversations about a twentieth is denied wrongly (PERFORMANCE.md)."""
_SHARPNESS = 0.1
"""Difference in coverage by which a span weighs e times as much as another."""
_SAME = 0.6
"""Share of the words of two spans from which on they say the same."""
_HALF = 0.5


def answerable(
    asked: QueryTerms, spans: Sequence[Scored], *, named: Collection[str] = frozenset()
) -> float:
    """The probability that one of the spans answers, from those that were read; 0 of none.

    Where the best says all that is asked for, and not of somebody else, or notes are ``named`` so,
    it is at least what is not called absent.
    """
    read = [one for one in spans if one.logit is not None]
    if not read:
        return 0.0
    weights = weights_of("answerable", ANSWERABLE_BY)
    likely = _logistic(weighed(weights, answerability_features(asked, read, named)))
    of_them = _told_of_them(asked, spans)
    likely *= of_them
    said = bool(named) or (of_them > _HALF and _says_all(asked, read[0].candidate))
    return max(likely, absent_below()) if said else likely


def _says_all(asked: QueryTerms, candidate: Candidate) -> bool:
    """Whether the span alone has every word of a question of some words."""
    covered = candidate.features[FEATURES.index("span_coverage")]
    return len(asked.weights) >= _SOME and covered > _WHOLE


def confidence(
    asked: QueryTerms, spans: Sequence[Scored], *, named: Collection[str] = frozenset()
) -> float:
    """The probability that the best span answers, 0 of none.

    It is calibrated: of the answers given with 0.8 four of five are right. The notes ``named`` are
    those whose name is all that is asked for.
    """
    read = [one for one in spans if one.logit is not None]
    if not read:
        return 0.0
    likely = _logistic(weighed(weights_of("right", RIGHT_BY), first_line_features(read, named)))
    return likely * _told_of_them(asked, spans)


def first_line_features(read: Sequence[Scored], named: Collection[str]) -> tuple[float, ...]:
    """What the spans that were read, the best first, tell of the first (``RIGHT_BY``).

    ``ahead`` is how far it is before the next one that shares no lines with it and says another
    thing, ``ahead_of_notes`` before the next one of another note: as far as those that are looked
    at alone may be apart, at most.
    """
    best, *others = _closely(read)
    apart = [one for one in others if not _says_the_same(one.candidate, best.candidate)]
    elsewhere = [one for one in apart if one.candidate.note.path != best.candidate.note.path]

    def ahead(behind: Sequence[Scored]) -> float:
        return min(CLOSE, best.score - behind[0].score) if behind else CLOSE

    surest = max(one.logit or 0.0 for one in (best, *others))
    return (
        1.0,
        surest,
        best.score,
        ahead(apart),
        ahead(elsewhere),
        float(best.candidate.note.path in named),
    )


def _says_the_same(one: Candidate, other: Candidate) -> bool:
    """Whether two spans are the same lines, or share most of their words."""
    if overlap(one, other):
        return True
    own, others = {*stems_in(one.span.text)}, {*stems_in(other.span.text)}
    return len(own & others) >= _SAME * len(own | others) > 0


def is_absent(probability: float) -> bool:
    """Whether an answer of this probability is so unlikely that the notes are said not to have it.

    The bound is fitted so that one in 25 of the questions that have an answer is told so at most.
    """
    return probability < absent_below()


def answerability_features(
    asked: QueryTerms, read: Sequence[Scored], named: Collection[str]
) -> tuple[float, ...]:
    """What the spans that were read, the best first, tell of an answer (``ANSWERABLE_BY``)."""
    logits = [one.logit or 0.0 for one in _closely(read)]
    covered = [one.candidate.features[FEATURES.index("whole_coverage")] for one in read]
    return (
        *first_line_features(read, named),
        min(0.0, max(logits)),
        math.log1p(sum(map(math.exp, logits))),
        covered[0],
        float(max(covered) > _WHOLE),
        max(one.candidate.note.relevance for one in read),
        float(len(asked.weights)),
        float(len(asked.names)),
        float(_is_of_another(asked, [one.candidate for one in read])),
        *(asked.reading.likely(kind) for kind in ANSWER_KINDS),
    )


def _closely(read: Sequence[Scored]) -> Sequence[Scored]:
    """Those that were looked at alone, if any were."""
    return [one for one in read if one.alone is not None] or read


def _is_of_another(asked: QueryTerms, read: Sequence[Candidate]) -> bool:
    """Whether the best span has names of several words but none that is asked, which others have.

    So a line on "Harbor Hill" is where "Amber Grove" is asked about and has lines of its own.
    """
    best, *others = read
    if has_full_name(asked, best) or not full_names(best.span.text):
        return False
    return any(has_full_name(asked, one) for one in others)


def _told_of_them(asked: QueryTerms, spans: Sequence[Scored]) -> float:
    """How likely the spans tell of the person asked about, where one who speaks is."""
    return _logistic(
        _OF_THEM * (person_coverage(asked, [one.candidate for one in spans]) - _SOMEBODY)
    )


def person_coverage(asked: QueryTerms, found: Sequence[Candidate]) -> float:
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
