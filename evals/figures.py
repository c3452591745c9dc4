"""What the measurements of a collection share: its labelled questions, and figures as a table."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def note(one: Mapping[str, Any]) -> str:
    """The path of an evidence note inside its vault."""
    return str(one["note"]).split("/", 1)[1]


def table(name: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> None:
    """Print the figures as a markdown table, a line for each row."""
    out = [f"| {name} | {' | '.join(columns)} |", "|---|" + "---|" * len(columns)]
    out += [
        f"| {row} | " + " | ".join(f"{value:.3f}" for value in values) + " |"
        for row, values in rows.items()
    ]
    sys.stdout.write("\n".join(out) + "\n\n")
