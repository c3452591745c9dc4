"""The words of a text and their stems, as everything that compares texts reads them. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache
from string import ascii_letters, digits

from tools.text.normalize import fold, word_finder
from tools.text.stemming import english_stem, irregular_forms

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""What is a word, where its place in a text is wanted."""
TAG = r"#[\w/-]+(?:\.[\w/-]+)*"
"""A tag, for patterns that say what may stand before it."""
_plain_words = word_finder(ascii_letters + digits, beyond_ascii=WORD)
_CONTRACTED = frozenset(("t", "re", "ve", "ll", "d", "m"))
_LONGEST_ENDING = 4


@lru_cache(maxsize=2048)
def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text in order, names without their ending: Ada's, Ada'nın."""
    folded = fold(text)
    if "'" in folded:
        return tuple(map(_bare, WORD.findall(folded)))
    return tuple(_plain_words(folded))


def _bare(word: str) -> str:
    name, mark, ending = word.rpartition("'")
    return name if mark and ending not in _CONTRACTED and len(ending) <= _LONGEST_ENDING else word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The first five letters of a word's stem: ``improves`` and ``improvement`` are one word."""
    return english_stem(word)[:5]


@lru_cache(maxsize=2048)
def stems_in(text: str) -> tuple[str, ...]:
    """The stem of each of ``words_of`` a text, in order."""
    return tuple(map(stem, words_of(text)))


def stems(words: Iterable[str]) -> frozenset[str]:
    """Of compound words (self-control) the stem of each part, as texts are read too."""
    return frozenset(stem(part) for word in words for part in words_of(word))


def beginnings(stem: str) -> tuple[str, ...]:
    """What the words with this stem have in them, one or another: only their endings differ."""
    return (stem[:-1] or stem, *irregular_forms(stem))
