"""How each word of one text stands to the words of another: what a reader of both is told. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tools.claims.meanings import exclusive, meaning_key, opposite
from tools.text.language import is_spelled, is_turkish
from tools.text.normalize import fold
from tools.text.stopwords import GRAMMAR
from tools.text.wordnet import word_relation

MARKS = ("same", "opposite", "sibling", "synonym", "narrower", "wider")
"""The other text has the word, too; or one of these, to which it is what ``word_relation`` says."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,:/]\d+)*")


class WordMark(NamedTuple):
    """A word at ``start`` to ``end`` (characters), and the place of its mark in ``MARKS``."""

    start: int
    end: int
    mark: int


class _Word(NamedTuple):
    start: int
    end: int
    folded: str
    key: str
    weak: bool


def word_marks(a: str, b: str) -> tuple[list[WordMark], list[WordMark]]:
    """The marked words of either text; a word that stands alone has none."""
    turkish = is_turkish(a) or is_turkish(b)
    one, other = _words(a, turkish=turkish), _words(b, turkish=turkish)
    return _marked(one, other, turkish=turkish), _marked(other, one, turkish=turkish)


@lru_cache(maxsize=4096)
def _words(text: str, *, turkish: bool) -> tuple[_Word, ...]:
    spelled = is_spelled(text)
    return tuple(
        _Word(
            found.start(),
            found.end(),
            folded,
            meaning_key(found[0], turkish=turkish, spelled=spelled),
            not turkish and folded in GRAMMAR,
        )
        for found in _WORD.finditer(text)
        for folded in [fold(found[0])]
    )


def _marked(own: Sequence[_Word], others: Sequence[_Word], *, turkish: bool) -> list[WordMark]:
    keys = {word.key for word in others}
    mine = {word.key for word in own}
    alone = [word for word in others if word.key not in mine and not word.weak]
    found: list[WordMark] = []
    for word in own:
        if word.key in keys:
            found.append(WordMark(word.start, word.end, 0))
        elif not word.weak:
            marks = [_mark(word, against, turkish=turkish) for against in alone]
            if known := [mark for mark in marks if mark is not None]:
                found.append(WordMark(word.start, word.end, min(known)))
    return found


def _mark(word: _Word, against: _Word, *, turkish: bool) -> int | None:
    if opposite(word.key, against.key, turkish=turkish):
        return MARKS.index("opposite")
    if exclusive(word.key, against.key):
        return MARKS.index("sibling")
    relation = None if turkish else word_relation(word.folded, against.folded)
    return None if relation is None else MARKS.index(relation)
