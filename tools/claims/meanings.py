"""Words that mean the same, the opposite, or different values of one attribute; by their stems."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from tools.text.language import is_turkish
from tools.text.normalize import fold
from tools.text.stemming import english_stem, fold_word, stem, stems_of, turkish_lower
from tools.text.stopwords import word_set
from tools.text.word_tables import table

_OF_VALUE = "="
"""Marks the key of a Turkish value."""
_SAME_VALUE = frozenset(
    frozenset(pair.split("|"))
    for pair in (
        *("grey|gray", "purple|violet", "wood|wooden", "hallway|corridor", "basement|cellar"),
        *("metal|steel", "metal|iron", "metal|copper", "metal|bronze", "metal|aluminium"),
        *("concrete|cement", "stone|marble", "paper|cardboard"),
    )
) | frozenset(
    frozenset(fold(word) + _OF_VALUE for word in pair.split("|"))
    for pair in (
        *("mavi|lacivert", "mavi|turkuaz", "yeşil|turkuaz", "kırmızı|bordo", "kahverengi|bej"),
        *("kuzey|kuzeydoğu", "kuzey|kuzeybatı", "güney|güneydoğu", "güney|güneybatı"),
        *("doğu|kuzeydoğu", "doğu|güneydoğu", "batı|kuzeybatı", "batı|güneybatı"),
        *("metal|çelik", "metal|demir", "metal|bakır", "metal|bronz", "taş|mermer"),
        *("bekar|boşanmış",),
    )
)
_PREFIXES = word_set("un in im ir il non dis non-")


_NO_PREFIX = stems_of("include involve to form vest put sure")
PEOPLE = stems_of(
    "man woman boy girl child kid lady guy gentleman adult baby toddler player rider cyclist "
    "runner student teacher worker user member author musician dancer climber surfer"
)
PERSON = word_set("person someon somebody anyon anybody nobody noon")
EFFECTS = stems_of("effect impact influence affect") | stems_of("etkiler", turkish=True)
EFFECT_VERBS = stems_of(
    "improve enhance worsen impair harm damage hurt increase raise boost decrease reduce lower "
    "diminish strengthen weaken help hinder shorten lengthen speed slow affect influence change "
    "ruin spoil disturb disrupt"
) | stems_of(
    "bozar artirir azaltir iyilestirir kotulestirir guclendirir zayiflatir hizlandirir yavaslatir "
    "uzatir kisaltir degistirir",
    turkish=True,
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


def meaning_key(word: str, *, turkish: bool, spelled: bool = False) -> str:
    """The key that a word, as it is written, shares with the other forms of what it says.

    A Turkish value has one that no stem is: ``yaz`` (summer) is not the stem of ``yazdı`` (wrote).
    ``spelled``: whether the text is written with Turkish letters.
    """
    value = turkish_value(word, spelled=spelled) if turkish else None
    return value + _OF_VALUE if value else stem(fold_word(word), turkish=turkish)


@lru_cache(maxsize=32768)
def turkish_value(word: str, *, spelled: bool = False) -> str | None:
    """The value (a colour, a day), folded, of which a Turkish word is a form, if it is of any.

    In a text that is ``spelled`` with Turkish letters they count: ``kişi`` is no form of ``kış``.
    """
    word = turkish_lower(word) if spelled else fold_word(word)
    if fold_word(word) in _OTHER_WORDS:
        return None
    values = _turkish_values()
    for end in range(len(word), 1, -1):
        value = fold_word(word[:end])
        known = value in values and (not spelled or word[:end] in values[value])
        if known and _ending(value).fullmatch(fold_word(word[end:])):
            return value
    return None


_ENDING = re.compile(
    r"(?:(?:l[ae]r)?(?:[iu]m[iu]z|[iu]n[iu]z|[sy]?[iu]n?|[iu]m)?"
    r"(?:[dt][ae](?:n|k[iu])?|[yn]?[iu]n?|[yn]?[ae])?(?:d[iu]r|y?[dt][iu]|ym[iu]s)?|y?l[ae])"
)
_IS = r"(?:[dt][iu]r(?:l[ae]r)?)?"
_CASE = r"[dt][ae](?:n|k[iu])?"
# What is a noun, or is, and nothing else: a short word with another ending is often another word,
# and an adjective with -la- a verb (temizler, açıkladı).
_ENDING_OF_ADJECTIVE = re.compile(
    rf"(?:[sy]?[iu]n?)?(?:{_CASE}|[yn]?[iu]n?|[yn]?[ae])?(?:{_IS}|y?[dt][iu]|ym[iu]s)"
)
_ENDING_OF_SHORT = re.compile(rf"(?:{_CASE})?{_IS}")
_ENDING_OF_QUALITY = re.compile(rf"{_ENDING_OF_SHORT.pattern}|[dt][iu](?:l[ae]r)?")
_ENDING_OF_PLACE = re.compile(rf"(?:(?:s?[iu]n)?{_CASE}|[ae])?{_IS}")
_AFTER_VOWEL = r"(?:{0}|y[dt][iu](?:l[ae]r)?|ym[iu]s|y[ae]|y[iu]|n[iu]n|l[ae]r[iu]?)"
_ENDING_AFTER_VOWEL = re.compile(_AFTER_VOWEL.format(_ENDING_OF_SHORT.pattern))
_ENDING_OF_SIDE = re.compile(_AFTER_VOWEL.format(rf"(?:s[iu]|(?:s?[iu]n)?{_CASE})?{_IS}"))
_ENDING_OF_SEASON = re.compile(rf"(?:[iu]n|(?:[iu]n)?{_CASE})?{_IS}")
_SHORT_VALUE = 4
"""Letters up to which a value takes only the endings that leave no doubt."""
_PLACES = word_set("ic dis ust alt sag sol")
_SIDES = word_set("dogu bati")
_SEASONS = word_set("yaz kis mart ekim")
_VERBS_TOO = word_set("tas gec az sig")
_OTHER_WORDS = word_set(
    "yeniden yeniler dogrudan icten coktan yazdir soldur soldurur sagdir gecende icindekiler salin "
    "iciniz yazindan azindan bostan usta sigdir azdir"
)
"""Words that are, or most often are, no form of the value they begin with."""


def _ending(value: str) -> re.Pattern[str]:
    if len(value) > _SHORT_VALUE:
        return _ENDING if value in _nouns() else _ENDING_OF_ADJECTIVE
    if value in _PLACES:
        return _ENDING_OF_PLACE
    if value in _SEASONS:
        return _ENDING_OF_SEASON
    if value in _SIDES:
        return _ENDING_OF_SIDE
    if value[-1] in "aeiou":
        return _ENDING_AFTER_VOWEL
    return _ENDING_OF_SHORT if value in _VERBS_TOO else _ENDING_OF_QUALITY


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
    """For each key the lines of the table of opposites it is on, and on which side."""
    names = ("opposites_verbs_tr", "opposites_tr") if turkish else ("opposites_en",)
    sides: dict[str, set[tuple[int, bool]]] = {}
    for number, line in enumerate(line for name in names for line in table(name)):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                key = meaning_key(word, turkish=turkish, spelled=turkish)
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
def _turkish_values() -> Mapping[str, frozenset[str]]:
    """What Turkish lines exclude or oppose, but for verbs: folded, and how it is spelled."""
    words = " ".join((*_turkish_lines(), *table("opposites_tr"))).replace("|", " ").split()
    found: dict[str, set[str]] = {}
    for word in words:
        found.setdefault(fold(word), set()).add(word)
    return {word: frozenset(spelled) for word, spelled in found.items()}


@cache
def _nouns() -> frozenset[str]:
    """The folded values that exclude each other; what has an opposite is an adjective."""
    return frozenset(fold(word) for line in _turkish_lines() for word in line.split())


@cache
def _turkish_lines() -> tuple[str, ...]:
    return tuple(line for line in table("exclusive") if is_turkish(line))


@cache
def _exclusive_groups() -> Mapping[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(table("exclusive")):
        turkish = line in _turkish_lines()
        for words in line.split():
            parts = [meaning_key(part, turkish=turkish, spelled=True) for part in words.split("_")]
            groups.setdefault(" ".join(parts), set()).add(number)
            if not turkish:
                groups.setdefault(fold(words), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}
