"""What two notes have in common, in words that a person would use for it. Pure."""

from collections.abc import Callable, Iterable, Mapping
from math import log1p

from tools.base.domain import Note
from tools.text.idf import idf
from tools.text.normalize import fold
from tools.text.stopwords import SEARCH_STOP
from tools.text.tokens import WORD, stem

MOST_SHARED = 5
_KEY_TERMS = 3
_SHORTEST_TERM = 4
"""Letters of a word that can stand for a subject by itself."""


def shared_concepts(
    a: Note, b: Note, *, title_of: Callable[[str], str | None], rarity: Mapping[str, float]
) -> tuple[str, ...]:
    """Notes that both link to, tags and headings of both, then rare words of both, best first.

    ``title_of`` gives the title of the note that a link's target means, ``rarity`` how rare a stem
    is; words without it are too common to tell anything.
    """
    named = [*_common(_linked(a, title_of), _linked(b, title_of)), *_common(a.tags, b.tags)]
    headings = _common((one.text for one in a.headings), (one.text for one in b.headings))
    found = {fold(name): name for name in reversed([*named, *headings])}
    terms = [term for term in _key_terms(a, b, rarity) if fold(term) not in found]
    return (*reversed(found.values()), *terms[:_KEY_TERMS])[:MOST_SHARED]


def rare_stems(notes: Iterable[Note]) -> dict[str, float]:
    """How rare the stems of some notes are among these: inverse document frequencies."""
    texts = [frozenset(_words(note)) for note in notes]
    return idf(frozenset[str]().union(*texts), texts)


def _linked(note: Note, title_of: Callable[[str], str | None]) -> Iterable[str]:
    return [title for link in note.links if (title := title_of(link.target))]


def _common(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """What both have, as the first writes it."""
    others = {fold(name) for name in b}
    return [name for name in dict.fromkeys(a) if fold(name) in others]


def _key_terms(a: Note, b: Note, rarity: Mapping[str, float]) -> list[str]:
    """Words of both by how often both have them and how rare they are elsewhere."""
    first, second = _words(a), _words(b)
    weights = {key: min(len(first[key]), len(second[key])) for key in first.keys() & second.keys()}
    ranked = sorted(weights, key=lambda key: (-log1p(weights[key]) * rarity.get(key, 0.0), key))
    return [first[key][0] for key in ranked if rarity.get(key, 0.0) > 0.0]


def _words(note: Note) -> dict[str, list[str]]:
    """The words of a note's text by their stems, as written."""
    found: dict[str, list[str]] = {}
    for word in WORD.findall(note.text):
        folded = fold(word)
        if len(word) >= _SHORTEST_TERM and folded not in SEARCH_STOP and not word.isdigit():
            found.setdefault(stem(folded), []).append(word)
    return found
