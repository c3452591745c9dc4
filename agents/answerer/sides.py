"""Whether what stands over lines says that they speak for something or against it: a trained head.

Its weights are learned by ``evals/training/overviews.py`` from ``evals/data/overview_sides``.
"""

from pathlib import Path

from agents.interpreter.classifiers.features import read_features
from agents.interpreter.classifiers.head import Vector, read_head
from tools.overview.overview import SIDES, Side

WEIGHTS = Path(__file__).with_name("sides.npz")
LABELS = (*SIDES, None)
"""What the head's outputs stand for; None is what takes no side."""
_LIKELY = 0.7
"""From this probability on lines are shown on a side: on the wrong one they mislead."""


def side_of(label: str, vector: Vector) -> Side | None:
    """The side that a label says; ``vector`` is the reader's of its ``vector_text``."""
    head = read_head(WEIGHTS)
    outputs = head.outputs(read_features(label), vector)
    shares = head.shares(outputs, with_vector=True)
    likely = dict(zip(LABELS, shares, strict=True))
    side = max(SIDES, key=likely.__getitem__)
    return side if likely[side] >= _LIKELY else None
