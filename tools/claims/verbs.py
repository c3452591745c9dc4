"""Where the finite verb of an English sentence stands, found by a list and by its shape."""

from collections.abc import Sequence
from functools import cache, lru_cache

from tools.claims import lexicon, units
from tools.claims.stems import PAST_FORMS, english_stem
from tools.claims.tables import table

_PERSONS = frozenset({"i", "we", "he", "she", "they"})
_BEFORE_OBJECTS = frozenset({"the", "a", "an", "my", "our", "this", "that", "these", "those"})


def verb_at(words: Sequence[str]) -> int | None:
    """Where the first finite verb of a folded English sentence stands, behind its subject."""
    in_relative_clause = -1
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        relative = before in {"which", "who"} or (before == "that" and at > 1)
        if word in lexicon.AUXILIARIES and not relative and (at or "'" in word[1:]):
            return at
        if not at or before in lexicon.BEFORE_NOUNS or before in units.ORDINALS:
            continue
        told = before in _PERSONS and word not in lexicon.FUNCTION and not word.endswith("ly")
        if told or _finite(word):
            # "which improves recall": the noun after it may look like a verb, too.
            if not relative and in_relative_clause != at - 1:
                return at
            in_relative_clause = at
    return None


def past_tense(words: Sequence[str]) -> bool:
    """Whether the first finite verb of a folded English sentence stands in the past tense."""
    verb = verb_at(words)
    if verb is None:
        return False
    shaped = words[verb].endswith("ed") or words[verb] in PAST_FORMS
    return shaped or words[verb] in lexicon.PAST_TENSE


def bids(words: Sequence[str]) -> bool:
    """Whether a folded English sentence opens as a bidding does: "call", "sell the bike"."""
    first, second = (*words[:2], "", "")[:2]
    object_follows = second in _BEFORE_OBJECTS and not first.endswith("s")
    return first in lexicon.IMPERATIVES or (object_follows and _finite(first))


@lru_cache(maxsize=32768)
def _finite(word: str) -> bool:
    if word.endswith(("ing", "ness", "ment", "tion")):
        return False
    if english_stem(word) in _verbs():
        return True
    return len(word) > 5 and word.endswith(("izes", "ises", "ifies", "ized", "ised", "ified"))


@cache
def _verbs() -> frozenset[str]:
    return frozenset(english_stem(word) for line in table("verbs") for word in line.split())
