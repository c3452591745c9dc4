"""A question's words; what is quoted, linked, a tag or a note's name stays whole."""

import re
from collections.abc import Set
from typing import NamedTuple

from tools.text.normalize import flatten, fold_name
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import TAG

MAX_NAME_WORDS = 8

type Span = tuple[int, int]


class Word(NamedTuple):
    """A word or a sign, flattened; of a name that is kept whole the text is empty."""

    text: str
    start: int
    end: int


_WORD = re.compile(r"[^\W_][\w+#]*(?:[-'./&][\w+#]+)*")
_SHORT = r"[^\W_]{1,3}/[^\W_]{1,3}(?!\w)"  # TCP/IP is one word, oak/walnut are two
_PIECE = re.compile(rf"\d+(?:[:.]\d+)+|{_SHORT}|[^\W_][\w+#]*(?:[-'.&][\w+#]+)*|[,;:?!.()/&=–—+-]")
_MARKED = re.compile(r"\[\[[^\[\]]+\]\]|\"[^\"]+\"|“[^”]+”|`[^`]+`|(?<!\w)" + TAG)


def words_of(question: str, *, names: Set[str] = frozenset()) -> list[Word]:
    """The words in order; ``names`` are note names as ``fold_name`` writes them."""
    whole = _whole(question, names)
    pieces = _PIECE.finditer(flatten(question))
    others = (one for one in pieces if not _overlaps(one.span(), whole))
    found = [
        *(Word("", *span) for span in whole),
        *(Word(one[0], *one.span()) for one in others),
    ]
    return sorted(found, key=lambda word: word.start)


def _whole(question: str, names: Set[str]) -> list[Span]:
    found = [match.span() for match in _MARKED.finditer(question)]
    words = [match.span() for match in _WORD.finditer(question)] if names else []
    first = 0
    while first < len(words):
        for last in range(min(first + MAX_NAME_WORDS, len(words)), first, -1):
            span = words[first][0], words[last - 1][1]
            if fold_name(question[slice(*span)]) in names and not _overlaps(span, found):
                # One common word may be a note's name and still be no more than a word here.
                if last - first > 1 or flatten(question[slice(*span)]) not in STOP | TURKISH_STOP:
                    found.append(span)
                    first = last - 1
                break
        first += 1
    return found


def _overlaps(span: Span, others: list[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def unmarked(name: str) -> str:
    """Without what stands around a name that is quoted, linked or a tag; C# keeps its sign."""
    return name.strip('[]"“”`').lstrip("#")
