"""The part each English word plays, told by word lists and by its neighbours."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from agents.reading.grammar import (
    ADVERBS,
    AUXILIARIES,
    COMPARATIVES,
    CONDITIONS,
    CONNECTIVES,
    COPULAS,
    DEGREES,
    DETERMINERS,
    DO_SUPPORT,
    DOUBTFUL_VERBS,
    IMPERATIVES,
    MOSTLY_NOUNS,
    NOUNS_BEFORE_TO,
    NUMBERED,
    PHRASAL_VERBS,
    POSSESSIVES,
    PREDICATES,
    PREPOSITIONS,
    PRONOUNS,
    SUBJECT_PRONOUNS,
    VERBS,
)

type Part = Literal[
    "name",  # kept whole: quoted, linked, or a note's name
    "noun",
    "gerund",
    "of",
    "determiner",
    "preposition",
    "condition",  # opens a condition: for, when, according to
    "comparative",
    "adverb",
    "predicate",  # an adjective after its noun
    "verb",
    "break",  # pronoun, auxiliary, question word, conjunction
    "mark",
]


def english_parts(words: Sequence[str], *, named: Sequence[bool]) -> list[Part]:
    """The part of each word; ``named`` says which have a capital where none is needed."""
    parts: list[Part] = []
    asked = copula = False
    for i, word in enumerate(words):
        if word in _ALWAYS and word not in _SOMETIMES_NOUNS:
            asked = asked or word in DO_SUPPORT
            copula = copula or word in COPULAS
            parts.append(_ALWAYS[word])
            continue
        if word in (".", "?", "!", ";"):
            asked = copula = False
        place = _Place(
            last=parts[-1] if parts else "mark",
            previous=words[i - 1] if i else ".",
            before_that=words[i - 2] if i > 1 else ".",
            after=words[i + 1] if i + 1 < len(words) else ".",
            asks_for_verb=asked,
            copula=copula,
        )
        part = _english_part(word, place, named=named[i])
        asked = word == "come" or (asked and part != "verb")
        parts.append(part)
    return parts


class _Place(NamedTuple):
    """What stands around a word: the part and the words before, the word after, the clause so far.

    ``asks_for_verb``: after "does" or "will", until the verb has come.
    """

    last: Part
    previous: str
    before_that: str
    after: str
    asks_for_verb: bool
    copula: bool


_GERUND = re.compile(r"\w\w+ing$")
_PARTICIPLE = re.compile(r"\w{2,}?(?:ed|built|held|paid|taken|written|made|sent|lost)$")
_ALWAYS: dict[str, Part] = {
    **dict.fromkeys(PREPOSITIONS, "preposition"),
    **dict.fromkeys(AUXILIARIES | CONNECTIVES, "break"),
    **dict.fromkeys(CONDITIONS, "condition"),
    **dict.fromkeys(DETERMINERS, "determiner"),
    **dict.fromkeys(PRONOUNS, "break"),
    "of": "of",
    "": "name",
}
"""Words that have but one part, whatever their case."""
_SOMETIMES_NOUNS = frozenset({"i", "a", "may", "one", "ones"})
_OBJECTS = DETERMINERS | COMPARATIVES | PRONOUNS
_AFTER_CLAUSE = (
    PREPOSITIONS | CONDITIONS | CONNECTIVES | ADVERBS | COMPARATIVES | DETERMINERS | {"of"}
)
_NOUN_PHRASE_ENDS: frozenset[Part] = frozenset({"noun", "name", "gerund"})
_NO_VERB_AFTER: frozenset[Part] = frozenset({"determiner", "of", "comparative"})


def _english_part(word: str, place: _Place, *, named: bool) -> Part:
    if word in _SOMETIMES_NOUNS:
        return "noun" if _is_noun_here(word, place, named=named) else _ALWAYS[word]
    if not word[0].isalnum():
        return "mark"
    if named:
        return "noun"
    if word in ADVERBS:
        return "adverb"
    return _open_part(word, place)


def _is_noun_here(word: str, place: _Place, *, named: bool) -> bool:
    """Whether a small word is a noun in its place: type I, group A, in May, the blue one."""
    match word:
        case "i":
            return place.previous in NUMBERED
        case "a":
            return named
        case "may":
            return named or place.previous in ("in", "last", "this", "since", "of", "until")
        case "one" | "ones":
            return place.last in ("determiner", "noun", "comparative")
        case _:
            return False


def _open_part(word: str, place: _Place) -> Part:
    if word in COMPARATIVES:
        return "comparative"
    if _is_verb(word, place):
        return "verb"
    if _is_predicate(word, place):
        return "predicate"
    # In "machine learning" it is a noun like the one before it.
    return "gerund" if _GERUND.match(word) and place.last not in _NOUN_PHRASE_ENDS else "noun"


def _is_verb(word: str, place: _Place) -> bool:
    if place.last in _NO_VERB_AFTER or place.previous in POSSESSIVES:
        return False
    if word in VERBS or (place.last == "break" and place.previous in SUBJECT_PRONOUNS):
        return True
    if _GERUND.match(word):
        return place.previous == "been"
    if (word, place.after) in PHRASAL_VERBS:
        return place.asks_for_verb and place.last in _NOUN_PHRASE_ENDS
    return word in DOUBTFUL_VERBS and _needs_verb(word, place)


def _needs_verb(word: str, place: _Place) -> bool:
    """Whether a word that may be a verb stands where one is needed."""
    if place.last in ("preposition", "condition", "gerund"):
        infinitive = place.previous == "to" and place.before_that not in NOUNS_BEFORE_TO
        return infinitive and word not in MOSTLY_NOUNS
    if place.after in _OBJECTS or place.after == "up":
        return True
    if place.last == "mark":
        return word in IMPERATIVES
    if place.previous in ("what", "who"):
        return word.removesuffix("s") in IMPERATIVES
    if place.last not in _NOUN_PHRASE_ENDS or not place.asks_for_verb or place.after == "of":
        return False
    if word == "leaves":  # the verb that "does" asks for has no ending
        return False
    return word not in MOSTLY_NOUNS or _ends_clause(place.after)


def _is_predicate(word: str, place: _Place) -> bool:
    if place.copula and place.previous in DEGREES:
        return True
    if not _ends_clause(place.after):
        return False
    said = place.last in _NOUN_PHRASE_ENDS and _PARTICIPLE.match(word)
    return word in PREDICATES or bool(said and (place.copula or word.endswith("ed")))


def _ends_clause(after: str) -> bool:
    return bool(after) and (not after[0].isalnum() or after in _AFTER_CLAUSE)
