"""A question taken apart for reading: its words, each with the part it plays.

The parts are told by word lists and neighbours, not by a model: enough to see where a noun phrase
begins and ends, in well under a millisecond.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from agents.reading.parts import Part, english_parts
from agents.reading.parts_turkish import turkish_parts
from tools.text.language import is_turkish
from tools.text.normalize import flatten, fold_name
from tools.text.stopwords import STOP, TURKISH_STOP

MAX_NAME_WORDS = 8
MAX_ACRONYM = 3  # longer words in capitals are as often said with emphasis

type Span = tuple[int, int]


class Token(NamedTuple):
    """A word, a sign, or a name kept whole; ``word`` is flattened and empty for a name."""

    word: str
    start: int
    end: int
    part: Part


@dataclass(frozen=True, slots=True)
class Wording:
    """``text`` and its flattened twin have the same length; tokens point into both."""

    text: str
    flat: str
    turkish: bool
    tokens: tuple[Token, ...]

    def first_from(self, position: int) -> int:
        """The number of the first token that starts at ``position`` or later."""
        return bisect_left(self.tokens, position, key=lambda token: token.start)

    def phrase(self, first: int, last: int) -> str:
        """The text of the tokens ``first`` up to but not including ``last``."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]


def read_wording(
    question: str,
    *,
    dates: Span | None = None,
    names: Set[str] = frozenset(),
    hidden: Sequence[Span] = (),
) -> Wording:
    """Take ``question`` apart; ``dates`` and ``hidden`` stretches are read as commas.

    ``names`` are note names as ``fold_name`` writes them.
    """
    text = question
    apart = () if dates is None or _belongs_to_name(question, dates) else (dates,)
    for start, end in (*hidden, *apart):
        text = text[:start] + "," * (end - start) + text[end:]
    flat = flatten(text)
    turkish = is_turkish(question)
    whole = _whole_names(text, names)
    spans, words = _pieces(flat, whole)
    if turkish:
        parts = turkish_parts(words, named=_named(text, spans))
    else:
        parts = english_parts(words, named=_named(text, spans))
    tokens = tuple(
        Token(word, start, end, part)
        for word, (start, end), part in zip(words, spans, parts, strict=True)
    )
    return Wording(text, flat, turkish, tokens)


_YEAR = re.compile(r"\d{4}$")
_BEFORE_YEAR = re.compile(r"\b(?:of|the|my|our|a) $")


def _belongs_to_name(question: str, dates: Span) -> bool:
    """Whether a year is part of a name: the 2019 budget, the harvest of 2020."""
    before = _BEFORE_YEAR.search(flatten(question[: dates[0]]))
    if before is None or not _YEAR.match(question[slice(*dates)]):
        return False
    return before[0] == "of " or question[dates[1] : dates[1] + 2].strip().isalpha()


# --- pieces --------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_][\w+#]*(?:[-'./&][\w+#]+)*")
_SHORT = r"[^\W_]{1,3}/[^\W_]{1,3}(?!\w)"  # TCP/IP is one word, oak/walnut are two
_PIECE = re.compile(rf"\d+(?:[:.]\d+)+|{_SHORT}|[^\W_][\w+#]*(?:[-'.&][\w+#]+)*|[,;:?!.()/&=–—+-]")
_MARKED = re.compile(r"\[\[[^\[\]]+\]\]|\"[^\"]+\"|“[^”]+”|`[^`]+`|(?<!\w)#[\w/-]+")
_ABBREVIATION = re.compile(r"(?:dr|mr|mrs|ms|st|prof|no|vs|v|[a-z])$")


def _pieces(flat: str, whole: Sequence[Span]) -> tuple[list[Span], list[str]]:
    spans: list[Span] = []
    words: list[str] = []
    names = iter(whole)
    name = next(names, None)
    for match in _PIECE.finditer(flat):
        start, end = match.span()
        while name and name[1] <= start:
            spans.append(name)
            words.append("")
            name = next(names, None)
        if name and start < name[1] and name[0] < end:
            continue
        if match[0] == "." and words and _ABBREVIATION.match(words[-1]) and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
            continue
        spans.append((start, end))
        words.append(match[0])
    while name:
        spans.append(name)
        words.append("")
        name = next(names, None)
    return spans, words


def _whole_names(text: str, names: Set[str]) -> list[Span]:
    """Stretches that must stay whole: quoted or linked ones, tags, and names that are known."""
    found = [match.span() for match in _MARKED.finditer(text)]
    words = [match.span() for match in _WORD.finditer(text)] if names else []
    first = 0
    while first < len(words):
        for last in range(min(first + MAX_NAME_WORDS, len(words)), first, -1):
            span = words[first][0], words[last - 1][1]
            if fold_name(text[slice(*span)]) in names and not _overlaps(span, found):
                # One common word may be a note's name and still be no more than a word here.
                if last - first > 1 or flatten(text[slice(*span)]) not in STOP | TURKISH_STOP:
                    found.append(span)
                    first = last - 1
                break
        first += 1
    return sorted(found)


def _overlaps(span: Span, others: list[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def is_acronym(word: str) -> bool:
    """Whether a word is short and all capitals: LED is no "led"."""
    return 1 < len(word) <= MAX_ACRONYM and word.isupper()


def _named(text: str, spans: Sequence[Span]) -> list[bool]:
    """Which words have a capital where none is needed, in a text that is not all capitals."""
    shouted = text.isupper()
    opening = True
    found: list[bool] = []
    for start, end in spans:
        capital = text[start].isupper() and (not opening or is_acronym(text[start:end]))
        found.append(capital and not shouted)
        opening = end - start == 1 and text[start] in ".?!:"
    return found


SET_OFF = re.compile(r"['’]\w{1,5}$")
"""Any Turkish case ending that an apostrophe sets off."""

_CASE_ENDING = re.compile(
    r"['’](?:[ntdys]?[aeıiuüoö]?[nk]?(?:[ıiuü]n)?|l[ae]|yl[ae]|[td][ae]n?|[td][ae]ki|s)$",
    re.IGNORECASE,
)


def unmarked(name: str) -> str:
    """Without what stands around a name that is quoted, linked or a tag; C# keeps its sign."""
    return name.strip('[]"“”`').lstrip("#")


def strip_ending(phrase: str) -> str:
    """Without the case ending an apostrophe sets off: Zettelkasten'in, Ada's."""
    return _CASE_ENDING.sub("", phrase)
