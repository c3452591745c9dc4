"""How sure it is that a mention means the note, so that a careful reader would link it. Pure.

A logistic regression over what the words are and how the vault uses them. Names of everyday words
("time", "home") are what it is for: the rarer the word in English and in the vault, and the more
notes link to the note, the surer. The weights are from mentions of five vaults, read by hand:
``python -m evals.fitting.mentions``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tools.links.mentions import Mention
from tools.text.likeness import frequency_rank
from tools.text.tokens import stem, words_of
from tools.text.wordnet import is_known

THRESHOLD = 0.9
"""From here on 98 of 100 mentions are right."""
FEATURES = ("length", "capitals", "everyday", "spread", "linked", "rareness")
_WEIGHTS = (0.89, 2.316, -1.523, -0.14, 0.861, 0.553)
_BIAS = -6.913
_UNSEEN = 0.1
"""Links that a name is taken to have that nobody linked yet."""
_ORDERED = 10_000
"""From here on down the order of frequency a word is as rare as any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Of the vault's ``notes`` how many have the mention's words, and how many link to its note."""

    notes: int
    saying: int
    linking: int

    @property
    def idf(self) -> float:
        """How rare the words are among the notes: their inverse document frequency, above 0."""
        return math.log1p((self.notes - self.saying + 0.5) / (self.saying + 0.5))

    @property
    def link_rate(self) -> float:
        """How often a note that says the words links to what they name, from 0 on."""
        return (self.linking + _UNSEEN) / (self.saying + 1.0)


def mention_probability(mention: Mention, usage: Usage) -> float:
    """The probability, of 0 to 1, that the words mean the note."""
    given = zip(_WEIGHTS, mention_features(mention, usage), strict=True)
    return 1.0 / (1.0 + math.exp(-_BIAS - math.fsum(weight * value for weight, value in given)))


def mention_features(mention: Mention, usage: Usage) -> tuple[float, ...]:
    """What ``FEATURES`` name, of one mention."""
    words = words_of(mention.words)
    as_named = mention.words.removesuffix("s") == mention.name.removesuffix("s")
    capitals = as_named and len(words) == 1 and sum(map(str.isupper, mention.words)) > 1
    number = any(letter.isdigit() for letter in mention.words)
    return (
        math.log(len(mention.words)),
        float(capitals or number),
        float(len(words) == 1 and is_known(words[0])),
        math.log((usage.saying + 1) / (usage.notes + 1)),
        math.log1p(usage.linking),
        _rareness(words),
    )


def _rareness(words: Sequence[str]) -> float:
    """How far down the order of frequency the rarest of the words is, as a logarithm."""
    places = (min(frequency_rank(stem(word)), _ORDERED) for word in words)
    return math.log(max(places, default=_ORDERED))
