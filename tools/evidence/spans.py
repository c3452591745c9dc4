"""The spans of a note that may answer a question: sentences, items, rows, properties, code. Pure.

A span is what would be quoted as the answer, so it is as short as it can be read by itself: a
sentence of prose, an item of a list, a row of a table under its columns, a property; and a list as
a whole, under what introduces it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby, takewhile
from textwrap import shorten
from typing import Literal, NamedTuple, TypedDict

from tools.base.domain import Excerpt
from tools.text.markdown.dialogue import SpeakerContext, speakers_by_sentence
from tools.text.markdown.properties import Property, is_technical, label_of, marked
from tools.text.markdown.sentences import Sentence, split
from tools.text.markdown.tables import columns_by_row, heads, read_row
from tools.text.tokens import TAG

type SpanKind = Literal["prose", "item", "row", "list", "property", "code"]

_NOTES = 256
"""Notes whose spans are kept."""
_MOST_ITEMS = 40
_LEAD = 80
"""Characters of an item that are read over those below it."""
_SENTENCES: tuple[SpanKind, ...] = ("prose", "property")
_HEADING_MARKS = "#"
_LINK_OR_TAG = re.compile(rf"\[\[[^\[\]\n]*+\]\]|(?<!\S){TAG}")
FENCE = re.compile(r"[\s>]*(`{3,}|~{3,})")
"""What begins and ends code: its mark."""


class Span(NamedTuple):
    """Lines (1-based, inclusive) of a note and how they read, under their ``headings``.

    It stands at the characters ``start`` to ``end`` of the note. ``lead`` is the sentence that
    introduces the list of which an item or the whole is, how the item over an item begins, or who
    says it in reply to which question;
    ``order`` is the span's place among those of its note; ``columns`` are the headings over a row;
    ``linked`` is the share of its letters that stand in links to notes and in tags; ``speaker`` is
    who says it in a conversation; ``part`` is the one of several texts of its note, in which it
    stands at ``start``.
    """

    kind: SpanKind
    text: str
    line_start: int
    line_end: int
    start: int
    end: int
    order: int = 0
    headings: tuple[str, ...] = ()
    lead: str = ""
    columns: tuple[str, ...] = ()
    linked: float = 0.0
    speaker: str = ""
    part: int = 0

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


@lru_cache(maxsize=_NOTES)  # one question after another finds the same notes
def spans_of(text: str) -> tuple[Span, ...]:
    """The spans of a note's text, in their order; of an empty one none."""
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def at(offset: int) -> int:
        return bisect_right(starts, offset) - 1

    parts = [_Part(one, at(one.start), at(max(one.start, one.end - 1))) for one in split(text)]
    body = parts[0].first if parts else len(lines)
    stated = (one for one in marked(lines) if one.line - 1 < body and not one.technical)
    drafts = [_stated(one, starts) for one in stated]
    columns = columns_by_row(lines)
    head = _head(parts, lines)
    said = speakers_by_sentence(text)
    path: list[tuple[int, str]] = []
    outline: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    lead = ""
    for kind, group in groupby(parts, key=_family):
        own = list(group)
        headings = tuple(name for _, name in path)
        if kind == "heading":
            for part in own:
                level = _level(lines[part.first])
                path = [above for above in path if above[0] < level]
                path.append((level, part.sentence.text))
                outline.append((part.first, tuple(name for _, name in path)))
        elif kind == "row":
            drafts += (
                one._replace(headings=headings) for one in _rows(own, lines, columns, starts)
            )
        elif kind == "item":
            drafts += (
                one._replace(headings=headings, lead=one.lead or lead)
                for one in _list(own, lines, said)
            )
        else:
            drafts += (
                Span(
                    kind="property" if one.first in head and not said else "prose",
                    text=one.sentence.text,
                    headings=headings,
                    **_between(one, one),
                    **_said(one, said),
                )
                for one in own
                if said or not head.get(one.first, False)
            )
        last = own[-1].sentence.text
        lead = last if kind == "prose" and last.endswith(":") else ""
    drafts += _code(lines, starts, parts, outline)
    drafts.sort(key=lambda one: one.line_start)
    return tuple(
        one._replace(order=order, linked=_linked(text[one.start : one.end]))
        for order, one in enumerate(drafts)
    )


def spans_in(text: Excerpt, part: int = 0) -> Sequence[Span]:
    """The spans of a text, on the lines of its note and under what stands over it.

    It is the one of several texts of its note that ``part`` says.
    """
    own = spans_of(text.text)
    over = tuple(filter(None, (*text.over, text.heading)))
    before = text.line_start - 1
    if not over and not before and not part:
        return own
    return [
        one._replace(
            part=part,
            line_start=one.line_start + before,
            line_end=one.line_end + before,
            # A passage may begin with the heading that it stands under.
            headings=over if set(one.headings) <= set(over) else (*over, *one.headings),
        )
        for one in own
    ]


def continued(text: str, span: Span, *, room: int) -> int:
    """Where a sentence of a text ends with those after it on its line that fit into the room.

    ``room`` is characters from its start on; a span that is no sentence ends where it does.
    """
    after = takewhile(
        lambda one: (
            one.kind in _SENTENCES
            and one.end - span.start <= room
            and "\n" not in text[span.end : one.end]
        ),
        spans_of(text)[span.order + 1 :] if span.kind in _SENTENCES else (),
    )
    return max((one.end for one in after), default=span.end)


