"""The spans of a note that may answer a question: sentences, items, rows, lists, properties. Pure.

A span is what would be quoted as the answer, so it is as short as it can be read by itself: a
sentence of prose, an item of a list, a row of a table under its columns, a property; and a list as
a whole, under what introduces it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Literal, TypedDict

from tools.claims.sentences import Sentence, split
from tools.properties import Property, marked
from tools.tables import columns_by_row, heads, read_row

type SpanKind = Literal["prose", "item", "row", "list", "property"]

_MOST_ITEMS = 40
_HEADING_MARKS = "#"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Lines (1-based, inclusive) of a note and how they read, under their ``headings``.

    ``lead`` is the sentence that introduces the list of which an item or the whole is; ``order`` is
    the span's place among those of its note.
    """

    kind: SpanKind
    text: str
    line_start: int
    line_end: int
    order: int = 0
    headings: tuple[str, ...] = ()
    lead: str = ""

    def under(self, title: str) -> str:
        """The span as it is read: what stands over it, then its words."""
        over = [title, *(heading for heading in self.headings if heading != title)]
        return " > ".join(over) + ": " + " ".join(filter(None, (self.lead, self.text)))


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence with the lines it stands on (from 0) and how deep it is indented."""

    sentence: Sentence
    first: int
    last: int


def spans_of(lines: Sequence[str]) -> list[Span]:
    """The spans of a note with these lines, in their order; of an empty one none."""
    text = "\n".join(lines)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def at(offset: int) -> int:
        return bisect_right(starts, offset) - 1

    parts = [_Part(one, at(one.start), at(max(one.start, one.end - 1))) for one in split(text)]
    body = parts[0].first if parts else len(lines)
    stated = (one for one in marked(lines) if one.line - 1 < body and not one.technical)
    drafts = [_stated(one) for one in stated]
    columns = columns_by_row(lines)
    path: list[tuple[int, str]] = []
    lead = ""
    for kind, group in groupby(parts, key=_family):
        own = list(group)
        headings = tuple(name for _, name in path)
        if kind == "heading":
            for part in own:
                level = _level(lines[part.first])
                path = [above for above in path if above[0] < level]
                path.append((level, part.sentence.text))
        elif kind == "row":
            drafts += (replace(one, headings=headings) for one in _rows(own, lines, columns))
        elif kind == "item":
            drafts += (replace(one, headings=headings, lead=lead) for one in _list(own))
        else:
            drafts += (
                Span(kind="prose", text=one.sentence.text, headings=headings, **_between(one, one))
                for one in own
            )
        last = own[-1].sentence.text
        lead = last if kind == "prose" and last.endswith(":") else ""
    return [replace(one, order=order) for order, one in enumerate(drafts)]


class _Lines(TypedDict):
    line_start: int
    line_end: int


def _between(first: _Part, last: _Part) -> _Lines:
    return {"line_start": first.first + 1, "line_end": last.last + 1}


def _stated(one: Property) -> Span:
    end = one.line + one.text.count("\n")
    text = f"{one.key}: {', '.join(one.parts)}"
    return Span(kind="property", text=text, line_start=one.line, line_end=end)


def _rows(
    cells: Sequence[_Part], lines: Sequence[str], columns: Mapping[int, Sequence[str]]
) -> Iterator[Span]:
    """The rows of a table; the one with the headings of its columns says nothing by itself."""
    for row, own in groupby(cells, key=lambda part: part.first):
        if row in columns:
            text = read_row(lines[row], columns[row])
        elif not heads(lines, row):
            text = " · ".join(cell.sentence.text for cell in own)
        else:
            continue
        yield Span(kind="row", text=text, line_start=row + 1, line_end=row + 1)


def _list(parts: Sequence[_Part]) -> Iterator[Span]:
    """A list as a whole, where it has several items, and each item by itself."""
    items = list(_items(parts))
    if len(items) > 1:
        text = "; ".join(one.text for one in items[:_MOST_ITEMS])
        first, last = items[0].line_start, items[-1].line_end
        yield Span(kind="list", text=text, line_start=first, line_end=last)
    yield from items


def _family(part: _Part) -> str:
    match part.sentence.kind:
        case "heading":
            return "heading"
        case "cell":
            return "row"
        case "item" | "task":
            return "item"
        case "prose" | "field":
            return "prose"


def _items(parts: Sequence[_Part]) -> Iterator[Span]:
    """The items of a list; sentences that stand on the same line belong to one."""
    own: list[_Part] = []
    for part in (*parts, None):
        if own and (part is None or part.first > own[-1].last):
            text = " ".join(one.sentence.text for one in own)
            yield Span(kind="item", text=text, **_between(own[0], own[-1]))
            own = []
        if part is not None:
            own.append(part)


def _level(line: str) -> int:
    bare = line.lstrip(" >\t")
    return len(bare) - len(bare.lstrip(_HEADING_MARKS)) or 1
