"""How surely two claims contradict each other: what their reader says, and their words.

The reader (``tools/semantic/pair_reader.py``) knows what most sentences mean, the words know what
can be counted: numbers, dates, denials, opposites. A logistic regression weighs both;
``evals/fitting/pair_scoring.py`` fits it. Pure.
"""

import json
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents.entailment.contradiction import PairPrediction
from agents.judge.temporal_order import claim_form
from tools.text.word_diff import differing_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

type Relate = Callable[[Sequence[tuple[str, str]]], Awaitable[NDArray[np.float32]]]
"""How likely each pair of texts is each of ``RELATIONS`` of the reader, a row for each pair."""

WEIGHTS = Path(__file__).with_name("pair_scoring.json")
FEATURES = (
    "clash",
    "follows",
    "words clash",
    "words clash surely",
    "in common",
)
_LEAST = 1e-4
_LONGEST_QUOTE = 8
"""Words of each claim that an explanation quotes."""


class RelationProbabilities(NamedTuple):
    """How likely the reader finds each of its ``RELATIONS``."""

    contradicts: float
    changed: float
    follows: float
    neither: float

    @property
    def conflict(self) -> float:
        return self.contradicts + self.changed


def features(found: PairPrediction, shares: RelationProbabilities) -> tuple[float, ...]:
    """The values of ``FEATURES``: logits of the reader's, and what the words come to."""
    return (
        _logit(shares.conflict),
        _logit(shares.follows),
        float(found.type is not None),
        float(found.contradiction or found.change > 0),
        found.similarity,
    )


def is_nonassertive(claim: str) -> bool:
    """Whether a claim asks or supposes, or leaves open what it is about or of how much it holds."""
    one = claim_form(claim)
    supposed = one.question or one.hedged or one.conditional or one.anaphoric
    return supposed or one.weak or one.existential or one.restricted


def _logit(share: float) -> float:
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))


class Scoring(NamedTuple):
    """The weights of ``FEATURES``; from the confidence ``told`` on a clash is told of."""

    weights: tuple[float, ...]
    bias: float
    told: float

    def confidence(self, values: Sequence[float]) -> float:
        logit = self.bias + sum(
            own * value for own, value in zip(self.weights, values, strict=True)
        )
        return round(1 / (1 + math.exp(-logit)), 3)


@cache
def scoring() -> Scoring:
    """What was fitted."""
    kept = json.loads(WEIGHTS.read_text("utf-8"))
    return Scoring(tuple(kept["weights"][name] for name in FEATURES), kept["bias"], kept["told"])


def rescored(
    found: PairPrediction, a: str, b: str, shares: RelationProbabilities
) -> PairPrediction:
    """The verdict on the words of ``a`` and ``b``, given what the reader makes of them.

    A clash that the words are sure of stands.
    """
    changed = shares.changed > shares.contradicts
    if found.contradiction or found.change:
        return replace(found, change=found.change or found.confidence * changed)
    fitted = scoring()
    sure = fitted.confidence(features(found, shares))
    if sure >= fitted.told and not (is_nonassertive(a) or is_nonassertive(b)):
        told = as_conflict(found, a, b, sure, changed=changed)
        return replace(told, contradiction=not found.apart)
    return replace(found, contradiction=False, confidence=sure, change=0.0)


def as_conflict(
    found: PairPrediction, a: str, b: str, confidence: float, *, changed: bool
) -> PairPrediction:
    """The verdict on the words of ``a`` and ``b``, of which it is known that they clash.

    Where they are of two times by their words, or ``changed`` by the reader, they are a change as
    well: which of both is told, their dates decide.
    """
    return replace(
        found,
        contradiction=True,
        confidence=confidence,
        change=confidence if found.apart or changed else 0.0,
        type=found.type or "semantic_conflict",
        explanation=found.explanation or describe_difference(a, b),
    )


def describe_difference(a: str, b: str) -> str:
    """A sentence with what each of two claims says where the other says something else."""
    ranges = differing_words(a, b)
    if max(map(len, ranges)) == 1:
        one, other = (
            text[slice(*own[0])] if own else "" for text, own in zip((a, b), ranges, strict=True)
        )
        if max(len(one.split()), len(other.split())) <= _LONGEST_QUOTE:
            if one and other:
                return f"One says “{one}”, the other “{other}”."
            return f"Only one says “{one or other}”."
    return "What both say cannot be so of one thing at one time."
