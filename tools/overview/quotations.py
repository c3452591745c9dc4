"""Which lines of a note are words of somebody, quoted. Pure."""

import re
from collections.abc import Sequence

from tools.evidence.spans import Span

_BLOCK = re.compile(r"\s*>")
_TITLE = re.compile(r"\s*>\s*\[!")
_CALLOUT = re.compile(r"\s*>\s*\[!(?!quote|cite)", re.IGNORECASE)
_SAID = re.compile(r"[“\"„«‘](?=\w)(?:[^\s”\"»’]+\s+){2,}[^”\"»]*[”\"»’]")
"""Three words at least between quotation marks."""
_ATTRIBUTED = re.compile(r"\s(?:[—–]|--?)\s?[A-ZÇĞİÖŞÜ][^.!?]{1,60}$")
"""The name of who says it, behind a dash, at the end."""


def is_quotation(span: Span, lines: Sequence[str]) -> bool:
    """Whether a span is quoted: a block quote, between quotation marks, or with who said it.

    ``lines`` are those of its note. A callout of another kind than quotes is no block quote.
    """
    own = lines[span.line_start - 1 : span.line_end]
    if own and all(_BLOCK.match(line) for line in own):
        return not _in_callout(span, lines)
    return any(pattern.search(span.text) for pattern in (_SAID, _ATTRIBUTED))


def block_quoted(lines: Sequence[str]) -> set[int]:
    """The lines (1-based) of block quotes, and of callouts without their titles."""
    return {
        number
        for number, line in enumerate(lines, 1)
        if _BLOCK.match(line) and not _TITLE.match(line)
    }


def _in_callout(span: Span, lines: Sequence[str]) -> bool:
    at = span.line_start - 1
    while at and _BLOCK.match(lines[at - 1]):
        at -= 1
    return _CALLOUT.match(lines[at]) is not None
