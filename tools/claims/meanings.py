"""Words that mean the same, the opposite, or different values of one attribute; by their stems."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from tools.claims.stems import english_stem, is_turkish, stem
from tools.claims.tables import table
from tools.folding import fold
from tools.words import word_set

_SAME_VALUE = frozenset(
    frozenset(pair.split("|"))
    for pair in (
        *("grey|gray", "purple|violet", "wood|wooden", "hallway|corridor", "basement|cellar"),
        *("metal|steel", "metal|iron", "metal|copper", "metal|bronze", "metal|aluminium"),
        *("concrete|cement", "stone|marble", "paper|cardboard"),
    )
) | frozenset(
    frozenset(map(fold, pair.split("|")))
    for pair in (
        *("mavi|lacivert", "mavi|turkuaz", "yeşil|turkuaz", "kırmızı|bordo", "kahverengi|bej"),
        *("kuzey|kuzeydoğu", "kuzey|kuzeybatı", "güney|güneydoğu", "güney|güneybatı"),
        *("doğu|kuzeydoğu", "doğu|güneydoğu", "batı|kuzeybatı", "batı|güneybatı"),
        *("metal|çelik", "metal|demir", "metal|bakır", "metal|bronz", "taş|mermer"),
        *("bekar|boşanmış",),
    )
)
_PREFIXES = word_set("un in im ir il non dis non-")


def _stems(text: str) -> frozenset[str]:
    return frozenset(english_stem(word) for word in text.split())


_NO_PREFIX = _stems("include involve to form vest put sure")
PEOPLE = _stems(
    "man woman boy girl child kid lady guy gentleman adult baby toddler player rider cyclist "
    "runner student teacher worker user member author musician dancer climber surfer"
)
PERSON = word_set("person someon somebody anyon anybody nobody noon")
EFFECTS = _stems("effect impact influence affect")
EFFECT_VERBS = _stems(
    "improve enhance worsen impair harm damage hurt increase raise boost decrease reduce lower "
    "diminish strengthen weaken help hinder shorten lengthen speed slow affect influence change"
)


@lru_cache(maxsize=65536)
def opposite(one: str, other: str, *, turkish: bool = False) -> bool:
    """Whether two stems cannot both be said of one thing in one respect."""
    sides = _sides(turkish=turkish)
    if one in sides and other in sides:
        others = sides[other]
        if any((line, not side) in others for line, side in sides[one]):
            return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return (
        not turkish
        and len(short) > 3
        and long.endswith(short)
        and long.removesuffix(short) in _PREFIXES
        and short not in _NO_PREFIX
    )


@lru_cache(maxsize=65536)
def exclusive(one: str, other: str) -> bool:
    """Whether two stems, or names of stems, are different values of what a thing has one of."""
    groups = _exclusive_groups()
    shared = groups.get(one, frozenset()) & groups.get(other, frozenset())
    return one != other and bool(shared) and frozenset((one, other)) not in _SAME_VALUE


@lru_cache(maxsize=32768)
def turkish_value(word: str) -> str | None:
    """The value (a colour, a day), folded, of which a Turkish word is a form, if it is of any."""
    known = _turkish_values()
    ends = (end for end in range(len(word), 1, -1) if word[:end] in known)
    return next((word[:end] for end in ends if _TURKISH_ENDING.fullmatch(word, end)), None)


_TURKISH_ENDING = re.compile(
    r"(?:l[ae]r)?(?:[iu]m[iu]z|[iu]n[iu]z|[sy]?[iu]n?|[iu]m)?"
    r"(?:[dt][ae](?:n|k[iu])?|[yn]?[iu]n?|[yn]?[ae]|y?l[ae])?(?:d[iu]r|y?[dt][iu]|ym[iu]s)?"
)


@lru_cache(maxsize=65536)
def synonymous(one: str, other: str, *, turkish: bool = False) -> bool:
    """Whether two stems say nearly the same; opposites never do."""
    if one == other:
        return True
    if opposite(one, other, turkish=turkish):
        return False
    groups, sides = _synonym_groups(), _sides(turkish=turkish)
    grouped = one in groups and other in groups and groups[one] & groups[other]
    return bool(grouped or (one in sides and other in sides and sides[one] & sides[other]))


@cache
def _sides(*, turkish: bool) -> Mapping[str, frozenset[tuple[int, bool]]]:
    """For each stem the lines of the table of opposites it is on, and on which side."""
    sides: dict[str, set[tuple[int, bool]]] = {}
    for number, line in enumerate(table("opposites_tr" if turkish else "opposites_en")):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                own = {fold(word)} if turkish else set[str]()
                for key in {stem(fold(word), turkish=turkish), *own}:
                    sides.setdefault(key, set()).add((number, bool(side)))
    return {word: frozenset(places) for word, places in sides.items()}


@cache
def _synonym_groups() -> Mapping[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(table("synonyms")):
        for word in line.split():
            groups.setdefault(english_stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}


@cache
def _turkish_values() -> frozenset[str]:
    """The folded values of Turkish lines, and what has an opposite."""
    own = [line for line in table("exclusive") if is_turkish(line)]
    lines = " ".join((*own, *table("opposites_tr"))).replace("|", " ")
    return frozenset(fold(word) for word in lines.split() if "_" not in word)


@cache
def _exclusive_groups() -> Mapping[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(table("exclusive")):
        for words in line.split():
            for turkish in (False, True):
                parts = [stem(fold(word), turkish=turkish) for word in words.split("_")]
                groups.setdefault(" ".join(parts), set()).add(number)
            groups.setdefault(fold(words), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}
