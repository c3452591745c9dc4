"""English words with a slip of the keyboard in them, put right before a question is read.

The words known are those of the encoder's own vocabulary, which stands in order of frequency.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tools.base.errors import ModelUnavailableError
from tools.semantic import minilm

_COMMON = 9_000
"""The most frequent words: a slip is taken for one of them."""

_SHORTEST = 4
_LONG = 8
"""From this many letters on a word may have two slips."""

_WORD = re.compile(r"[A-Za-z']+")
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "r", "est", "st", "y", "n")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """``rank`` is a word's place by frequency; ``common`` has the most frequent by length."""

    rank: Mapping[str, int]
    common: Mapping[int, Sequence[str]]


def corrected(question: str) -> str:
    """The question with unknown words as the nearest known ones, where one is near enough.

    Names stay: a word with a capital letter is left alone. Without the encoder nothing is known,
    and everything stays as it is.
    """
    return _WORD.sub(lambda found: _corrected(found[0]), question)


def is_word(word: str) -> bool:
    """Whether a word in small letters is one of those known, with an ending or without."""
    rank = _words().rank
    return word in rank or any(word.endswith(end) and word[: -len(end)] in rank for end in _ENDINGS)


@lru_cache(maxsize=4096)
def _corrected(word: str) -> str:
    words = _words()
    if not words.rank:
        return word
    if len(word) < _SHORTEST or not word.isalpha() or not word.islower() or is_word(word):
        return word
    slips = 1 if len(word) < _LONG else 2
    lengths = range(len(word) - slips, len(word) + slips + 1)
    candidates = [known for length in lengths for known in words.common.get(length, ())]
    near = process.extract(
        word, candidates, scorer=OSA.distance, score_cutoff=slips, limit=len(candidates)
    )
    # The first letter is seldom the one that is wrong.
    ranked = [(slip, known[0] != word[0], words.rank[known], known) for known, slip, _ in near]
    return min(ranked)[-1] if ranked else word


@cache
def _words() -> _Words:
    try:
        vocabulary = minilm.vocabulary()
    except ModelUnavailableError:
        vocabulary = []
    known = [word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 1]
    common: dict[int, list[str]] = defaultdict(list)
    for word in known[:_COMMON]:
        common[len(word)].append(word)
    return _Words(rank={word: place for place, word in enumerate(known)}, common=common)