class _Place(TypedDict):
    line_start: int
    line_end: int
    start: int
    end: int


def _between(first: _Part, last: _Part) -> _Place:
    return {
        "line_start": first.first + 1,
        "line_end": last.last + 1,
        "start": first.sentence.start,
        "end": last.sentence.end,
    }


class _Told(TypedDict):
    lead: str
    speaker: str


def _said(part: _Part, said: Mapping[int, SpeakerContext]) -> _Told:
    lead, speaker = said.get(part.sentence.start, ("", ""))
    return {"lead": lead, "speaker": speaker}


def _whole(first: int, last: int, starts: Sequence[int]) -> _Place:
    """Whole lines, counted from 0."""
    return {
        "line_start": first + 1,
        "line_end": last + 1,
        "start": starts[first],
        "end": starts[last + 1] - 1,
    }


def _head(parts: Sequence[_Part], lines: Sequence[str]) -> dict[int, bool]:
    """The lines of ``Key: value`` with which a note begins, and whether each serves its keeper."""
    head: dict[int, bool] = {}
    for part in parts:
        key = label_of(lines[part.first]) if _family(part) == "prose" else None
        if key is not None:
            head[part.first] = is_technical(key)
        elif part.sentence.kind != "heading" or head:
            break
    return head


def _linked(raw: str) -> float:
    """The share of a text's letters that stand in links to notes and in tags."""
    if "[[" not in raw and "#" not in raw:
        return 0.0
    letters = sum(map(str.isalnum, raw))
    kept = sum(map(str.isalnum, _LINK_OR_TAG.sub("", raw)))
    return 1.0 - kept / letters if letters else 1.0


def _code(
    lines: Sequence[str],
    starts: Sequence[int],
    parts: Sequence[_Part],
    outline: Sequence[tuple[int, tuple[str, ...]]],
) -> Iterator[Span]:
    """Each line of code, under its headings (``outline``) and the sentence before it."""
    said = [part for part in parts if part.sentence.kind != "heading"]
    for number in _code_lines(lines):
        headings = outline[bisect_right(outline, number, key=lambda one: one[0]) - 1][1]
        before = bisect_right(said, number, key=lambda part: part.first) - 1
        yield Span(
            kind="code",
            text=lines[number].strip(),
            headings=headings,
            lead=said[before].sentence.text if before >= 0 else "",
            **_whole(number, number, starts),
        )


def _code_lines(lines: Sequence[str]) -> Iterator[int]:
    """The lines within fenced code, counted from 0, but for empty ones."""
    fence = ""
    for number, line in enumerate(lines):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            elif line.strip():
                yield number
        elif mark:
            fence = mark[1]


def _stated(one: Property, starts: Sequence[int]) -> Span:
    text = f"{one.key}: {', '.join(one.parts)}"
    last = one.line - 1 + one.text.count("\n")
    return Span(kind="property", text=text, **_whole(one.line - 1, last, starts))


def _rows(
    cells: Sequence[_Part],
    lines: Sequence[str],
    columns: Mapping[int, tuple[str, ...]],
    starts: Sequence[int],
) -> Iterator[Span]:
    """The rows of a table; the one with the headings of its columns says nothing by itself."""
    for row, own in groupby(cells, key=lambda part: part.first):
        if row in columns:
            text = read_row(lines[row], columns[row])
        elif not heads(lines, row):
            text = " · ".join(cell.sentence.text for cell in own)
        else:
            continue
        yield Span(kind="row", text=text, columns=columns.get(row, ()), **_whole(row, row, starts))


def _list(
    parts: Sequence[_Part], lines: Sequence[str], said: Mapping[int, SpeakerContext]
) -> Iterator[Span]:
    """A list as a whole, where it has several items, and each item under that over it."""
    items = list(_items(parts, lines, said))
    if len(items) > 1:
        text = "; ".join(one.text for one in items[:_MOST_ITEMS])
        yield Span(kind="list", text=text, **_between(parts[0], parts[-1]))
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


def _items(
    parts: Sequence[_Part], lines: Sequence[str], said: Mapping[int, SpeakerContext]
) -> Iterator[Span]:
    """The items of a list; sentences that stand on the same line belong to one."""
    own: list[_Part] = []
    over: list[tuple[int, str]] = []
    for part in (*parts, None):
        if own and (part is None or part.first > own[-1].last):
            text = " ".join(one.sentence.text for one in own)
            depth = _depth(lines[own[0].first])
            over = [above for above in over if above[0] < depth]
            told = _said(own[0], said)
            told["lead"] = _shortened(over[-1][1]) if over else told["lead"]
            yield Span(kind="item", text=text, **_between(own[0], own[-1]), **told)
            over.append((depth, text))
            own = []
        if part is not None:
            own.append(part)


def _depth(line: str) -> int:
    """How far an item is indented; a quotation's mark counts as a blank."""
    bare = line.replace(">", " ").expandtabs(4)
    return len(bare) - len(bare.lstrip())


def _shortened(text: str) -> str:
    """How a text begins, of whole words."""
    return shorten(text, _LEAD, placeholder=" …")


def _level(line: str) -> int:
    bare = line.lstrip(" >\t")
    return len(bare) - len(bare.lstrip(_HEADING_MARKS)) or 1
