"""What each figure must reach: ``python -m evals.baseline`` compares, ``--raise`` tightens.

``baseline.json`` holds a bound for every score: the least it may be, or the most for an error.
A bound only ever gets stricter, to what is measured less a margin.
"""

import argparse
import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter
from rich.table import Table

from evals.measured import Score, measure, scores
from graphs.terminal import console

BASELINE = Path(__file__).with_name("baseline.json")
MARGIN = 0.01
"""Between a measured score and its new bound: some two questions of the smaller test set."""

type Bounds = Mapping[str, float]

_BOUNDS = TypeAdapter(dict[str, float])


def read_bounds() -> dict[str, float]:
    """The committed bounds by name."""
    return _BOUNDS.validate_json(BASELINE.read_bytes())


def holds(score: Score, bound: float) -> bool:
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
        verdict = "" if holds(score, bound) else "MISSED"
    sign = "≤" if score is not None and score.lower_is_better else "≥"
    return Comparison(
        name=name,
        measured="" if score is None else f"{score.value:.3f}",
        bound="" if bound is None else f"{sign} {bound:.3f}",
        verdict=verdict,
    )


def comparison_table(rows: Iterable[Comparison]) -> Table:
    """The comparisons as a table for a terminal, one a row."""
    table = Table(title="Scores and their bounds", title_justify="left", box=None)
    for heading in ("score", "measured", "bound", ""):
        table.add_column(heading, justify="right" if heading in ("measured", "bound") else "left")
    for row in rows:
        table.add_row(row.name, row.measured, row.bound, row.verdict)
    return table


def main() -> None:
    """Print the comparison; with ``--raise``, write stricter bounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raise", action="store_true", dest="tighten", help="write new bounds")
    given = parser.parse_args()
    bounds, measured = read_bounds(), scores(asyncio.run(measure()))
    if given.tighten:
        new = raised(bounds, measured)
        BASELINE.write_text(json.dumps(new, indent=2) + "\n", "utf-8")
        console().print(f"{sum(new[n] != bounds.get(n) for n in new)} of {len(new)} bounds raised.")
        bounds = new
    console().print(comparison_table(compared(bounds, measured)))


if __name__ == "__main__":
    main()
