"""What a span of the notes has to do with a question: a few features of each. Pure."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tools.base.domain import AnswerKind, Before, QuestionReading
from tools.evidence.spans import Span
from tools.temporal.periods.vocabulary import MONTHS, WEEKDAYS
from tools.text.likeness import Rows, rows_of, word_by_word
from tools.text.markdown.dialogue import first_name, speaker_match
from tools.text.names import FullName, full_names, is_another
from tools.text.tokens import stem, stems, stems_in, words_of

FEATURES = (
    "span_coverage",
    "heading_coverage",
    "title_coverage",
    "whole_coverage",
    "near_coverage",
    "own_coverage",
    "pair_coverage",
    "span_meaning",
    "whole_meaning",
    "near_meaning",
    "tells",
    "title_asked",
    "note_rank",
    "note_score",
    "passage_similarity",
    "order",
    "opening",
    "opening_alone",
    "opening_defined",
    "opening_explored",
    "length",
    "row",
    "list",
    "property",
    "linked",
    "question_said",
    "announces",
    "number_asked",
    "time_asked",
    "item_asked",
    "reason_asked",
    "answered_note",
    "answered_notes",
    "answered_near",
    "answered_line",
)
_NUMBER = re.compile(r"\d")
_TIME = re.compile(r"\d{4}|\d{1,2}[.:/]\d{1,2}|\b(?:yesterday|today|monday|tuesday|wednesday)\b")
_REASON = re.compile(r"\b(?:because|since|so that|due to|therefore|reason|çünkü|için|yüzünden)\b")
_DATES = stems((*MONTHS, *WEEKDAYS))
_NEAR = 2
"""Spans before and behind one whose words count as near it."""
_LINKS = 0.5
"""Share of a span's letters in links from which on it only points elsewhere."""
_LINES = 4.0
"""Lines from those that answered the question before, over which nearness falls to a third."""
_SPANS = 16_384
"""Spans of which it is kept what they say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerms:
    """The weight of each stem of a question's words, in their order, and how it was read.

    ``names`` are the stems of names and numbers, ``full_names`` those of names of several words.
    """

    weights: Mapping[str, float]
    reading: QuestionReading = field(default_factory=QuestionReading)
    names: frozenset[str] = frozenset()
    full_names: tuple[FullName, ...] = ()

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Words that stand beside each other."""
        own = list(self.weights)
        return frozenset(pairwise(own))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A note among those found: its place (from 0) and scores.

    ``passages`` are those that meaning found: first and last line, and similarity in [0, 1];
    ``turkish`` is the language that it is written in, else English.
    """

    path: str
    title: str
    rank: int
    score: float
    relevance: float
    passages: Sequence[tuple[int, int, float]]
    turkish: bool = False


class _Wanted(NamedTuple):
    """How likely answers of some kinds are asked for."""

    definition: float
    explore: float
    fact: float
    when: float
    several: float
    why: float


_WANTED: Sequence[tuple[AnswerKind, ...]] = (
    ("definition",),
    ("explore",),
    ("fact",),
    ("when",),
    ("list", "howto"),
    ("why",),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of a note and its features, in the order of ``FEATURES``."""

    note: Found
    span: Span
    features: tuple[float, ...]


def query_terms(
    reading: QuestionReading, words: Sequence[str], weights: Iterable[float]
) -> QueryTerms:
    """What a question asks for whose content ``words`` have these weights (idf)."""
    named = {*reading.names, *(word for word in words if _NUMBER.search(word))}
    weighed: dict[str, float] = {}
    for word, weight in zip(words, weights, strict=True):
        parts = stems_in(word)  # texts are read so, too: self-control is two words
        for part in parts:
            weighed[part] = max(weight / len(parts), weighed.get(part, 0.0))
    return QueryTerms(
        weights=weighed,
        reading=reading,
        names=frozenset(weighed.keys() & stems(named)),
        full_names=tuple(filter(_DATES.isdisjoint, full_names(reading.wanted))),
    )


