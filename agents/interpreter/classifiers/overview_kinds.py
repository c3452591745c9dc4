"""Whether a question asks for an overview, and of which kind: a trained head.

Its weights are learned by ``evals/training/overviews.py``.
"""

from collections.abc import Mapping
from pathlib import Path

from agents.interpreter.classifiers.features import Features
from agents.interpreter.classifiers.head import Vector, read_head
from tools.base.domain import OVERVIEW_KINDS, OverviewKind

WEIGHTS = Path(__file__).with_name("overview_kinds.npz")
LABELS = (*OVERVIEW_KINDS, None)
"""What the head's outputs stand for; None is a question that asks for something else."""
_LIKELY: Mapping[OverviewKind, float] = {
    "overview": 0.5,
    "summary": 0.5,
    "sides": 0.75,
    "quotes": 0.5,
}
"""From this probability on: an overview in place of one fact is a mistake, too, and what speaks for
and against one thing is near to a comparison of two."""


def overview_kind(
    features: Features, vector: Vector | None
) -> tuple[OverviewKind, float] | tuple[None, float]:
    """The kind of overview asked for, and how likely; else None and 0.

    Without a vector the wording decides alone.
    """
    head = read_head(WEIGHTS)
    shares = head.shares(head.outputs(features, vector), with_vector=vector is not None)
    share, kind = max(zip(shares, LABELS, strict=True), key=lambda one: one[0])
    return (kind, share) if kind is not None and share >= _LIKELY[kind] else (None, 0.0)
