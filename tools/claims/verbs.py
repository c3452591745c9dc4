"""Where the finite verb of an English sentence stands, found by a list and by its shape."""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from tools.claims import units
from tools.text import lexicon
from tools.text.stemming import PAST_FORMS, english_stem
from tools.text.stopwords import word_set
from tools.text.word_tables import table

_PERSONS = frozenset({"i", "we", "he", "she", "they"})
_BEFORE_OBJECTS = frozenset({"the", "a", "an", "my", "our", "this", "that", "these", "those"})


def verb_at(words: Sequence[str]) -> int | None:
    """Where the first finite verb of a folded English sentence stands, behind its subject."""
    in_relative_clause = -1
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word == "may" and _beside_number(words, at):
            continue
        relative = before in {"which", "who"} or (before == "that" and at > 1)
        if word in lexicon.AUXILIARIES and not relative and (at or "'" in word[1:]):
            return at
        if not at or before in lexicon.BEFORE_NOUNS or before in units.ORDINALS:
            continue
        told = before in _PERSONS and word not in lexicon.FUNCTION and not word.endswith("ly")
        if told or _finite(word) or _placed_as_verb(words, at, _BEGIN_OBJECTS):
            # "which improves recall": the noun after it may look like a verb, too.
            if not relative and in_relative_clause != at - 1:
                return at
            in_relative_clause = at
    # No other word is the verb of "the train leaves at nine" or of "Hugo lives in Lisbon".
    behind = range(1, len(words))
    return next((at for at in behind if _placed_as_verb(words, at, _BEGIN_COMPLEMENTS)), None)


def _beside_number(words: Sequence[str], at: int) -> bool:
    """Whether a number stands beside a word: the month of "25 May 2023" is no verb."""
    beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
    return any(word[:1].isdigit() for word in beside)


def _placed_as_verb(words: Sequence[str], at: int, beginnings: Collection[str]) -> bool:
    """Whether a word that may be a verb or a plural has behind it what begins in one of these.

    "Ada rents the flat", but not "the rents of the flats".
    """
    before, following = words[at - 1], words[at + 1] if at + 1 < len(words) else ""
    if before in lexicon.BEFORE_NOUNS or before in units.ORDINALS or not before[-1:].isalpha():
        return False
    plural = before.endswith("s") and not before.endswith("ss")
    if words[at] not in (_plain_forms() if plural else _plurals_too()):
        return False
    adverb = following.endswith("ly") and beginnings is _BEGIN_COMPLEMENTS
    ends = not following[:1].isalpha() and (following or beginnings is _BEGIN_COMPLEMENTS)
    return following in beginnings or adverb or bool(ends)


def begins_with_verb(words: Sequence[str]) -> bool:
    """Whether a folded English sentence may begin with the plain form of a verb."""
    stem = english_stem(words[0])
    return not words[0].endswith("s") and (stem in _verbs() or stem in _verbs_and_nouns())


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
    past = word.endswith("ed") or word in PAST_FORMS
    if english_stem(word) in (_verbs() | _verbs_and_nouns() if past else _verbs()):
        return True
    return len(word) > 5 and word.endswith(("izes", "ises", "ifies", "ized", "ised", "ified"))


_BEGIN_OBJECTS = word_set(
    "a an the this these those my your his her its our their no any some each every me him us them"
)
_BEGIN_COMPLEMENTS = lexicon.BEFORE_NOUNS | word_set(
    """me you him us them it up down out off away back here there again alone together once twice
    daily late early well home not before after under over until since during near"""
)
"""Words that begin what follows a verb, be it its object or not."""


@cache
def _plurals_too() -> frozenset[str]:
    """The forms in -s that are verbs or plurals."""
    return frozenset(word for line in table("verbs_nouns") for word in line.split())


@cache
def _plain_forms() -> frozenset[str]:
    """The same verbs as they follow a plural."""
    return frozenset(
        form for word in _plurals_too() for form in (word[:-1], word.removesuffix("es"))
    )


@cache
def _verbs_and_nouns() -> frozenset[str]:
    return frozenset(map(english_stem, _plain_forms()))


@cache
def _verbs() -> frozenset[str]:
    return frozenset(english_stem(word) for line in table("verbs") for word in line.split())
