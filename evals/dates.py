"""How many of the questions in data/dates*.jsonl get exactly the period they name.

Run with ``python -m evals.dates``. A case of kind "refused" names an impossible date: an error in
one line is right, and so is no date.
"""

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from time import process_time

from pydantic import BaseModel, TypeAdapter

from tools.dates import find_period
from tools.errors import InputError

DATA = Path(__file__).parent / "data"
FILES = ("dates.jsonl", "dates_more.jsonl")


class Case(BaseModel):
    """A question asked at ``now``; ``start`` and ``end`` are days in its zone, half-open."""

    query: str
    language: str
    now: datetime
    start: str | None
    end: str | None
    kind: str


def cases(name: str) -> list[Case]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [TypeAdapter(Case).validate_json(line) for line in lines]


def read(case: Case) -> tuple[str | None, str | None] | str:
    """The first day and the day after the last, as ISO dates, or the error's message."""
    try:
        found = find_period(case.query, now=case.now)
    except InputError as error:
        return str(error)
    if found is None:
        return None, None
    start, end = found.period.start, found.period.end
    return start and start.date().isoformat(), end and end.date().isoformat()


def is_right(case: Case) -> bool:
    got = read(case)
    if isinstance(got, str):
        return case.kind == "refused"
    return got == (case.start, case.end)


def wrong(chosen: Sequence[Case]) -> list[Case]:
    return [case for case in chosen if not is_right(case)]


def main() -> None:
    for name in FILES:
        chosen = cases(name)
        missed = wrong(chosen)
        took = sorted(_milliseconds(case) for case in chosen)
        share = 1 - len(missed) / len(chosen)
        p95 = took[int(len(took) * 0.95)]
        sys.stdout.write(f"{name}: {share:.3f} of {len(chosen)} right, p95 {p95:.2f} ms\n")
        for case in missed:
            sys.stdout.write(f"  {case.query} | {case.start} {case.end} | {read(case)}\n")


def _milliseconds(case: Case) -> float:
    started = process_time()
    read(case)
    return (process_time() - started) * 1000


if __name__ == "__main__":
    main()
