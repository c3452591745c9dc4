"""What WordNet tells of words: the kind of thing a name names, and what is opposite to what."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from tools.text.word_tables import table

type _Place = tuple[str, int, int]
"""Where a name stands in the tree of a kind: the kind, and the lines from it to below it."""


def rivals(one: str, other: str) -> str | None:
    """The kind of which two names (folded) are different members, None if they are not.

    Names for one thing, and one for a kind of what the other names, are no rivals; nor is a
    compound of the word it ends with.
    """
    mine, others = _standing(one), _standing(other)
    if not mine or not others or one.endswith(other) or other.endswith(one):
        return None
    if compatible(one, other):
        return None
    return next((a[0] for a in mine for b in others if a[0] == b[0]), None)


def compatible(one: str, other: str) -> bool:
    """Whether both of two names (folded) may be right, as far as they are known.

    They name one thing, one names a kind of the other, or they are of different kinds, as a city
    and a country are.
    """
    places = [(a, b) for a in _standing(one) for b in _standing(other)]
    if any(_holds(a, b) or _holds(b, a) for a, b in places):
        return True
    return bool(places) and all(a[0] != b[0] for a, b in places)


@lru_cache(maxsize=8192)
def _standing(name: str) -> tuple[_Place, ...]:
    places = _places()
    return tuple(place for form in _forms(name) for place in places.get(form, ()))


def antonyms(one: str, other: str) -> bool:
    """Whether two English words (folded) are opposites, in whatever respect."""
    known = _antonyms()
    others = set(_forms(other))
    return any(not others.isdisjoint(known.get(form, ())) for form in _forms(one))


def _holds(one: _Place, other: _Place) -> bool:
    return one[1] <= other[1] < one[2]


_ENDINGS = (
    *(("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", "")),
    *(("ing", ""), ("ing", "e")),
)


def _forms(word: str) -> Iterator[str]:
    """What a dictionary may list a word, or the last of a name, under."""
    yield word
    yield from (
        word.removesuffix(ending) + base
        for ending, base in _ENDINGS
        if word.endswith(ending) and len(word) - len(ending) > 1
    )


@cache
def _places() -> Mapping[str, list[_Place]]:
    found: dict[str, list[_Place]] = {}
    above: list[tuple[int, str]] = []
    kind = ""

    def close(depth: int, end: int) -> None:
        """Enter what stands above, down to this depth: nothing more is below it."""
        while len(above) > depth:
            start, names = above.pop()
            for name in names.replace("_", " ").split(","):
                found.setdefault(name, []).append((kind, start, end))

    lines = table("kinds")
    for number, line in enumerate(lines):
        if line[0] == "[":
            close(0, number)
            kind = line[1:-1]
        else:
            names = line.lstrip(" ")
            close(len(line) - len(names), number)
            above.append((number, names))
    close(0, len(lines))
    return found


@cache
def _antonyms() -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in table("antonyms"):
        one, _, other = line.partition(" | ")
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found
