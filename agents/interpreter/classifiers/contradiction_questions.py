"""Whether a question asks in what notes contradict each other: a trained head.

Its weights are learned by ``evals/training/contradiction_questions.py`` from
``evals/data/contradiction_questions``.
"""

from pathlib import Path
from typing import NamedTuple

from agents.interpreter.classifiers.features import Features
from agents.interpreter.classifiers.head import Vector, read_head

WEIGHTS = Path(__file__).with_name("contradiction_questions.npz")
ASKS = 0.5
"""From this probability on contradictions are asked for: taken for it wrongly, a question gets no
answer at all."""


class ContradictionQuestion(NamedTuple):
    """How likely a question asks for contradictions on some subject, and for those of all notes."""

    on_subject: float
    of_all: float

    @property
    def asks(self) -> float:
        return self.on_subject + self.of_all


def classify_contradiction_question(
    features: Features, vector: Vector | None
) -> ContradictionQuestion:
    """The probabilities; without a vector the wording decides alone."""
    head = read_head(WEIGHTS)
    _, *asks = head.shares(head.outputs(features, vector), with_vector=vector is not None)
    return ContradictionQuestion(*asks)
