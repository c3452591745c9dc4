"""What two notes have in common, in words that a person would use for it. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p

from tools.text.normalize import fold
from tools.text.stemming import english_stem
from tools.text.stopwords import SEARCH_STOP
from tools.text.tokens import WORD, words_of

MOST_SHARED = 5
_KEY_TERMS = 3
_SHORTEST_TERM = 4
"""Letters of a word that can stand for a subject by itself."""


type Forms = Mapping[str, int]
"""How often a text has a word, by how it writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteConcepts:
    """What a note is about: titles of the notes that it links to, tags, headings, and its words.

    ``words`` has for each stem how it is written, as it comes.
    """

    linked: Sequence[str]
    tags: Sequence[str]
    headings: Sequence[str]
    words: Mapping[str, Forms]


def words_by_stem(text: str) -> dict[str, Forms]:
    """The words of a text that can stand for a subject."""
    forms: dict[str, dict[str, int]] = {}
    for word, count in Counter(WORD.findall(text)).items():
        if key := _subject(word):
            forms.setdefault(key, {})[word] = count
    return dict(forms)


@lru_cache(maxsize=32768)
def _subject(word: str) -> str:
    """The stem of a word that can stand for a subject; nothing of another."""
    folded = fold(word)
    told = len(word) >= _SHORTEST_TERM and folded not in SEARCH_STOP and word.isalpha()
    return english_stem(folded) if told else ""


def as_written(forms: Forms) -> str:
    """The form that is there most, in lower case if it is ever: a capital may begin a sentence."""
    most = max(forms, key=forms.__getitem__)
    return most.lower() if most.lower() in forms else most


def shared_concepts(
    a: NoteConcepts, b: NoteConcepts, *, rarity: Mapping[str, float]
) -> tuple[str, ...]:
    """Notes that both link to, tags and headings of both, then rare words of both, best first.

    ``rarity`` says how much a stem tells of a subject; one that it lacks tells nothing.
    """
    named = [
        *_common(a.linked, b.linked),
        *_common(a.tags, b.tags),
        *_common(a.headings, b.headings),
    ]
    found = {fold(name): name for name in reversed(named)}
    said = {english_stem(word) for name in found.values() for word in words_of(name)}
    terms = [as_written(a.words[key]) for key in _key_terms(a, b, rarity) if key not in said]
    return (*reversed(found.values()), *terms[:_KEY_TERMS])[:MOST_SHARED]


def _common(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """What both have, as the first writes it."""
    others = {fold(name) for name in b}
    return [name for name in dict.fromkeys(a) if fold(name) in others]


def _key_terms(a: NoteConcepts, b: NoteConcepts, rarity: Mapping[str, float]) -> list[str]:
    """Stems of both by how often both have them and how rare they are elsewhere."""
    weights = {
        key: log1p(min(sum(a.words[key].values()), sum(b.words[key].values()))) * rarity[key]
        for key in a.words.keys() & b.words.keys() & rarity.keys()
    }
    return sorted(weights, key=lambda key: (-weights[key], key))
