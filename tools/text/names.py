"""Names of several words, as their capitals show them: Amber Hill, Maria Lopez. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import stem, words_of

type FullName = tuple[str, ...]
"""The stems of its words, in order."""

_CAPITALS = re.compile(r"[A-ZÇĞİÖŞÜ][^\W_]*(?:[ -][A-ZÇĞİÖŞÜ0-9][^\W_]*)+")
_NO_NAMES = STOP | TURKISH_STOP


@lru_cache(maxsize=16_384)  # one question after another finds the same notes
def full_names(text: str) -> tuple[FullName, ...]:
    """The names in a text: words with capitals that stand side by side, from the second on numbers.

    Small words before them are none of theirs ("Does Amber Hill …").
    """
    found: list[FullName] = []
    for match in _CAPITALS.finditer(text):
        words = words_of(match[0])
        while words and words[0] in _NO_NAMES:
            words = words[1:]
        if len(words) > 1:
            found.append(tuple(map(stem, words)))
    return tuple(found)


def is_another(name: FullName, asked: Iterable[FullName]) -> bool:
    """Whether a name has a word of one that is asked about, and beside it another word.

    So "Amber Grove" is another than "Amber Hill"; "Amber" alone, or "Yesterday Amber", is not.
    """
    return any(
        (said[0] == meant[0]) != (said[1] == meant[1])
        for one in asked
        for meant in pairwise(one)
        for said in pairwise(name)
    )
