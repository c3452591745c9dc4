"""How English words stand to each other, as WordNet has it: wider, narrower, beside, opposite. Pure.

The table ``wordnet.txt`` is compiled by ``evals/compile_wordnet.py``; its licence is beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

TABLE = Path(__file__).with_name("wordnet.txt")

RARE = "~"
"""Marks a word whose sense this is but rarely: as such it is only what others are kinds of."""

type WordRelation = Literal["synonym", "narrower", "wider", "sibling", "opposite"]
"""What the first word is to the second: a narrower one is one kind of it, siblings are two kinds of
one thing."""

_FARTHEST = 5
"""Steps up from a word to a wider one; and to what two siblings are both kinds of, half of it."""
_SHALLOW = 4
"""What stands so near to the top (entity, object, abstraction) says nothing of what is below it."""
_ENDINGS = (
    *(("ies", "y"), ("ves", "f"), ("es", ""), ("es", "e"), ("s", "")),
    *(("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("est", "")),
)
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
    """What ``one`` is to ``other``, both folded English words of any form; None where unknown."""
    bases, others = _bases(one), _bases(other)
    if not bases or not others or bases & others:
        return None
    known = _table()
    if any(not known.opposites.get(base, frozenset()).isdisjoint(others) for base in bases):
        return "opposite"
    found = [
        _standing(place, at)
        for base in bases
        for place in known.places.get(base, ())
        for against in others
        for at in known.places.get(against, ())
    ]
    if not any(found):
        found = [*_of_rare(bases, others, "narrower"), *_of_rare(others, bases, "wider")]
    return min(filter(None, found), key=_ORDER.index, default=None)


def _of_rare(
    bases: frozenset[str], others: frozenset[str], relation: WordRelation
) -> Iterator[WordRelation]:
    """``relation`` where a rare sense of the ``others`` is over one of the ``bases``."""
    known = _table()
    for base in bases:
        for place in known.places.get(base, ()):
            for other in others:
                for at in known.rare.get(other, ()):
                    if _standing(place, at) == "narrower":
                        yield relation


_HEADED = ("adj", "adv")
"""Parts of speech in which what is over a word is one that means nearly the same."""
_ORDER: tuple[WordRelation, ...] = ("synonym", "opposite", "narrower", "wider", "sibling")
"""Of several senses the one that says most."""


def _standing(one: _Place, other: _Place) -> WordRelation | None:
    if one[0] != other[0]:
        return None
    mine, others = _line_up(one), _line_up(other)
    if one == other:
        return "synonym"
    if one[0] in _HEADED and others[-1] in _opposite_heads().get(mine[-1], ()):
        return "opposite"
    if other in mine and _says_something(others):
        return "narrower" if mine.index(other) <= _FARTHEST else None
    if one in others and _says_something(mine):
        return "wider" if others.index(one) <= _FARTHEST else None
    common = next((at for at, place in enumerate(mine) if place in others), None)
    if common is None or not _says_something(mine[common:]):
        return None
    near = common <= _FARTHEST // 2 and others.index(mine[common]) <= _FARTHEST // 2
    return "sibling" if near else None


def _says_something(line_up: tuple[_Place, ...]) -> bool:
    return line_up[0][0] != "noun" or len(line_up) > _SHALLOW


@lru_cache(maxsize=65536)
def _line_up(place: _Place) -> tuple[_Place, ...]:
    """The synset and all that are over it."""
    over = _table().over
    found = [place]
    while (above := over.get(found[-1])) is not None:
        found.append(above)
    return tuple(found)


@lru_cache(maxsize=65536)
def _bases(word: str) -> frozenset[str]:
    """What the table lists a word under."""
    known = _table()
    return frozenset(form for form in _forms(word, known.forms) if form in known.places or form in known.rare)


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
    for line in TABLE.read_text("utf-8").splitlines():
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
