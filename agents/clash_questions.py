"""Whether a question asks in what notes contradict each other: a trained head.

Its weights are learned by ``evals/train_clash_questions.py`` from ``evals/data/clash_questions``.
"""

from pathlib import Path

from agents.features import Features
from agents.heads import Vector, read_head

WEIGHTS = Path(__file__).with_name("clash_questions.npz")
ASKS = 0.5
"""From this probability on contradictions are asked for: taken for it wrongly, a question gets no
answer at all."""


def asks_for_clashes(features: Features, vector: Vector | None) -> float:
    """The probability; without a vector the wording decides alone."""
    head = read_head(WEIGHTS)
    return head.shares(head.outputs(features, vector), with_vector=vector is not None)[1]
