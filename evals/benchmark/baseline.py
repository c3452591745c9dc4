"""The figures' bounds: ``python -m evals.benchmark.baseline`` compares, ``--raise`` tightens."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from evals.benchmark.measure import measure, scores
from evals.metrics.bounds import BASELINE, Score, compared, raised, read_bounds
from evals.reports.tables import bounds_table
from graphs.cli.output.console import console
from tools.base.errors import InputError
from tools.base.output_files import writing


def measured() -> Mapping[str, Score]:
    """The figures of the project's own test sets. Raises InputError for a file that is damaged."""
    return scores(asyncio.run(measure()))


def main(
    arguments: Sequence[str] | None = None,
    *,
    file: Path = BASELINE,
    figures: Callable[[], Mapping[str, Score]] = measured,
) -> int:
    """Print the comparison with the bounds in ``file``; with ``--raise``, write stricter ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raise", action="store_true", dest="tighten", help="write new bounds")
    given = parser.parse_args(arguments)
    try:
        bounds, found = read_bounds(file), figures()
        if given.tighten:
            new = raised(bounds, found)
            with writing(file):
                file.write_text(json.dumps(new, indent=2) + "\n", "utf-8")
            tightened = sum(new[name] != bounds.get(name) for name in new)
            console().print(f"{tightened} of {len(new)} bounds raised.")
            bounds = new
    except InputError as error:
        sys.stderr.write(f"baseline: {error}\n")
        return 2
    console().print(bounds_table(compared(bounds, found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
