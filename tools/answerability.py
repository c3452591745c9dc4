"""How likely it is that the notes found hold the answer at all. Pure.

Relevance alone cannot tell: what is asked of one person and was said of another is as close to the
question as its answer would be. So the passages are asked twice: whether a line holds the words of
the question, and whether the lines that do tell of the person asked about.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tools.domain import Result
from tools.folding import fold
from tools.rarity import rarity
from tools.utterances import (
    REPLY,
    Utterance,
    said_by,
    speakers,
    stem,
    stems_in,
    tells_of,
    utterances,
    words_of,
)
from tools.words import NOTING, STOP, TURKISH_STOP

# --- parameters ----------------------------------------------------------------------------

_SHARPNESS = 0.1
"""Difference in coverage by which a line weighs e times as much as another."""
_AROUND = 0.8
"""What the title and the heading over a line that is not spoken hold counts for as much of it."""
UNKNOWN_NAME = 0.3
"""What is left of the probability where no note at all has a name that the question has. Chosen by
hand: one in 500 of LoCoMo's answerable questions more is told so (docs/PERFORMANCE.md)."""
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÇĞİÖŞÜ][^\W\d_]{2,}|^[A-ZÇĞİÖŞÜ][^\W\d_]{2,}(?=['’])")
"""A capital within a sentence, or before the 's, or the Turkish ending, of a name."""
_TITLE = re.compile(r"[\"“][^\"”]*[\"”]?")
_LOWER = re.compile(r"(?<=\s)[a-zçğıöşü]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """P(answerable) = σ(constant + held·h + meant·m) · σ(slope·(t - told))."""

    constant: float
    held: float
    meant: float
    told: float
    slope: float


WEIGHTS = Weights(constant=-1.54, held=4.86, meant=0.94, told=0.44, slope=10.28)
"""Maximum likelihood on evals/data/answerable.jsonl: ``python -m evals.answerability --fit``."""

ABSENT_BELOW = 0.3
"""Below this an answer opens with "Not in your notes": no more than 5 % of the questions that have
an answer may meet it (docs/PERFORMANCE.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What speaks for an answer among the passages found, each figure in [0, 1].

    ``held``: the greatest share of the question's words, by rarity, in one utterance. ``meant``:
    the score of the best note that its meaning found. ``told``: how far the utterances that hold
    most tell of ``person``; 1.0 where no speaker is asked about. ``another`` is who else says the
    best line, where that is no line of the person's. ``missing`` are the words no passage has,
    ``unknown`` the names no note of the vault has.
    """

    held: float
    meant: float
    told: float
    person: str | None = None
    another: str | None = None
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def probability(self, weights: Weights = WEIGHTS) -> float:
        """That the passages hold the answer."""
        logit = weights.constant + weights.held * self.held + weights.meant * self.meant
        known = UNKNOWN_NAME if self.unknown else 1.0
        return known * _logistic(logit) * _logistic(weights.slope * (self.told - weights.told))


def is_unlikely(probability: float) -> bool:
    """Whether an answer of this probability (``Support``) is likely in no note."""
    return probability < ABSENT_BELOW


def names_in(question: str) -> tuple[str, ...]:
    """The names in a question, folded, but for those in titles that it quotes.

    Where every word has a capital none tells a name.
    """
    if not _LOWER.search(question):
        return ()
    found = (fold(name) for name in _NAME.findall(_TITLE.sub(" ", question)))
    return tuple(dict.fromkeys(name for name in found if name not in STOP | TURKISH_STOP))


def support(
    question: str,
    words: Sequence[str],
    results: Sequence[Result],
    *,
    said: Sequence[Sequence[Utterance]] | None = None,
) -> Support:
    """Hold the question, in which ``words`` are what is looked for, against the passages.

    ``said``: the utterances of each result, where they are read already.
    """
    if said is None:
        said = [utterances(result) for result in results]
    parts = [part for own in said for part in own]
    people = speakers(parts)
    persons = [word for word in dict.fromkeys(words_of(question)) if word in people]
    asked = [word for text in words for word in words_of(text) if word not in people]
    asked = [word for word in asked if word not in NOTING] or asked
    stems = {word: stem(word) for word in dict.fromkeys(asked)}
    wanted = frozenset(stems.values())
    has = [wanted.intersection(part.stems) for part in parts]
    shares = _shares(results, said, has, rarity(wanted, has))
    present = frozenset[str]().union(*has)
    best = parts[shares.index(max(shares))] if parts else None
    aside = best is not None and best.speaker and not any(said_by(best, one) for one in persons)
    return Support(
        held=min(1.0, max(shares, default=0.0)),
        meant=max((r.relevance_score for r in results if "semantic" in r.sources), default=0.0),
        told=_told(parts, shares, persons) if persons else 1.0,
        person=" and ".join(people[one] for one in persons) or None,
        another=best.speaker if best is not None and aside and persons else None,
        missing=tuple(word for word, start in stems.items() if start not in present),
    )


def _shares(
    results: Sequence[Result],
    said: Sequence[Sequence[Utterance]],
    has: Sequence[frozenset[str]],
    weights: Mapping[str, float],
) -> list[float]:
    """The weighted share of the question's words that each utterance, or what is over it, holds.

    ``has`` are the stems of the question in each, of which ``weights`` has all.
    """
    wanted = frozenset(weights)
    total = sum(weights.values()) or 1.0

    @cache
    def weight(words: frozenset[str]) -> float:
        return sum(weights[word] for word in sorted(words)) / total

    @cache
    def asked(text: str) -> frozenset[str]:
        return wanted.intersection(stems_in(text))

    shares: list[float] = []
    for result, own in zip(results, said, strict=True):
        title = asked(result.note_title)
        before: frozenset[str] = frozenset()
        for part in own:
            found = has[len(shares)]
            share = weight(found)
            if part.speaker is None:
                around = title | asked(part.excerpt.heading or "")
                share += _AROUND * weight(around - found)
            if part.replies:
                share = max(share, REPLY * weight(found | before))
            shares.append(share)
            before = found
    return shares


def _told(parts: Sequence[Utterance], shares: Sequence[float], persons: Sequence[str]) -> float:
    """How far the utterances tell of the persons, each weighed by the softmax of its share."""
    most = max(shares)
    weights = [math.exp((share - most) / _SHARPNESS) for share in shares]
    about = [max(tells_of(part, one) for one in persons) for part in parts]
    return sum(w * tells for w, tells in zip(weights, about, strict=True)) / sum(weights)


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
