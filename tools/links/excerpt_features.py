"""How two excerpts of notes are written, and what both have, as numbers. Pure.

How a text is written (general or dated, measured, listed, told in the first person) says what it
can be to another: a rule, a case, a finding, the steps of a thing.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tools.text.normalize import fold
from tools.text.stemming import PAST_FORMS
from tools.text.tokens import WORD, stem

type Vector = NDArray[np.float64]

_SHORTEST_TERM = 4
"""Letters of a word whose stem counts as shared."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NUMBER = re.compile(r"\d[\d.,:]*")
_ENDED = re.compile(r"(?<=[.!?])\s+|\n")
_LISTED = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s", re.MULTILINE)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")
_TITLE_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|can|will|must|needs?|never|not)\b", re.IGNORECASE
)
_ASKING = frozenset(("how", "why", "what", "which", "when"))
_CLASSES = tuple(
    frozenset(words.split())
    for words in (
        "i me my we our us mine",
        "you your",
        "no not never nothing nobody none without cannot",
        (
            "any every all always whatever anything each most some many often usually tend tends "
            "rarely"
        ),
        "because since so therefore thus after led made from came became had",
        "can may will should must would could ought might",
        "more less than better worse",
        "the a an",
        "he she they his her their him them",
        "it its this that these those",
        "is are isn't aren't",
        "was were had did",
    )
)
"""Words by what they are for: who speaks, denial, quantity, cause, necessity, comparison, tense.

Words are looked up, for twelve patterns take three times as long.
"""
_DENIAL, _COMPARISON = 2, 6
_CLASSES_OF = {
    word: tuple(at for at, words in enumerate(_CLASSES) if word in words)
    for word in frozenset[str]().union(*_CLASSES)
}
_DENIED = "n't"
_SUPERLATIVE = re.compile(r"\w+est")
_CLASS_WORD = re.compile(r"\w+(?:'t\b)?")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Excerpt:
    """A passage of a note with the note's title, and its vector of length one."""

    title: str
    text: str
    vector: Vector


def style_features(excerpt: Excerpt) -> Vector:
    """How an excerpt is written: lengths, digits, lists, names, tense, classes of words."""
    text = excerpt.text.replace("’", "'")
    words = WORD.findall(text)
    count = max(len(words), 1)
    spoken = max(sum(bool(part.strip()) for part in _ENDED.split(text)), 1)
    numbers, years, names = (len(one.findall(text)) for one in (_NUMBER, _YEAR, _NAME))
    past, lines = sum(map(_is_past, words)), text.count("\n")
    values = [
        *(np.log1p(count), np.log1p(spoken), count / spoken),
        *(np.log1p(numbers), numbers / count, np.log1p(years), np.log1p(max(numbers - years, 0))),
        *("%" in text, lines > 0, np.log1p(lines), bool(_LISTED.search(text))),
        *(past / count, np.log1p(past), names / count, np.log1p(names)),
        sum(map(len, words)) / count,
        *(text.count(sign) / spoken for sign in '?:;"(,'),
        len({word.lower() for word in words}) / count,
        *_class_features(text, count),
        *_title_features(excerpt.title),
    ]
    return np.array(values, np.float64)


def _class_features(text: str, count: int) -> list[float]:
    found = [0] * len(_CLASSES)
    for word, many in Counter(_CLASS_WORD.findall(text.lower())).items():
        for at in _classes_of(word):
            found[at] += many
    return [*(many / count for many in found), *(float(many > 0) for many in found)]


@lru_cache(maxsize=32768)
def _classes_of(word: str) -> frozenset[int]:
    """Of which of ``_CLASSES`` a word is; what is denied ("can't") is also a word itself."""
    of = {*_CLASSES_OF.get(word, ()), *_CLASSES_OF.get(word.removesuffix("'t"), ())}
    if len(word) > len(_DENIED) and word.endswith(_DENIED):
        of.add(_DENIAL)
    if _SUPERLATIVE.fullmatch(word.removesuffix("'t")):
        of.add(_COMPARISON)
    return frozenset(of)


def _title_features(title: str) -> list[float]:
    words = WORD.findall(title)
    count = max(len(words), 1)
    return [
        float(count),
        float(any(letter.isdigit() for letter in title)),
        sum(word[0].isupper() for word in words) / count,
        float(_TITLE_VERB.search(title) is not None),
        float("," in title),
        float(":" in title),
        float(any(fold(word) in _ASKING for word in words[:1])),
        float(any(map(_is_past, words))),
    ]


@lru_cache(maxsize=32768)
def _is_past(word: str) -> bool:
    return fold(word) in PAST_FORMS or (word.endswith("ed") and len(word) > _SHORTEST_TERM)


def shared_features(a: Excerpt, b: Excerpt) -> Vector:
    """What two excerpts have in common: meaning, words, numbers, names, and whose years are first.

    The last one is 1 where those of ``a`` are earlier, -1 where those of ``b`` are.
    """
    in_a, in_b = _stems(a.text), _stems(b.text)
    title_a, title_b = _stems(a.title), _stems(b.title)
    both = len(in_a & in_b)
    years_a, years_b = ([int(year) for year in _YEAR.findall(_whole(one))] for one in (a, b))
    dated = bool(years_a and years_b)
    return np.array(
        [
            float(a.vector @ b.vector),
            *(
                both / max(1, length)
                for length in (min(len(in_a), len(in_b)), len(in_a), len(in_b))
            ),
            float(bool(title_a & title_b)),
            *(
                len(title_a & in_b) / max(1, len(title_a)),
                len(title_b & in_a) / max(1, len(title_b)),
            ),
            float(not {*_NUMBER.findall(a.text)}.isdisjoint(_NUMBER.findall(b.text))),
            *(float(dated), float(bool(years_a) != bool(years_b))),
            float(not {*_NAME.findall(_whole(a))}.isdisjoint(_NAME.findall(_whole(b)))),
            float(np.sign(min(years_b) - min(years_a))) if dated else 0.0,
        ]
    )


def _whole(excerpt: Excerpt) -> str:
    return f"{excerpt.text} {excerpt.title}"


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in WORD.findall(text) if len(word) >= _SHORTEST_TERM)


def pair_features(pairs: Sequence[tuple[Excerpt, Excerpt]]) -> Vector:
    """The features of pairs (pairs × features); an excerpt that is in several is read once."""
    styles = {id(one): style_features(one) for pair in pairs for one in pair}
    rows = [
        np.concatenate(
            [
                *(styles[id(a)], styles[id(b)], shared_features(a, b)),
                *(a.vector, b.vector, np.abs(a.vector - b.vector)),
            ]
        )
        for a, b in pairs
    ]
    return np.array(rows)
