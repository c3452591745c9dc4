"""What an overview is chosen of: the statements of the notes found that are about what is asked."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import groupby

import numpy as np

from graphs.evidence import Texts
from tools.domain import Excerpt, OverviewKind, Result
from tools.evidence_ranking import Scored
from tools.overview.overview import Line
from tools.overview.quotations import block_quoted, is_quotation
from tools.overview.relevance import LEAST
from tools.overview.selection import centrality, select, similarity
from tools.overview.statements import Statement, statements
from tools.spans import Span

type Relevant = Sequence[tuple[Scored, float]]
"""Spans, and how surely in [0, 1] each is about what is asked."""
ROOM = 200
"""Words of an overview."""
_SPANS = 1000
"""Of one note, those most about what is asked: far more than any reads but a huge paragraph."""
_COMPARED = 600
"""Statements of which an overview is chosen: each is compared with each other."""
MOST = 4
"""Lines of one note, or of one heading of the note that is summarised."""


@dataclass(frozen=True, slots=True)
class Found:
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


def found_in(
    results: Mapping[str, Result],
    relevant: Relevant,
    texts: Texts,
    lines: Mapping[str, Sequence[str]],
    kind: OverviewKind,
) -> Found:
    """The statements about what is asked, of each note in its order."""
    own: dict[str, list[tuple[Scored, float]]] = {}
    for one, relevance in relevant:
        own.setdefault(one.candidate.note.path, []).append((one, relevance))
    told: list[Statement] = []
    for path, every in own.items():
        scored = nlargest(_SPANS, every, key=lambda one: one[1])
        scored.sort(key=lambda one: (one[0].candidate.span.part, one[0].candidate.span.order))
        for _, part in groupby(scored, key=lambda one: one[0].candidate.span.part):
            spans = [(one.candidate.span, relevance) for one, relevance in part]
            own_told = statements(
                path,
                [one for one, _ in spans],
                {span.order: relevance for span, relevance in spans},
                whole_lists=kind != "sides",  # its items may be on either
                block_quoted=block_quoted(lines[path]),
            )
            if kind == "quotes":
                own_told = _quoted(own_told, spans, lines[path])
            told += (one for one in own_told if one.relevance >= LEAST[kind] and one.readable)
    return Found(results, told, texts)


def _quoted(
    told: Sequence[Statement], spans: Sequence[tuple[Span, float]], lines: Sequence[str]
) -> list[Statement]:
    """The statements, where they are quoted with the relevance of their section, too.

    What somebody is quoted with seldom names what it is about.
    """
    best: dict[tuple[str, ...], float] = {}
    for span, relevance in spans:
        best[span.headings] = max(relevance, best.get(span.headings, 0.0))
    return [
        replace(one, relevance=math.sqrt(one.relevance * best[one.span.headings]))
        if is_quotation(one.span, lines)
        else one
        for one in told
    ]


def chosen_of(
    told: Sequence[Statement],
    *,
    room: int,
    most: int,
    group: Callable[[Statement], object],
) -> list[Statement]:
    """The most central statements that fit, in the order of their choice."""
    if not told:
        return []
    told = sorted(told, key=lambda one: -one.relevance * one.prior)[:_COMPARED]
    alike = similarity(told)
    asked = np.array([one.relevance * one.prior for one in told], np.float32)
    weights = centrality(alike, asked) * np.sqrt(asked)
    taken = select(told, alike, weights, room=room, group=group, most=most)
    return [told[at] for at in taken]
