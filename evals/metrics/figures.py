"""Figures as a markdown table."""

import sys
from collections.abc import Mapping, Sequence


def table(name: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> None:
    """Print the figures as a markdown table, a line for each row."""
    out = [f"| {name} | {' | '.join(columns)} |", "|---|" + "---|" * len(columns)]
    out += [
        f"| {row} | " + " | ".join(f"{value:.3f}" for value in values) + " |"
        for row, values in rows.items()
    ]
    sys.stdout.write("\n".join(out) + "\n\n")