def without_other_names(asked: QueryTerms, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those that name another whose name shares a word with one asked for.

    Where something is told of Amber Hill itself, the budget of Amber Grove is never its answer.
    What stands under the name, or has it beside the other, stays.
    """
    names = asked.full_names
    others = {
        id(one)
        for one in found
        if names and any(is_another(name, names) for name in full_names(one.span.text))
    }
    if not others or not any(has_full_name(asked, one) for one in found):
        return list(found)
    return [one for one in found if id(one) not in others or has_full_name(asked, one)]


def has_full_name(asked: QueryTerms, candidate: Candidate) -> bool:
    """Whether a span, or what stands over it, has a name of several words that is asked about."""
    if not asked.full_names:
        return False
    said = stems_in(candidate.span.under(candidate.note.title))
    return any(
        name == said[at : at + len(name)] for name in asked.full_names for at in range(len(said))
    )


def persons_in(asked: QueryTerms, spans: Iterable[Span]) -> frozenset[str]:
    """Who of those that speak is asked about, by folded first names."""
    names = {first_name(name) for name in {span.speaker for span in spans} if name}
    return frozenset(name for name in names if stem(name) in asked.weights)


def candidates(
    asked: QueryTerms, note: Found, spans: Sequence[Span], *, persons: Collection[str] = ()
) -> list[Candidate]:
    """The spans of a note with their features; ``persons`` are those asked about who speak."""
    total = sum(asked.weights.values()) or 1.0
    asking, pairs = frozenset(asked.weights), asked.pairs
    wanted = _Wanted(*(asked.reading.likely(*kinds) for kinds in _WANTED))

    @cache
    def over(text: str) -> frozenset[str]:
        return asking.intersection(stems_in(text))

    @cache
    def share(stems: frozenset[str]) -> float:
        return sum(asked.weights[one] for one in stems) / total

    titled = over(note.title)
    named = frozenset(stems_in(note.title))
    title_asked = len(named & asking) / len(named) if named else 0.0
    begins = next((span.order for span in spans if span.kind != "property"), 0)
    said = [_said(span) for span in spans]
    holding = [asking.intersection(one.stems) for one in said]
    meaning = _meaning(asked, note, spans, said)
    by_line = _by_line(note)
    found: list[Candidate] = []
    for at, (span, own) in enumerate(zip(spans, said, strict=True)):
        held, heading = holding[at], over(" ".join(span.headings))
        whole = held | heading | titled | over(span.lead)
        near = whole.union(*holding[max(0, at - _NEAR) : at + _NEAR + 1])
        coverage = (
            share(held),
            share(heading),
            share(titled),
            share(whole),
            share(near),
            share(held - titled - heading),
            _pairs(own.stems, pairs) if len(held) > 1 else 0.0,
            *meaning[at],
            _tells(span, persons),
            title_asked,
        )
        # What a note is about stands where it begins.
        opening = float(span.order == begins)
        opens = (
            opening,
            opening * title_asked * share(titled),
            opening * wanted.definition,
            opening * wanted.explore,
        )
        similar = by_line.get(span.line_start, 0.0)
        placed = (*_placed(note, span, similar), *opens)
        form = _form(wanted, span, own)
        before = _beside(asked.reading.before, note, span)
        found.append(Candidate(note, span, (*coverage, *placed, *form, *before)))
    return found


def _tells(span: Span, persons: Collection[str]) -> float:
    """How far a span tells of one of those that are asked about."""
    if not persons:
        return 1.0
    words = frozenset(words_of(span.text))
    return max(speaker_match(span.speaker, words, one) for one in persons)


def _pairs(said: Sequence[str], pairs: frozenset[tuple[str, str]]) -> float:
    return len(pairs.intersection(pairwise(said))) / len(pairs)


def _meaning(
    asked: QueryTerms, note: Found, spans: Sequence[Span], said: Sequence["_Said"]
) -> list[list[float]]:
    """How much of the question each span has where words count that mean something alike, too.

    By itself, with what stands over it, and with the spans near it.
    """
    if not spans or not asked.weights:
        return [[0.0] * 3 for _ in spans]
    stems = tuple(asked.weights)
    own = word_by_word(stems, [(one.rows, one.stems) for one in said])
    places = {one: at for at, one in enumerate(dict.fromkeys(map(_over, spans)))}
    texts = [stems_in(" ".join((note.title, *headings, lead))) for headings, lead in places]
    above = word_by_word(stems, [(rows_of(text), text) for text in texts])
    whole = np.maximum(own, above[[places[_over(span)] for span in spans]])
    near = whole.copy()
    for step in range(1, _NEAR + 1):
        np.maximum(near[step:], own[:-step], out=near[step:])
        np.maximum(near[:-step], own[step:], out=near[:-step])
    shares = np.array([*asked.weights.values()], np.float32)
    shares /= shares.sum() or 1.0
    return np.stack([own @ shares, whole @ shares, near @ shares], 1).tolist()


def _over(span: Span) -> tuple[tuple[str, ...], str]:
    return span.headings, span.lead


def _by_line(note: Found) -> Mapping[int, float]:
    """The greatest similarity of the passages that a line stands in."""
    found: dict[int, float] = {}
    for first, last, similarity in note.passages:
        for line in range(first, last + 1):
            found[line] = max(similarity, found.get(line, 0.0))
    return found


def _placed(note: Found, span: Span, similarity: float) -> tuple[float, ...]:
    """Where the span stands: how its note and passage were found, and its place in the note."""
    return (
        math.log1p(note.rank),
        note.score,
        similarity,
        math.log1p(span.order),
    )


class _Said(NamedTuple):
    """What a span says whatever is asked: its stems, and the form of its text."""

    stems: tuple[str, ...]
    rows: Rows
    asks: bool
    announces: bool
    number: bool
    time: bool
    reason: bool


@lru_cache(maxsize=_SPANS)  # one question after another finds the same notes
def _said(span: Span) -> _Said:
    folded = span.text.lower()
    stems = stems_in(span.text)
    return _Said(
        stems=stems,
        rows=rows_of(stems),
        asks=folded.endswith("?"),
        announces=folded.endswith(":"),
        number=_NUMBER.search(folded) is not None,
        time=_TIME.search(folded) is not None,
        reason=_REASON.search(folded) is not None,
    )


def _form(wanted: _Wanted, span: Span, said: _Said) -> tuple[float, ...]:
    """What kind of span it is, and whether it has what the question's form asks for."""
    words = len(said.stems)
    return (
        math.log1p(words),
        float(span.kind == "row"),
        float(span.kind == "list"),
        float(span.kind == "property"),
        span.linked,
        float(said.asks and bool(span.speaker)),
        float(said.announces),
        wanted.fact * said.number,
        wanted.when * said.time,
        wanted.several * (span.kind == "item"),
        wanted.why * said.reason,
    )


def _beside(before: Before | None, note: Found, span: Span) -> tuple[float, ...]:
    """Where a span stands to what answered the question that this one leans on.

    In the first note of that answer, in any of its notes, how near to its first line, and whether
    on it.
    """
    if before is None or not before.places:
        return 0.0, 0.0, 0.0, 0.0
    path, first, last = before.places[0]
    own = float(path == note.path)
    away = max(first - span.line_end, span.line_start - last, 0)
    near = own * math.exp(-away / _LINES)
    return own, float(note.path in before.notes), near, own * (away == 0)


def notes_with_content(found: Iterable[Candidate], named: Collection[str]) -> frozenset[str]:
    """Those of the notes ``named`` that say something: a span that is more than links and keys."""
    return frozenset(
        one.note.path
        for one in found
        if one.note.path in named
        and one.span.kind != "property"
        and one.span.linked < _LINKS
        and len(one.span.text.split()) > 1
    )
