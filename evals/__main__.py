"""Measure everything and show it: ``python -m evals [FILE …]``, or ``make eval``.

The project's own test sets are held against their bounds; FILEs, JSON lines of labelled questions
from elsewhere, are shown beside them. The page goes to ``build/evals/intents.html``.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.benchmark.measure import measure, scores
from evals.datasets.files import NOW
from evals.datasets.intents import Case
from evals.datasets.records import read_lines
from evals.interpretation.intents import build_interpreter, run_cases
from evals.metrics.bounds import compared, read_bounds
from evals.metrics.classification import Outcome
from evals.reports.page import Findings, require_report, save_report
from evals.reports.tables import bounds_table, checks, claim_tables, intent_tables, retrieval_tables
from graphs.cli.output.console import console
from tools.base.errors import InputError
from tools.base.output_files import writing
from tools.settings.settings import ModelSettings

PAGE = Path("build/evals/intents.html")
OWN = "The project's own test questions"


async def run(files: Sequence[Path]) -> Findings:
    """Everything measured, by local reading. Raises InputError for a file that cannot be used."""
    interpret = build_interpreter(ModelSettings(mode="local"))
    elsewhere = {path: [c for c in read_lines(path, Case) if c.intent] for path in files}
    for path, cases in elsewhere.items():
        if not cases:
            raise InputError(
                f"No question in {path.name!r} has an `intent` to compare with: label some, or "
                "have them read without by `brain eval intents`."
            )
    own = await measure()
    sets: dict[str, Sequence[Outcome]] = {OWN: own.outcomes}
    for path, cases in elsewhere.items():
        sets[path.name] = await run_cases(cases, interpret, mode="local", now=NOW)
    return Findings(
        title="How well questions are read, claims judged and notes found",
        sets=sets,
        claims={"The project's own pairs of claims": own.claims},
        searches={"Questions to the demo vault": (own.searched, own.judgements)},
        checks={"Dates": own.dates, "Parameters": own.parameters},
        bounds=compared(read_bounds(), scores(own)),
    )


def main(arguments: Sequence[str] | None = None, *, page: Path = PAGE) -> int:
    """Print all tables and write the page."""
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    try:
        require_report()
        with writing(page):
            page.parent.mkdir(parents=True, exist_ok=True)
        findings = asyncio.run(run(given.files))
        show(findings)
        save_report(page, findings)
    except InputError as error:
        sys.stderr.write(f"evals: {error}\n")
        return 2
    return 0


def show(findings: Findings) -> None:
    """Print all tables."""
    for name, outcomes in findings.sets.items():
        for table in intent_tables(name, outcomes):
            console().print(table, "")
    for name, done in findings.checks.items():
        if done:
            console().print(checks(name, done), "")
    for name, pairs in findings.claims.items():
        for table in claim_tables(name, pairs):
            console().print(table, "")
    for name, (searched, judgements) in findings.searches.items():
        for table in retrieval_tables(name, searched, judgements):
            console().print(table, "")
    console().print(bounds_table(findings.bounds), "")


if __name__ == "__main__":
    sys.exit(main())
