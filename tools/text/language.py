"""Which of its two languages a text is in, by its words and letters. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from string import ascii_letters, digits

from tools.text.normalize import flatten, fold, word_finder
from tools.text.stemming import fold_word
from tools.text.stopwords import ENGLISH_ONLY, TURKISH_ONLY, word_set
from tools.text.word_tables import table

_TURKISH_LETTERS = frozenset("ığşİĞŞ")
_SPELLED = _TURKISH_LETTERS | frozenset("çöüÇÖÜ")
_TURKISH_WORDS = word_set(
    "ve bir bu için ile değil yok var gibi ama fakat veya çok daha bence asla olarak yeni eski zor "
    "kolay iyi olan kadar"
)
_TURKISH_ENDINGS = ("maz", "mez", "iyor", "uyor", "üyor", "dir", "ların", "lerin")
_ENDINGS_ALONE = frozenset(_TURKISH_ENDINGS)
_CASE_OF_NAME = re.compile(r"['’](?<=\w.)(?:[dt][ae]n?|n[ıiuü]n|y[aeıiuü])\b")
"""A Turkish ending behind a name or a number."""
_APOSTROPHES = "'’"
_WHOLE = re.compile(r"[^\W_]\w*(?:[-'’.][^\W_]\w*)*")
"""A word with what is joined to it: the ending of a name is no word."""
_words = word_finder(f"{ascii_letters}{digits}_", beyond_ascii=re.compile(r"\w+"))
_FEW_WORDS = 12
"""Words up to which a Turkish text may do without any word or letter that only Turkish has."""
_SHORT = 3
"""Words of a text whose letters must tell all the more."""
_SHORT_LOOKS, _SHORT_SURE, _LOOKS_TURKISH = 6.2, 8.0, 1.5
"""What the words of a short text come to together, at least, where each looks Turkish, and where
one does not; and what those of a longer text come to each. Chosen by hand.

Measured on 4,000 random texts of two, of three and of four words: of English verbs, synonyms and
opposites of the tables 0.15, 0.03 and 0.03 in a hundred are taken for Turkish, of the nouns of
``kinds.txt``, many of them names from elsewhere, 0.9, 0.8 and 0.7; of runs of Turkish words
without Turkish letters 46, 63 and 82.
"""
_LISTED = 3.0
"""What it counts for that a word stands in a Turkish table."""
_BEHIND = "abcdefghijklmnopqrstuvwxyz_"


def is_spelled(text: str) -> bool:
    """Whether a Turkish text is written with Turkish letters; some are typed without."""
    return not _SPELLED.isdisjoint(text)


@lru_cache(maxsize=8192)
def is_turkish(text: str) -> bool:
    """Whether a text reads as Turkish rather than English.

    The small words of the two languages, and letters that only Turkish has, are counted against
    each other. Where no word is English alone, a Turkish ending decides, or how the words look: of
    2 to 12 words those that are no names, at least two, the fewer there are, the more each must.
    Measured on 19,800 questions: of the English one is taken for Turkish, of the Turkish 2 in a
    hundred for English.
    """
    words = _WHOLE.findall(text)
    english = ENGLISH_ONLY.intersection(word.replace("İ", "i").lower() for word in words)
    turkish = TURKISH_ONLY.intersection(map(flatten, words))
    if len(turkish) + (not _TURKISH_LETTERS.isdisjoint(text)) > len(english):
        return True
    if english:
        return False
    parts = _words(text)
    return _has_sign(text, parts) or _all_look_turkish(parts)


def _all_look_turkish(words: Sequence[str]) -> bool:
    if not 1 < len(words) <= _FEW_WORDS:
        return False
    plain = [word for at, word in enumerate(words) if not at or word[0].islower()]
    looks = list(map(_looks_turkish, plain))
    if len(looks) > _SHORT:
        return sum(looks) > _LOOKS_TURKISH * len(looks)
    each = len(looks) > 1 and min(looks) > 0
    return len(looks) > 1 and sum(looks) > (_SHORT_LOOKS if each else _SHORT_SURE)


def _has_sign(text: str, words: Sequence[str]) -> bool:
    """Whether a text of these words has a word or an ending that only Turkish has."""
    if not _TURKISH_WORDS.isdisjoint(words):
        return True
    # Few texts have such an ending anywhere, so that their words need no look.
    ending = any(map(text.__contains__, _TURKISH_ENDINGS))
    if ending and any(word.endswith(_TURKISH_ENDINGS) for word in set(words) - _ENDINGS_ALONE):
        return True
    return any(map(text.__contains__, _APOSTROPHES)) and bool(_CASE_OF_NAME.search(text))


@lru_cache(maxsize=32768)
def _looks_turkish(word: str) -> float:
    """Log of how much likelier the word's pairs of letters are in Turkish than in English."""
    letters = f"_{''.join(char for char in fold_word(word) if 'a' <= char <= 'z')}_"
    odds = _letter_odds()
    listed = _LISTED if fold_word(word) in _listed() else 0.0
    return listed + sum(odds[pair] for pair in map("".join, pairwise(letters)) if pair in odds)


@cache
def _listed() -> frozenset[str]:
    """The folded words of the Turkish tables, without those that English has too."""
    lines = [*table("exclusive")]
    own = [line for line in lines if not _TURKISH_LETTERS.isdisjoint(line)]
    english = {word for line in lines if line not in own for word in line.split()}
    own += [*table("opposites_tr"), *table("opposites_verbs_tr")]
    return frozenset(map(fold, " ".join(own).split())) - english


@cache
def _letter_odds() -> Mapping[str, float]:
    found: dict[str, float] = {}
    for line in table("letters"):
        first, *odds = line.split()
        found |= {first + then: int(n) / 10 for then, n in zip(_BEHIND, odds, strict=True)}
    return found
