"""Whether a line, or what stands over lines, speaks for something or against it: a trained head.

Its weights are learned by ``evals/train_overviews.py`` from ``evals/data/overview_sides``.
"""

from pathlib import Path

from agents.features import read_features
from agents.heads import Vector, read_head
from tools.overview.overview import SIDES, Side

WEIGHTS = Path(__file__).with_name("sides.npz")
LABELS = (*SIDES, None)
"""What the head's outputs stand for; None is what takes no side."""
_LIKELY = 0.75
"""From this probability on a line is shown on a side: on the wrong one it misleads."""
_LIKELY_LABEL = 0.6
"""The same of what stands over lines: it says so in a word or two."""


def side_of(text: str, vector: Vector, *, label: bool) -> Side | None:
    """The side that a line takes, or the ``label`` of some.

    ``vector`` is the reader's of its ``vector_text``.
    """
    head = read_head(WEIGHTS)
    outputs = head.outputs(read_features(text), vector)
    shares = head.shares(outputs, with_vector=True)
    likely = dict(zip(LABELS, shares, strict=True))
    side = max(SIDES, key=likely.__getitem__)
    return side if likely[side] >= (_LIKELY_LABEL if label else _LIKELY) else None
