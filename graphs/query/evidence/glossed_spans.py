"""Spans of Turkish notes as a question in English is held against them: each with its gloss."""

from functools import lru_cache

from agents.interpreter.turkish.gloss import in_english
from tools.evidence.spans import Span

_TEXTS = 16_384
"""Texts whose gloss is kept."""
_LONGEST = 2_000
"""Characters of a text that are glossed."""


def with_gloss(span: Span) -> Span:
    """The span with what each of its words, and of those over it, is in English."""
    return span._replace(
        text=_both(span.text), lead=_both(span.lead), headings=tuple(map(_both, span.headings))
    )


@lru_cache(maxsize=_TEXTS)
def _both(text: str) -> str:
    return f"{text} {in_english(text[:_LONGEST])}" if text else text
