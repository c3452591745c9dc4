"""Which span of the notes found answers best: a few features of each, and learned weights. Pure.

The weights are fitted by ``python -m evals.fit_evidence`` on questions with their evidence lines.
"""

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.domain import AnswerKind, QuestionReading
from tools.spans import Span
from tools.utterances import stem, stems_in

WEIGHTS = Path(__file__).with_name("evidence_weights.json")
FEATURES = (
    "span_coverage",
    "heading_coverage",
    "title_coverage",
    "whole_coverage",
    "near_coverage",
    "own_coverage",
    "pair_coverage",
    "names",
    "title_asked",
    "note_rank",
    "note_first",
    "note_score",
    "note_relevance",
    "passage_similarity",
    "passage_nearest",
    "order",
    "opening",
    "opening_asked",
    "opening_alone",
    "opening_defined",
    "opening_explored",
    "length",
    "short",
    "item",
    "row",
    "list",
    "property",
    "code",
    "linked",
    "question",
    "announces",
    "number_asked",
    "time_asked",
    "list_asked",
    "item_asked",
    "reason_asked",
)
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
    "turkish",
)
READ = 20
"""Candidates that the reader is asked about."""
_NUMBER = re.compile(r"\d")
_TIME = re.compile(r"\d{4}|\d{1,2}[.:/]\d{1,2}|\b(?:yesterday|today|monday|tuesday|wednesday)\b")
_REASON = re.compile(r"\b(?:because|since|so that|due to|therefore|reason|çünkü|için|yüzünden)\b")
_WHOLE = 0.999
_NEAR = 2
"""Spans before and behind one whose words count as near it."""
_SOME = 3
"""Words of a question from which on a span that has them all is no coincidence."""
_BEFORE = 100.0
"""More than any score."""
_LIKELY = 0.5
"""Probability from which on a list is taken to be asked for."""
_LINKS = 0.5
"""Share of a span's letters in links from which on it only points elsewhere."""
_SHORT = 4
"""Words below which a span seldom says anything by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The weight of each stem of a question's words, in their order, and what would answer it.

    ``names`` are the stems of names and numbers; ``unknown`` those of words that no note has;
    ``kinds`` is how likely each kind of answer is asked for.
    """

    weights: Mapping[str, float]
    names: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    kinds: Mapping[AnswerKind, float] = field(default_factory=dict[AnswerKind, float])
    turkish: bool = False

    def of(self, *kinds: AnswerKind) -> float:
        """How likely an answer of one of these kinds is asked for."""
        return sum(self.kinds.get(kind, 0.0) for kind in kinds)

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Words that stand beside each other."""
        own = list(self.weights)
        return frozenset(pairwise(own))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A note among those found: its place (from 0) and scores.

    ``passages`` are those that meaning found: first and last line, and similarity in [0, 1].
    """

    path: str
    title: str
    rank: int
    score: float
    relevance: float
    passages: Sequence[tuple[int, int, float]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of a note and its features, in the order of ``FEATURES``."""

    note: Found
    span: Span
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate, its place among all by ``score``, and the reader's logit where it was read."""

    candidate: Candidate
    score: float
    logit: float | None = None


def asked_for(
    reading: QuestionReading,
    words: Sequence[str],
    weights: Iterable[float],
    *,
    unknown: Iterable[str] = (),
) -> Asked:
    """What a question asks for whose content ``words`` have these weights (idf).

    Of the words ``unknown`` are those that no note has.
    """
    named = {*reading.names, *(word for word in words if _NUMBER.search(word))}
    weighed = {stem(word): weight for word, weight in zip(words, weights, strict=True)}
    return Asked(
        weights=weighed,
        names=frozenset(weighed.keys() & {stem(name) for name in named}),
        unknown=frozenset(map(stem, unknown)),
        kinds=reading.kinds,
        turkish=reading.turkish,
    )


def candidates(asked: Asked, note: Found, spans: Sequence[Span]) -> list[Candidate]:
    """The spans of a note with their features."""
    total = sum(asked.weights.values()) or 1.0
    pairs = asked.pairs

    @cache
    def over(text: str) -> frozenset[str]:
        return frozenset(asked.weights).intersection(stems_in(text))

    def share(stems: Iterable[str]) -> float:
        return sum(asked.weights[one] for one in stems) / total

    titled = over(note.title)
    named = frozenset(stems_in(note.title))
    title_asked = len(named & asked.weights.keys()) / len(named) if named else 0.0
    begins = next((span.order for span in spans if span.kind != "property"), 0)
    holding = [over(span.text) for span in spans]
    found: list[Candidate] = []
    for at, span in enumerate(spans):
        said, held = stems_in(span.text), holding[at]
        heading = over(" ".join(span.headings))
        whole = held | heading | titled | over(span.lead)
        near = whole.union(*holding[max(0, at - _NEAR) : at + _NEAR + 1])
        coverage = (
            share(held),
            share(heading),
            share(titled),
            share(whole),
            share(near),
            share(held - titled - heading),
            _pairs(said, pairs),
            len(asked.names & whole) / len(asked.names) if asked.names else 1.0,
            title_asked,
        )
        # What a note is about stands where it begins.
        opening = float(span.order == begins)
        opens = (
            opening,
            opening * title_asked,
            opening * title_asked * share(titled),
            opening * asked.of("definition"),
            opening * asked.of("explore"),
        )
        placed = (*_placed(note, span), *opens)
        found.append(Candidate(note, span, (*coverage, *placed, *_form(asked, span, len(said)))))
    return found


def _pairs(said: Sequence[str], pairs: frozenset[tuple[str, str]]) -> float:
    if not pairs:
        return 0.0
    return len(pairs.intersection(pairwise(said))) / len(pairs)


def _placed(note: Found, span: Span) -> tuple[float, ...]:
    """Where the span stands: how its note and passage were found, and its place in the note."""
    around = (one for first, last, one in note.passages if first <= span.line_start <= last)
    similarity = max(around, default=0.0)
    return (
        math.log1p(note.rank),
        float(note.rank == 0),
        note.score,
        note.relevance,
        similarity,
        float(0.0 < similarity >= max((one for *_, one in note.passages), default=0.0)),
        math.log1p(span.order),
    )


def _form(asked: Asked, span: Span, words: int) -> tuple[float, ...]:
    """What kind of span it is, and whether it has what the question's form asks for."""
    folded = span.text.lower()
    return (
        math.log1p(words),
        float(words < _SHORT),
        float(span.kind == "item"),
        float(span.kind == "row"),
        float(span.kind == "list"),
        float(span.kind == "property"),
        float(span.kind == "code"),
        span.linked,
        float(folded.endswith("?")),
        float(folded.endswith(":")),
        asked.of("fact") * (_NUMBER.search(folded) is not None),
        asked.of("when") * (_TIME.search(folded) is not None),
        asked.of("list", "howto") * (span.kind == "list"),
        asked.of("list", "howto") * (span.kind == "item"),
        asked.of("why") * (_REASON.search(folded) is not None),
    )


def speaking(found: Iterable[Candidate], named: Collection[str]) -> frozenset[str]:
    """Those of the notes ``named`` that say something: a span that is more than links and keys."""
    return frozenset(
        one.note.path
        for one in found
        if one.note.path in named
        and one.span.kind != "property"
        and one.span.linked < _LINKS
        and len(one.span.text.split()) > 1
    )


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


def answerable(asked: Asked, spans: Sequence[Scored], *, named: bool = False) -> float:
    """The probability that one of the spans answers, from those that were read; 0 of none.

    Where one says all that is asked for, or a note is ``named`` so, it is at least what is not
    called absent.
    """
    read = [one for one in spans if one.logit is not None]
    if not read:
        return 0.0
    weights = _weights("answerable", ANSWERABLE_BY)
    likely = 1.0 / (1.0 + math.exp(-_dot(weights, told_by(asked, read))))
    said = named or any(_says_all(asked, one.candidate) for one in read)
    return max(likely, float(_kept()["absent_below"])) if said else likely


def _says_all(asked: Asked, candidate: Candidate) -> bool:
    """Whether the span alone has every word of a question of some words."""
    covered = candidate.features[FEATURES.index("span_coverage")]
    return len(asked.weights) >= _SOME and covered > _WHOLE


def is_absent(probability: float) -> bool:
    """Whether an answer of this probability is so unlikely that the notes are said not to have it.

    No more than a twentieth of the questions that have an answer may be told so.
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
        float(asked.turkish),
    )


def _dot(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum(w * x for w, x in zip(weights, features, strict=True))


@cache
def _weights(part: str, names: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(float(_kept()[part][name]) for name in names)


@cache
def _kept() -> dict[str, Any]:
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))
