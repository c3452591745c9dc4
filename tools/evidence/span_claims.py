"""Everything a note says, line by line: sentences, items, rows of tables, properties. Pure.

Unlike ``extract_claims`` it judges by form alone and leaves what a line means to its reader.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from tools.base.domain import Claim
from tools.claims.assertions import LONGEST_CLAIM, is_opinion
from tools.evidence.spans import Span, SpanKind
from tools.text.tokens import words_of

_KINDS: frozenset[SpanKind] = frozenset(("prose", "item", "row", "property"))
_FEWEST_WORDS = 3
"""A property's label is a word of it: with one more it is mostly of what kind its note is."""
_MOST_LINKED = 0.6
"""Share of a line's letters that stand in links and tags: beyond it is an index, no claim."""


def span_claims(
    spans: Iterable[Span], *, note_path: str, note_title: str, written: datetime | None
) -> Iterator[Claim]:
    """Those of a note's spans that assert something; ``read_as`` is each under what is over it."""
    for span in spans:
        words = len(words_of(span.text))
        if (
            span.kind in _KINDS
            and _FEWEST_WORDS <= words <= LONGEST_CLAIM
            and span.linked <= _MOST_LINKED
            and not span.text.rstrip("*_ ").endswith("?")
        ):
            yield Claim(
                note_path=note_path,
                note_title=note_title,
                text=span.text,
                line=span.line_start,
                heading=span.headings[-1] if span.headings else None,
                timestamp=written,
                opinion=is_opinion(span.text),
                read_as=span.under(note_title),
            )
