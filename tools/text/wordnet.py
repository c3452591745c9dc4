"""How English words stand to each other in WordNet: wider, narrower, beside, opposite. Pure.

The table ``wordnet.txt`` is compiled by ``scripts/word_relations.py``; its licence is beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
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
    places: Mapping[str, list[_Place]]
    rare: Mapping[str, list[_Place]]
    over: Mapping[_Place, _Place]
    opposites: Mapping[str, frozenset[str]]
    forms: Mapping[str, list[str]]


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
    bases = frozenset(
        form for form in _forms(word, known.forms) if form in known.places or form in known.rare
    )
    if not bases:
        return None
    senses = [place for base in bases for place in known.places.get(base, ())]
    lines = [_line_up(place) for place in senses]
    heads = frozenset(line[-1] for line in lines if line[0][0] in _HEADED)
    return _Word(
        bases=bases,
        opposites=frozenset(own for base in bases for own in known.opposites.get(base, ())),
        senses=frozenset(senses),
        rare=frozenset(place for base in bases for place in known.rare.get(base, ())),
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
    over = _table().over
    found = [place]
    while (above := over.get(found[-1])) is not None:
        found.append(above)
    return tuple(found)


def _forms(word: str, irregular: Mapping[str, list[str]]) -> Iterator[str]:
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
            for place in known.places.get(one, ()):
                for at in known.places.get(other, ()):
                    if place[0] == at[0] and place[0] in _HEADED:
                        found.setdefault(_line_up(place)[-1], set()).add(_line_up(at)[-1])
    return {place: frozenset(own) for place, own in found.items()}


@cache
def _table() -> _Table:
    places: dict[str, list[_Place]] = {}
    rare: dict[str, list[_Place]] = {}
    over: dict[_Place, _Place] = {}
    opposites: dict[str, set[str]] = {}
    forms: dict[str, list[str]] = {}
    part = section = ""
    number = 0
    for line in table("wordnet"):
        if line.startswith("["):
            section = line.strip("[]")
            if section not in ("opposites", "forms"):
                part, number = section, 0
            continue
        first, _, rest = line.partition(" ")
        if section == "opposites":
            opposites.setdefault(first, set()).add(rest)
            opposites.setdefault(rest, set()).add(first)
        elif section == "forms":
            forms.setdefault(first, []).append(rest)
        else:
            place = (part, number)
            number += 1
            if first:
                over[place] = (part, int(first))
            for word in filter(None, rest.split(",")):
                kept = rare if word.startswith(RARE) else places
                kept.setdefault(word.removeprefix(RARE), []).append(place)
    frozen = {word: frozenset(own) for word, own in opposites.items()}
    return _Table(places, rare, over, frozen, forms)
