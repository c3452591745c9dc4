"""What kind of answer a question asks for: a trained head.

Its weights are learned by ``evals/training/answer_kinds.py`` from the questions below
``evals/data/reader`` and in ``evals/data/kinds``.
"""

from collections.abc import Mapping
from pathlib import Path

from agents.interpreter.classifiers.features import Features
from agents.interpreter.classifiers.head import Vector, read_head
from tools.base.domain import ANSWER_KINDS, AnswerKind

WEIGHTS = Path(__file__).with_name("answer_kinds.npz")


def answer_kinds(features: Features, vector: Vector | None) -> Mapping[AnswerKind, float]:
    """The probability of each kind of answer; without a vector the wording decides alone."""
    head = read_head(WEIGHTS)
    shares = head.shares(head.outputs(features, vector), with_vector=vector is not None)
    return dict(zip(ANSWER_KINDS, shares, strict=True))
