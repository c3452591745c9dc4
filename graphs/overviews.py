"""An overview of what the notes found say: by note, of one note, by side, or word for word."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

import numpy as np

from agents.heads import Vector, vector_text
from agents.sides import side_of
from graphs.deps import Deps
from graphs.evidence import Evidence, Texts
from tools.domain import Excerpt, OverviewKind, QueryPlan, Result
from tools.errors import BrainError
from tools.evidence_confidence import is_absent
from tools.evidence_features import FEATURES
from tools.evidence_ranking import Scored
from tools.overview.overview import Group, Line, Overview, Side
from tools.overview.quotations import is_quotation
from tools.overview.relevance import LEAST, is_named, relevances
from tools.overview.selection import centrality, select, similarity
from tools.overview.statements import Statement, statements
from tools.spans import spans_of
from tools.text.normalize import fold_name
from tools.text.voice import say

_ROOM = 200
"""Words of an overview."""
_OF_A_NOTE = 0.75
"""Share of its words up to which a short note is summarised."""
_FEWEST_WORDS = 60
_MOST = 4
"""Lines of one note, or of one heading of the note that is summarised."""
_LINES = 12
"""Lines of a note without headings."""
_NOTES = 6
_JUDGED = 20
"""Lines whose side is looked at: those likeliest about what is asked."""
_LABEL = 4
"""Words of what may be a label of lines."""
_CALLED = 0.5
"""Share of a note's name that is asked for and of the question in it, together, from which on it is
the note that is meant."""
_QUOTED = 3
"""Lines of one note where words are asked for that can be quoted."""
_UNQUOTED = 0.2
"""What a line counts beside words that somebody is quoted with."""


_TITLES: Mapping[Side | None, str] = {"for": "For", "against": "Against", None: "Also said"}


@dataclass(frozen=True, slots=True)
class _Found:
    """The notes found, their statements, and the texts in which these stand."""

    results: Mapping[str, Result]
    told: Sequence[Statement]
    texts: Texts

    def lines(self, told: Sequence[Statement]) -> list[Line]:
        """How statements are cited; what introduces several of them is read once."""
        before = [None, *told]
        return [self._line(one, over) for one, over in zip(told, before, strict=False)]

    def _line(self, one: Statement, before: Statement | None) -> Line:
        whole = self.texts[one.path][one.span.part]
        *over, heading = one.span.headings or (None,)
        said = whole.text[one.span.start : one.span.end].strip()
        reads = one.span.text if before and one.goes_on(before) else one.text
        excerpt = Excerpt(
            text=said,
            line_start=one.span.line_start,
            line_end=one.span.line_end,
            heading=heading,
            over=tuple(filter(None, over)),
            reads=None if reads == said else reads,
        )
        return Line(result=self.results[one.path], excerpt=excerpt)


async def find_overview(
    plan: QueryPlan,
    results: Sequence[Result],
    evidence: Evidence,
    *,
    texts: Texts,
    lines: Mapping[str, Sequence[str]],
    deps: Deps,
) -> Overview | None:
    """The overview asked for; None where none is, or where the notes do not speak of it.

    ``texts`` are what was read of the ``results`` for the ``evidence``, ``lines`` all they say.
    """
    kind, spans = plan.reading.overview, evidence.spans
    if kind is None or not spans:
        return None
    known = {one.note_path: one for one in reversed(results)}
    subject = _subject(evidence)
    if subject is None and not is_named(spans):
        return None
    if evidence.answerable is not None and is_absent(evidence.answerable) and subject is None:
        return None
    if kind == "summary" and subject is not None:
        return await asyncio.to_thread(_summary, known[subject], lines[subject])
    kind = "overview" if kind == "summary" else kind
    found = await asyncio.to_thread(_found, known, evidence, texts, kind)
    if kind == "sides":
        return await _by_side(found, deps)
    return await asyncio.to_thread(_by_note, found, lines, kind)


def _subject(evidence: Evidence) -> str | None:
    """The note called most like what is asked: by the share of its name and of the question.

    Where two are called alike it is the one that answers better.
    """
    asked, covered = FEATURES.index("title_asked"), FEATURES.index("title_coverage")

    def called(one: Scored) -> float:
        return one.candidate.features[asked] + one.candidate.features[covered]

    best = max(
        evidence.spans, key=lambda one: (one.candidate.note.path in evidence.named, called(one))
    )
    return best.candidate.note.path if called(best) >= _CALLED else None


def _found(
    results: Mapping[str, Result], evidence: Evidence, texts: Texts, kind: OverviewKind
) -> _Found:
    """The statements about what is asked, of each note in its order."""
    own: dict[str, list[tuple[Scored, float]]] = {}
    for one, relevance in zip(evidence.spans, relevances(evidence.spans), strict=True):
        own.setdefault(one.candidate.note.path, []).append((one, relevance))
    told: list[Statement] = []
    for path, scored in own.items():
        scored.sort(key=lambda one: (one[0].candidate.span.part, one[0].candidate.span.order))
        for _, part in groupby(scored, key=lambda one: one[0].candidate.span.part):
            spans = [(one.candidate.span, relevance) for one, relevance in part]
            known = {span.order: relevance for span, relevance in spans}
            whole = kind != "sides"  # the items of a list may be on either
            own_told = statements(path, [one for one, _ in spans], known, whole_lists=whole)
            told += (one for one in own_told if one.relevance >= LEAST[kind] and one.readable)
    return _Found(results, told, texts)


def _chosen(
    told: Sequence[Statement],
    *,
    room: int,
    most: int,
    group: Callable[[Statement], object],
    weigh: Callable[[Statement], float] = lambda _: 1.0,
) -> list[Statement]:
    """The most central statements that fit, in the order of their choice."""
    if not told:
        return []
    alike = similarity(told)
    asked = np.array([one.relevance * one.prior * weigh(one) for one in told], np.float32)
    weights = centrality(alike, asked) * np.sqrt(asked)
    taken = select(told, alike, weights, room=room, group=group, most=most)
    return [told[at] for at in taken]


def _in_order(told: Sequence[Statement]) -> list[Statement]:
    return sorted(told, key=lambda one: (one.span.part, one.span.line_start, one.span.order))


def _by_note(
    found: _Found, lines: Mapping[str, Sequence[str]], kind: OverviewKind
) -> Overview | None:
    """The notes that speak of it most, each with its most central lines in its order."""
    first: dict[str, float] = {}
    for one in found.told:
        first[one.path] = max(one.relevance, first.get(one.path, 0.0))
    paths = sorted(first, key=lambda path: -first[path])[:_NOTES]

    def weigh(one: Statement) -> float:
        if kind != "quotes":
            return 1.0
        # What is quoted seldom names what it is about, which lowers its relevance.
        quoted = is_quotation(one.span, lines[one.path])
        return one.relevance**-0.5 if quoted else _UNQUOTED

    told = [one for one in found.told if one.path in paths]
    most = _QUOTED if kind == "quotes" else _MOST
    chosen = _chosen(told, room=_ROOM, most=most, group=lambda one: one.path, weigh=weigh)
    groups = [
        Group(lines=found.lines(_in_order(own)))
        for path in paths
        if (own := [one for one in chosen if one.path == path])
    ]
    return Overview(kind=kind, groups=groups, notes=len(first)) if groups else None


def _summary(result: Result, lines: Sequence[str]) -> Overview | None:
    """The whole of a note in its order: of each heading the most central lines."""
    text = "\n".join(lines)
    told = statements(result.note_path, spans_of(text))
    words = sum(one.words for one in told)
    parts = len({one.span.headings for one in told})
    chosen = _chosen(
        told,
        room=min(_ROOM, max(_FEWEST_WORDS, round(_OF_A_NOTE * words))),
        most=max(_MOST, _LINES // max(1, parts)),
        group=lambda one: one.span.headings,
    )
    whole = Excerpt(text=text, line_start=1, line_end=len(lines))
    found = _Found({result.note_path: result}, told, {result.note_path: [whole]})
    groups = [
        Group(title=_part(headings, result), lines=found.lines([*own]))
        for headings, own in groupby(_in_order(chosen), key=lambda one: one.span.headings)
    ]
    return Overview(kind="summary", groups=groups, notes=1, lines=len(told)) if groups else None


def _part(headings: Sequence[str], result: Result) -> str | None:
    """The heading of a part; the one that is the note's name says nothing new."""
    last = headings[-1] if headings else ""
    return last if last and fold_name(last) != fold_name(result.note_title) else None


