"""Windows: a few neighbouring spans of a note, which the reader reads together. Pure.

A sentence often says what it says only beside the one before ("It was replaced after the second
winter."), so spans are not read one by one but as they stand, under their headings, and each is
scored within what stands around it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tools.base.domain import Marked
from tools.evidence.features import Candidate
from tools.evidence.spans import Span

READ = 10
"""Windows that the reader is asked about."""

_NOTES = 512
"""Notes whose windows are kept."""
LONGEST = 320
"""Characters of the spans of a window, some 80 tokens, unless a single one is longer."""
_MOST = 14
"""Spans of a window at most, lists apart."""
_BEFORE = 160
"""A sentence of so many characters at most is read once more before what follows it."""


class Window(NamedTuple):
    """A piece of a note: its ``text``, and which spans it has (places among those of the note).

    ``marks`` are the characters of ``text``, from and to, at which each of the spans stands.
    """

    text: str
    spans: tuple[int, ...]
    marks: tuple[tuple[int, int], ...]


class Piece(NamedTuple):
    """A window with the candidates of which it says at which characters they stand."""

    text: str
    marks: tuple[tuple[int, int], ...]
    candidates: tuple[Candidate, ...]

    def marked(self, question: str) -> Marked:
        """What the reader is given."""
        return Marked(question, self.text, self.marks)


def first_windows(
    found: Iterable[Candidate], best: Iterable[Candidate], *, most: int = READ
) -> list[Piece]:
    """The windows in which those of ``found`` stand that are ``best``, in their order.

    ``found`` are the spans of each note in the order of the note, ``best`` the same, the best
    first.
    """
    texts: dict[tuple[str, int], list[Candidate]] = {}
    for one in found:
        texts.setdefault((one.note.path, one.span.part), []).append(one)
    of: dict[int, Piece] = {}
    kept: dict[int, Piece] = {}
    for one in best:
        own = texts.pop((one.note.path, one.span.part), ())
        for window in windows_of(own[0].note.title, tuple(one.span for one in own)) if own else ():
            held = tuple(own[at] for at in window.spans)
            of |= dict.fromkeys(map(id, held), Piece(window.text, window.marks, held))
        if len(kept) == most:
            break
        piece = of.get(id(one))  # a list of which no item is left stands nowhere
        if piece:
            kept.setdefault(id(piece), piece)
    return list(kept.values())


def span_input(candidate: Candidate, question: str) -> Marked:
    """A span by itself; what stands over it is read as a part of it."""
    text = candidate.span.under(candidate.note.title)
    return Marked(question, text, [(0, len(text))])


def logits_of(
    found: Iterable[Candidate],
    windows: Iterable[Piece],
    scores: Iterable[Sequence[float | None]],
) -> list[float | None]:
    """The logit of each of ``found``, given those of the spans of the windows that were read."""
    logits = {
        id(one): logit
        for window, own in zip(windows, scores, strict=False)
        for one, logit in zip(window.candidates, own, strict=True)
    }
    return [logits.get(id(one)) for one in found]


@lru_cache(maxsize=_NOTES)  # one question after another finds the same notes
def windows_of(title: str, spans: tuple[Span, ...]) -> tuple[Window, ...]:
    """The windows of a note, given its ``spans`` in their order; each span is in one."""
    lists = _lists(spans)
    found: list[Window] = []
    before: Span | None = None
    for own in _parts(spans):
        drafted = _Draft(title, spans[own[0]], before)
        for at in own:
            drafted.add(at, spans[at], lists.get(at))
        found.append(drafted.window())
        before = spans[own[-1]]
    return tuple(found)


def _lists(spans: Sequence[Span]) -> Mapping[int, tuple[int, bool]]:
    """For each item of a list the list, and whether it is its first."""
    found: dict[int, tuple[int, bool]] = {}
    whole: int | None = None
    first = False
    for at, span in enumerate(spans):
        if span.kind == "list":
            whole, first = at, True
        elif whole is not None and span.kind == "item" and _is_in(span, spans[whole]):
            found[at] = whole, first
            first = False
    return found


def _is_in(item: Span, whole: Span) -> bool:
    return whole.line_start <= item.line_start and item.line_end <= whole.line_end


def _parts(spans: Sequence[Span]) -> Iterator[list[int]]:
    """The places of the spans of each window; a new heading begins one where it is half full."""
    own: list[int] = []
    size = 0
    for at, span in enumerate(spans):
        if span.kind == "list":
            continue
        begins = bool(own) and span.headings != spans[own[-1]].headings
        full = size + len(span.text) > LONGEST or len(own) >= _MOST
        if own and (full or (begins and size > LONGEST / 2)):
            yield own
            own, size = [], 0
        own.append(at)
        size += len(span.text)
    if own:
        yield own


class _Draft:
    """A window while its spans are written one after another."""

    def __init__(self, title: str, first: Span, before: Span | None) -> None:
        over = (title, *(heading for heading in first.headings if heading != title))
        self._text = " > ".join(over) + ":"
        self._headings = first.headings
        self._lead = ""
        self._marks: dict[int, tuple[int, int]] = {}
        self._lists: dict[int, tuple[int, int]] = {}
        if before and before.headings == first.headings and len(before.text) <= _BEFORE:
            self._write(before.text)

    def add(self, at: int, span: Span, whole: tuple[int, bool] | None) -> None:
        """Write a span, under what stands over it and is not written yet.

        ``whole`` is the list of which it is an item, and whether it is the first. A list is in the
        window that it begins in, as far as it goes there.
        """
        if span.headings != self._headings:
            own = [one for one in span.headings if one not in self._headings]
            self._headings = span.headings
            self._write(" > ".join(own or span.headings[-1:]) + ":")
        if span.lead != self._lead and span.lead.rstrip(" …") not in self._text:
            self._write(span.lead)
        self._lead = span.lead
        mark = self._marks[at] = self._write(span.text)
        if whole:
            place, first = whole
            if first or place in self._lists:
                start, _ = self._lists.get(place, mark)
                self._lists[place] = start, mark[1]

    def _write(self, text: str) -> tuple[int, int]:
        start = len(self._text) + 1
        self._text += f" {text}"
        return start, len(self._text)

    def window(self) -> Window:
        marks = self._marks | self._lists
        return Window(self._text, tuple(marks), tuple(marks.values()))
