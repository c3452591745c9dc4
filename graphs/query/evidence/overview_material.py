"""What an overview is chosen of: the statements of the notes found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import groupby

from graphs.core.notes_read import Texts
from tools.base.domain import Excerpt, OverviewKind, Result
from tools.evidence.features import FEATURES
from tools.evidence.ranking import Scored
from tools.evidence.spans import spans_of
from tools.overview.overview import Line
from tools.overview.statements import Known, Statement, statements

_SPANS = 1000
"""Of one note, those that answer best: far more than any reads but a huge paragraph."""
_MEANT = FEATURES.index("whole_meaning")
_READ = 100_000
"""Characters of a note that a summary is made of: its first."""


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


def statements_of_notes(
    results: Mapping[str, Result],
    spans: Sequence[Scored],
    texts: Texts,
    lines: Mapping[str, Sequence[str]],
    kind: OverviewKind,
) -> Found:
    """The statements of all the notes, each note's in its order."""
    best = max(one.score for one in spans)
    own: dict[str, list[Scored]] = {}
    for one in spans:
        own.setdefault(one.candidate.note.path, []).append(one)
    told: list[Statement] = []
    for path, every in own.items():
        first = nlargest(_SPANS, every, key=lambda one: one.score)
        first.sort(key=lambda one: (one.candidate.span.part, one.candidate.span.order))
        for _, part in groupby(first, key=lambda one: one.candidate.span.part):
            known = {one.candidate.span.order: one for one in part}
            told += statements(
                path,
                [one.candidate.span for one in known.values()],
                lines[path],
                {
                    order: Known(one.score - best, semantic_score(one))
                    for order, one in known.items()
                },
                whole_lists=kind != "sides",  # its items may be on either
            )
    return Found(results, [one for one in told if one.readable], texts)


def semantic_score(one: Scored) -> float:
    """How much of the question a span means, under its headings and title, in [0, 1]."""
    return one.candidate.features[_MEANT]


def statements_of_note(result: Result, lines: Sequence[str]) -> Found:
    """The statements of one note, with those that only point elsewhere."""
    text = "\n".join(lines)[:_READ]
    told = statements(result.note_path, spans_of(text), lines)
    whole = Excerpt(text=text, line_start=1, line_end=text.count("\n") + 1)
    return Found({result.note_path: result}, told, {result.note_path: [whole]})
