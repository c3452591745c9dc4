"""How English words stand to each other in WordNet: wider, narrower, beside, opposite. Pure.

The table ``wordnet.txt`` is compiled by ``scripts/word_relations.py``; its licence is beside it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, product
from typing import Literal, NamedTuple

from tools.text.word_tables import table

RARE = "~"
"""Marks a word whose sense this is but rarely: as such it is only what others are kinds of."""

type WordRelation = Literal["synonym", "narrower", "wider", "sibling", "opposite"]
"""What the first word is to the second: a narrower one is one kind of it, siblings are two kinds of
one thing."""

_FARTHEST, _NEAR = 5, 2
"""Steps up from a word to a wider one, and to what two siblings are both kinds of."""
_SHALLOW = 4
"""What stands so near to the top (entity, object, abstraction) says nothing of what is below it."""
_ENDINGS = (
    *(("ies", "y"), ("ves", "f"), ("es", ""), ("es", "e"), ("s", "")),
    *(("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("est", "")),
)
_HEADED = ("adj", "adv")
"""Parts of speech in which what is over a word is one that means nearly the same."""
type _Place = tuple[str, int]
"""A synset: its part of speech and the number of its line."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The table; ``words`` and ``over`` as lines, of which few are ever looked at.

    A line of ``words``, which are in order, is a word and its synsets. ``over`` has by part of
    speech a line for each synset, with the number of the one over it, if there is one.
    """

    words: Sequence[str]
    over: Mapping[str, Sequence[str]]
    opposites: Mapping[str, Set[str]]
    forms: Mapping[str, Sequence[str]]


@lru_cache(maxsize=65536)
def word_relation(one: str, other: str) -> WordRelation | None:
    """What ``one`` is to ``other``, both folded English words of any form; None where unknown.

    Of several senses that which says most counts: the same, opposite, wider or narrower, beside.
    """
    mine, others = _word(one), _word(other)
    if mine is None or others is None or not mine.bases.isdisjoint(others.bases):
        return None
    if not mine.opposites.isdisjoint(others.bases):
        return "opposite"
    if not mine.senses.isdisjoint(others.senses):
        return "synonym"
    if not mine.opposite_heads.isdisjoint(others.heads):
        return "opposite"
    if not mine.over.isdisjoint(others.senses | others.rare):
        return "narrower"
    if not others.over.isdisjoint(mine.senses | mine.rare):
        return "wider"
    return None if mine.near.isdisjoint(others.near) else "sibling"


def is_known(word: str) -> bool:
    """Whether a folded word is an English one, in any of its forms."""
    return _word(word) is not None


class _Word(NamedTuple):
    """What is known of a word: what it is a form of, its senses, and what stands over them.

    ``near`` is over them by few steps; ``heads`` are over its senses as an adjective.
    """

    bases: frozenset[str]
    opposites: frozenset[str]
    senses: frozenset[_Place]
    rare: frozenset[_Place]
    over: frozenset[_Place]
    near: frozenset[_Place]
    heads: frozenset[_Place]
    opposite_heads: frozenset[_Place]


@lru_cache(maxsize=65536)
def _word(word: str) -> _Word | None:
    known = _table()
    forms = {form: _places(form) for form in _forms(word, known.forms)}
    bases = {form: places for form, places in forms.items() if any(places)}
    if not bases:
        return None
    senses = [place for often, _ in bases.values() for place in often]
    lines = [_line_up(place) for place in senses]
    heads = frozenset(line[-1] for line in lines if line[0][0] in _HEADED)
    return _Word(
        bases=frozenset(bases),
        opposites=frozenset(own for base in bases for own in known.opposites.get(base, ())),
        senses=frozenset(senses),
        rare=frozenset(place for _, rarely in bases.values() for place in rarely),
        over=frozenset(above for line in lines for above in _telling(line, _FARTHEST)),
        near=frozenset(above for line in lines for above in _telling(line, _NEAR)),
        heads=heads,
        opposite_heads=frozenset(own for head in heads for own in _opposite_heads().get(head, ())),
    )


def _telling(line: Sequence[_Place], most: int) -> Sequence[_Place]:
    """What is over the first of a line by ``most`` steps at most, and not near the top."""
    end = len(line) - _SHALLOW if line[0][0] == "noun" else len(line)
    return line[1 : max(0, min(most + 1, end))]


@lru_cache(maxsize=65536)
def _line_up(place: _Place) -> tuple[_Place, ...]:
    """The synset and all that are over it."""
    part, number = place
    over = _table().over[part]
    found = [place]
    while above := over[number]:
        number = int(above)
        found.append((part, number))
    return tuple(found)


def _forms(word: str, irregular: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield word
    if word in irregular:
        yield from irregular[word]
        return
    for ending, base in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 1:
            stem = word.removesuffix(ending)
            yield stem + base
            if not base and len(stem) > 3 and stem[-1] == stem[-2]:  # running, bigger
                yield stem[:-1]


@cache
def _opposite_heads() -> Mapping[_Place, frozenset[_Place]]:
    known = _table()
    found: dict[_Place, set[_Place]] = {}
    for one, others in known.opposites.items():
        for other in others:
            for place, at in product(_places(one)[0], _places(other)[0]):
                if place[0] == at[0] and place[0] in _HEADED:
                    found.setdefault(_line_up(place)[-1], set()).add(_line_up(at)[-1])
    return {place: frozenset(own) for place, own in found.items()}


def _places(word: str) -> tuple[list[_Place], list[_Place]]:
    """The synsets of a word as it is written, and those that it names but rarely."""
    words = _table().words
    at = bisect_left(words, f"{word} ")
    found: tuple[list[_Place], list[_Place]] = [], []
    if at < len(words) and words[at].startswith(f"{word} "):
        for place in words[at].split(" ")[1:]:
            part, _, number = place.removeprefix(RARE).partition(":")
            found[place.startswith(RARE)].append((part, int(number)))
    return found


@cache
def _table() -> _Table:
    """Most of the table is read only where a word is looked up: it has 99,000 lines."""
    lines = table("wordnet")
    begins = [at for at, line in enumerate(lines) if line.startswith("[")]
    sections = {
        lines[begin].strip("[]"): lines[begin + 1 : end]
        for begin, end in pairwise([*begins, len(lines)])
    }
    opposites: dict[str, set[str]] = {}
    forms: dict[str, list[str]] = {}
    for line in sections["opposites"]:
        one, other = line.split(" ")
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    for line in sections["forms"]:
        form, base = line.split(" ")
        forms.setdefault(form, []).append(base)
    return _Table(sections["words"], sections, opposites, forms)
