"""The words of a text and their stems, as everything that compares texts reads them. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_letters, digits

from tools.text.normalize import fold, word_finder
from tools.text.stemming import english_stem

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_plain_words = word_finder(ascii_letters + digits, beyond_ascii=_WORD)


@lru_cache(maxsize=2048)
def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text in order, without the 's of a genitive."""
    folded = fold(text)
    if "'" in folded:
        return tuple(word.removesuffix("'s") for word in _WORD.findall(folded))
    return tuple(_plain_words(folded))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The first five letters of a word's stem: ``improves`` and ``improvement`` are one word."""
    return english_stem(word)[:5]


@lru_cache(maxsize=2048)
def stems_in(text: str) -> tuple[str, ...]:
    """The stem of each of ``words_of`` a text, in order."""
    return tuple(map(stem, words_of(text)))


def stems(words: Sequence[str]) -> frozenset[str]:
    """Of compound words (self-control) the stem of each part, as texts are read too."""
    return frozenset(stem(part) for word in words for part in words_of(word))
