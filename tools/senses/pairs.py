"""What two notes that carry one name have to do with each other, in numbers. Pure."""

import math
import re
from itertools import takewhile

from tools.senses.mentions import Mention, contains, name_words, place_of
from tools.senses.notes import NamedNote
from tools.text.tokens import WORD, stem

PAIR_FEATURES = (
    "both_exact",
    "both_longer",
    "lower_behind",
    "number_behind",
    "capital_behind",
    "words_before",
    "qualified",
    "says_the_other",
    "says_the_name",
    "says_the_rest",
    "near_folder",
    "other_folder",
    "shared_words",
    "similarity",
)
"""The features of a pair, in their order; the last one is of meaning."""
_QUALIFIER = re.compile(r"\S\s*\([^()]+\)$")
"""What tells namesakes apart in a title, as in "Mercury (element)"."""


def pair_features(one: NamedNote, other: NamedNote, mention: Mention) -> tuple[float, ...]:
    """The ``PAIR_FEATURES`` of two notes that carry the name mentioned, whichever is the first."""
    own, others = _Carried(one, mention), _Carried(other, mention)
    longer = [name for name in (own, others) if name.is_longer]
    near = _nearness(one, other)
    similarity = 0.0
    if one.vector is not None and other.vector is not None:
        similarity = math.sumprod(one.vector, other.vector)
    return (
        float(not longer),
        float(own.is_longer and others.is_longer),
        float(any(name.lower_behind for name in longer)),
        float(any(name.number_behind for name in longer)),
        float(any(name.capital_behind for name in longer)),
        float(any(name.words_before for name in longer)),
        float(any(name.qualified for name in longer)),
        float(others.is_mentioned_by(one) or own.is_mentioned_by(other)),
        (contains(one.words, mention.words) + contains(other.words, mention.words)) / 2,
        max(others.context_overlap(one), own.context_overlap(other)),
        near or 0.0,
        0.0 if near is None else 1.0 - near,
        math.log1p(len((one.stems & other.stems) - {stem(word) for word in mention.words})),
        similarity,
    )


class _Carried:
    """The name by which a note carries a mention, and the words that stand around it there."""

    def __init__(self, note: NamedNote, mention: Mention) -> None:
        name = note.name_for(mention)
        self._words = name_words(name)
        at = place_of(mention.words, self._words) or 0
        end = at + len(mention.words)
        behind = WORD.findall(name)[end:]
        self.is_longer = self._words != mention.words
        self.qualified = _QUALIFIER.search(name) is not None
        self.words_before = at > 0
        self.number_behind = any(word[0].isdigit() for word in behind)
        # What stands in brackets says nothing by its capital.
        self.lower_behind = not self.qualified and any(word[0].islower() for word in behind)
        self.capital_behind = not self.qualified and any(word[0].isupper() for word in behind)
        rest = (*self._words[:at], *self._words[end:])
        self._rest = [stem(word) for word in rest if not word.isdigit()]

    def is_mentioned_by(self, note: NamedNote) -> bool:
        """Whether a note says the name, where that is longer than the mention."""
        return self.is_longer and contains(note.words, self._words)

    def context_overlap(self, note: NamedNote) -> float:
        """The share of the words around the mention that a note says."""
        return sum(word in note.stems for word in self._rest) / max(len(self._rest), 1)


def _nearness(one: NamedNote, other: NamedNote) -> float | None:
    """How near two notes lie in the tree of folders, 0 to 1; None where neither is in a folder.

    What they share of what their folders tell (Lin, 1998: https://dl.acm.org/doi/10.5555/645527.657297).
    """
    told = one.folder_information[-1:] + other.folder_information[-1:]
    if not sum(told):
        return None
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one.folder, other.folder, strict=False))
    shared = one.folder_information[: len(list(same))]
    return 2 * (shared[-1] if shared else 0.0) / sum(told)
