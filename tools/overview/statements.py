"""What an overview can say: the statements of the notes found, each readable by itself. Pure."""

import re
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from tools.evidence.spans import Span
from tools.overview.quotations import block_quoted, is_quotation
from tools.text.tokens import stems_in

_SHORT_ITEM, _SHORT_LIST = 7.0, 40
"""Words of an item on average, and of a list, up to which it is one statement as a whole."""
_FEWEST = 3
"""Words of a statement, unless something introduces it."""
_LINKS, _ONLY_LINKS = 0.5, 0.95
"""Shares of its letters in links to notes from which on a line points elsewhere, and does no more.
"""
_ENDS = (".", "!", "?", "…", "”", '"', "»", ")")
_DASHES = ("—", "–", "-- ")
_JOINED, _QUOTED = 45, 80
"""Words up to which a sentence is one statement with the one before, on which it leans, or with
which it is quoted."""
_CLOSED = ("”", '"', "»")
_INCHES = re.compile(r'(?<=\d)"')
_BRACKETED = re.compile(r"\(.*\)\W*$")
"""Who said it, behind a quotation."""
_PROPERTY = 6
"""Words of a property from which on it says what a sentence would."""
_LEANING = re.compile(
    r"(?:(?:the )?(?:latter|former)|it|this|that|these|those|they|he|she|but|so|and|or|then|also"
    r"|both|however|bu|şu|o|bunlar|onlar|ama|fakat|ve|ancak|ayrıca)\b(?!-)",
    re.IGNORECASE,
)


class Known(NamedTuple):
    """What is known of a line beside a question.

    ``score`` is how surely it answers, in log odds behind the line that does most (up to 0);
    ``meant`` is how much of the question it means, under its headings, in [0, 1].
    """

    score: float = 0.0
    meant: float = 0.0


_UNASKED = Known()
"""What is known of a line where nothing is asked but its note."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of a note that may be shown, as it reads; ``lead`` introduces it.

    ``quoted`` says whether it is somebody's words.
    """

    path: str
    span: Span
    lead: str
    known: Known = _UNASKED
    quoted: bool = False

    @property
    def text(self) -> str:
        """How it reads with what introduces it."""
        return f"{self.lead} {self.span.text}" if self.lead else self.span.text

    @property
    def readable(self) -> bool:
        """Whether it says something: it does more than ask or point elsewhere."""
        return self.span.linked < _LINKS and not self.span.text.endswith("?")

    def goes_on(self, before: "Statement") -> bool:
        """Whether what introduces it is read right before it already."""
        begins = self.lead.removesuffix(" …")
        return self.path == before.path and (
            self.lead == before.lead or before.span.text.startswith(begins)
        )

    @property
    def words(self) -> int:
        """How many words it takes up."""
        return len(self.text.split())

    @property
    def stems(self) -> Set[str]:
        """The stems that it says or that stand over it."""
        return frozenset(stems_in(" ".join((*self.span.headings, self.text))))


def statements(
    path: str,
    spans: Sequence[Span],
    lines: Sequence[str],
    known: Mapping[int, Known] | None = None,
    *,
    whole_lists: bool = True,
) -> list[Statement]:
    """The statements of a note of such ``lines``, in its order.

    What is ``known`` of a span is told by its order. A list of a few words an item is one statement
    (``whole_lists``); of another each item is one. A line that only introduces what follows is its
    ``lead``, whether or not it ends with a colon. Of properties only those of some words are told,
    unless the note says nothing else. A block quote is read as a whole.
    """
    given, spans = spans, _joined(spans, block_quoted(lines))
    introduced = _introduced(spans)
    whole = [one for one in spans if whole_lists and one.kind == "list" and _is_short(one, spans)]
    told: list[Statement] = []
    for span in spans:
        lead = introduced.get(span.order, span.lead)
        short = span in whole
        if not _within(span, whole) and (short or _states(span, lead, introduced)):
            best = _best(span, given, known) if known else _UNASKED
            told.append(Statement(path, span, lead, best, is_quotation(span, lines)))
    said = [one for one in told if one.span.kind != "property" or one.words >= _PROPERTY]
    return said or told


