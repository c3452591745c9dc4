"""What two notes have in common, in words that a person would use for it. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from tools.text.idf import idf
from tools.text.normalize import fold
from tools.text.stopwords import SEARCH_STOP
from tools.text.tokens import WORD, stem

MOST_SHARED = 5
_KEY_TERMS = 3
_SHORTEST_TERM = 4
"""Letters of a word that can stand for a subject by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteConcepts:
    """What a note is about: titles of the notes that it links to, tags, headings, and its words.

    ``words`` has for each stem how it is first written, and how often it is there.
    """

    linked: Sequence[str]
    tags: Sequence[str]
    headings: Sequence[str]
    words: Mapping[str, tuple[str, int]]


def words_by_stem(text: str) -> dict[str, tuple[str, int]]:
    """The words of a text that can stand for a subject."""
    found: dict[str, tuple[str, int]] = {}
    for word in WORD.findall(text):
        folded = fold(word)
        if len(word) >= _SHORTEST_TERM and folded not in SEARCH_STOP and not word.isdigit():
            first, count = found.get(key := stem(folded), (word, 0))
            found[key] = first, count + 1
    return found


def rare_stems(notes: Iterable[NoteConcepts]) -> dict[str, float]:
    """How rare the stems of some notes are among these: inverse document frequencies."""
    texts = [note.words.keys() for note in notes]
    return idf(frozenset[str]().union(*texts), texts)


def shared_concepts(
    a: NoteConcepts, b: NoteConcepts, *, rarity: Mapping[str, float]
) -> tuple[str, ...]:
    """Notes that both link to, tags and headings of both, then rare words of both, best first.

    ``rarity`` says how rare a stem is.
    """
    named = [
        *_common(a.linked, b.linked),
        *_common(a.tags, b.tags),
        *_common(a.headings, b.headings),
    ]
    found = {fold(name): name for name in reversed(named)}
    terms = [term for term in _key_terms(a, b, rarity) if fold(term) not in found]
    return (*reversed(found.values()), *terms[:_KEY_TERMS])[:MOST_SHARED]


def _common(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """What both have, as the first writes it."""
    others = {fold(name) for name in b}
    return [name for name in dict.fromkeys(a) if fold(name) in others]


def _key_terms(a: NoteConcepts, b: NoteConcepts, rarity: Mapping[str, float]) -> list[str]:
    """Words of both by how often both have them and how rare they are elsewhere."""
    weights = {
        key: log1p(min(a.words[key][1], b.words[key][1])) * rarity.get(key, 0.0)
        for key in a.words.keys() & b.words.keys()
    }
    return [a.words[key][0] for key in sorted(weights, key=lambda key: (-weights[key], key))]
