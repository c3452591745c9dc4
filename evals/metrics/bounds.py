"""Figures and the bounds they keep: ``baseline.json`` holds the least each may be, or the most.

A bound only ever gets stricter, to what is measured less a margin.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

BASELINE = Path(__file__).parents[1] / "baseline.json"
MARGIN = 0.01
"""Between a measured score and its new bound: some two questions of the smaller test set."""

type Bounds = Mapping[str, float]

_BOUNDS = TypeAdapter(dict[str, float])


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One figure in [0, 1]; ``lower_is_better`` for errors."""

    name: str
    value: float
    lower_is_better: bool = False


def read_bounds(file: Path = BASELINE) -> dict[str, float]:
    """The bounds by name, those that are committed unless another file is given."""
    return _BOUNDS.validate_json(file.read_bytes())


def is_within_bound(score: Score, bound: float) -> bool:
    """Whether the score keeps its bound."""
    return score.value <= bound if score.lower_is_better else score.value >= bound


def raised(bounds: Bounds, measured: Mapping[str, Score]) -> dict[str, float]:
    """The bounds, each as strict as the measured score less the margin allows, none less strict."""
    new = dict(bounds)
    for name, score in measured.items():
        if score.lower_is_better:
            reachable = min(1.0, round(score.value + MARGIN, 3))
            new[name] = min(reachable, bounds.get(name, 1.0))
        else:
            reachable = max(0.0, round(score.value - MARGIN, 3))
            new[name] = max(reachable, bounds.get(name, 0.0))
    return dict(sorted(new.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A score beside its bound, ready to be shown; ``verdict`` is empty where all is well."""

    name: str
    measured: str
    bound: str
    verdict: str


def compared(bounds: Bounds, measured: Mapping[str, Score]) -> list[Comparison]:
    """Every score and every bound there is, by name."""
    return [
        _compared(name, measured.get(name), bounds.get(name))
        for name in sorted({*bounds, *measured})
    ]


def _compared(name: str, score: Score | None, bound: float | None) -> Comparison:
    if score is None:
        verdict = "not measured"
    elif bound is None:
        verdict = "no bound yet"
    else:
        verdict = "" if is_within_bound(score, bound) else "MISSED"
    sign = "≤" if score is not None and score.lower_is_better else "≥"
    return Comparison(
        name=name,
        measured="" if score is None else f"{score.value:.3f}",
        bound="" if bound is None else f"{sign} {bound:.3f}",
        verdict=verdict,
    )