def _best(span: Span, given: Sequence[Span], known: Mapping[int, Known]) -> Known:
    """What is known of the span; of sentences that were joined the most of any."""
    within = [span]
    if span.kind == "prose":
        within += [one for one in given if span.start <= one.start and one.end <= span.end]
    return Known(*map(max, zip(*(known[one.order] for one in within), strict=True)))


def _joined(spans: Sequence[Span], block_quoted: Container[int]) -> list[Span]:
    """The spans, where a sentence leans on the one before it, or is quoted with it, as one."""
    joined: list[Span] = []
    for span in spans:
        before = joined[-1] if joined else None
        if before is not None and _leans_on(span, before, block_quoted):
            text = f"{before.text} {span.text}"
            joined[-1] = before._replace(text=text, end=span.end, line_end=span.line_end)
        else:
            joined.append(span)
    return joined


def _leans_on(span: Span, before: Span, block_quoted: Container[int]) -> bool:
    apart = span.line_start - before.line_end
    if {span.kind, before.kind} != {"prose"} or apart > 1:
        return False
    words = len(before.text.split()) + len(span.text.split())
    quoted = before.text.endswith(_CLOSED)
    signed = span.text.startswith(_DASHES) or (quoted and _BRACKETED.match(span.text))
    in_block = before.line_end in block_quoted and span.line_start in block_quoted
    if in_block or _is_open(before.text) or (quoted and signed):
        return words <= _QUOTED
    leans = signed or before.text.endswith("?") or _LEANING.match(span.text)
    return not apart and bool(leans) and words <= _JOINED


def _is_open(text: str) -> bool:
    """Whether a text ends within what it quotes."""
    marks = _INCHES.sub("", text)
    opened, closed = max(map(marks.rfind, "“«„")), max(map(marks.rfind, "”»"))
    if "„" in marks:  # it is closed by the mark that opens elsewhere
        opened, closed = marks.rfind("„"), max(closed, marks.rfind("“"))
    return marks.count('"') % 2 == 1 or closed < opened


def _introduced(spans: Sequence[Span]) -> dict[int, str]:
    """By the order of a span the line over it that introduces it; that line itself has ``""``."""
    leads: dict[int, str] = {}
    for at, span in enumerate(spans):
        before = spans[at - 1] if at else None
        if span.kind != "list" or before is None or before.kind != "prose":
            continue
        close = span.line_start - before.line_end <= 2 and before.headings == span.headings
        if close and (before.text.endswith(":") or not before.text.endswith(_ENDS)):
            said = before.text if before.text.endswith(":") else f"{before.text}:"
            leads[before.order] = ""
            for one in spans:
                if one.kind in ("list", "item") and _is_in(one, span):
                    leads[one.order] = one.lead if one.kind == "item" and one.lead else said
    return leads


def _is_short(span: Span, spans: Sequence[Span]) -> bool:
    items = [one for one in spans if one.kind == "item" and _is_in(one, span)]
    words = [len(one.text.split()) for one in items]
    return bool(items) and sum(words) <= min(_SHORT_LIST, _SHORT_ITEM * len(items))


def _is_in(one: Span, whole: Span) -> bool:
    return whole.line_start <= one.line_start and one.line_end <= whole.line_end


def _within(span: Span, whole: Sequence[Span]) -> bool:
    return span.kind == "item" and any(_is_in(span, one) for one in whole)


def _states(span: Span, lead: str, introduced: Mapping[int, str]) -> bool:
    if span.kind in ("code", "list") or span.linked >= _ONLY_LINKS:
        return False
    only_leads = introduced.get(span.order) == "" or span.text.endswith(":")
    return not only_leads and (bool(lead) or len(span.text.split()) >= _FEWEST)