async def _by_side(found: _Found, deps: Deps) -> Overview | None:
    """What speaks for it, what against it, and what else is said; all by note if none does."""
    told = sorted(found.told, key=lambda one: -one.relevance)[:_JUDGED]
    sides = await _sides(found, told, deps)
    if not sides:
        return await asyncio.to_thread(_by_note, found, {}, "overview")

    def of_side(side: Side | None) -> list[Statement]:
        own = [one for one in told if sides.get(id(one)) == side]
        room = _ROOM * 2 // 5 if side else _ROOM // 5
        chosen = _chosen(own, room=room, most=_MOST, group=lambda one: one.path)
        return sorted(chosen, key=told.index)

    chosen: list[tuple[Side | None, list[Statement]]] = [
        (side, await asyncio.to_thread(of_side, side)) for side in _TITLES
    ]
    groups = [
        Group(
            title=say(_TITLES[side]),
            lines=found.lines(own),
        )
        for side, own in chosen
        if own
    ]
    notes = len({line.result.note_path for group in groups for line in group.lines})
    return Overview(kind="sides", groups=groups, notes=notes)


async def _sides(found: _Found, told: Sequence[Statement], deps: Deps) -> dict[int, Side]:
    """The side of each statement over which something stands that says one.

    What a sentence itself speaks for is told too badly: on the wrong side it misleads.
    """
    over = [_labels(one, found.results[one.path].note_title) for one in told]
    texts = list(dict.fromkeys(chain(*over)))
    vectors = await asyncio.gather(*(_vector(text, deps) for text in texts))
    known: dict[str, Side] = {}
    for text, vector in zip(texts, vectors, strict=True):
        side = None if vector is None else side_of(text, vector)
        if side is not None:
            known[text] = side
    return {
        id(one): known[label]
        for one, labels in zip(told, over, strict=True)
        for label in [next((label for label in labels if label in known), "")]
        if label
    }


def _labels(one: Statement, title: str) -> list[str]:
    """What stands over a statement, the nearest first: its own first words before a colon, too.

    A heading that is the note's name is none, nor is a long one, which tells what is said.
    """
    own, colon, _ = one.span.text.partition(":")
    first = own if colon and one.span.kind != "row" else ""
    headed = one.span.headings[-1] if one.span.headings else ""
    headed = "" if fold_name(headed) == fold_name(title) else headed
    labels = (first, one.lead.rstrip(":"), headed)
    return [text for text in labels if text and len(text.split()) <= _LABEL]


async def _vector(text: str, deps: Deps) -> Vector | None:
    try:
        return await deps.read(vector_text(text))
    except BrainError:
        return None
