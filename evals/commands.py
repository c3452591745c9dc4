"""What ``brain eval …`` does: JSON lines in, JSON lines out, figures to the screen."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TextIO

from evals.cases import Case, read_lines
from evals.intents import build_interpreter, run_cases
from evals.metrics import Outcome
from evals.report import Findings, require_report, write_report
from evals.tables import intent_tables
from graphs.terminal import console, show_line
from tools.domain import Mode
from tools.errors import InputError
from tools.settings import load_model_settings

OK = 0


def intents(
    file: Path,
    *,
    out: Path,
    mode: Mode | None,
    model: str | None,
    limit: int | None,
    report: Path | None,
) -> int:
    """Read every question of ``file`` and write how to ``out``, one line each, in the same order.

    Raises InputError before anything is written for input that cannot be used. Each line is
    written as soon as it is known, so what is there when the run is stopped is whole.
    """
    if limit is not None and limit < 1:
        raise InputError(f"The limit {limit} is too small: read at least 1 question.")
    cases = read_lines(file, Case)[:limit]
    _apart(file, out, report)
    if report is not None:
        require_report()
        if all(case.intent is None for case in cases):
            raise InputError("--report compares with labels, and no question has an `intent`.")
    settings = load_model_settings(mode=mode, chat_model=model)
    now = datetime.now().astimezone()
    with _written(out) as sink, _progress(len(cases)) as advance:

        def write(outcome: Outcome) -> None:
            sink.write(f"{outcome.prediction.line()}\n")
            sink.flush()
            advance()

        outcomes = asyncio.run(
            run_cases(
                cases,
                build_interpreter(settings),
                mode=settings.mode,
                now=now,
                on_outcome=write,
            )
        )
    for table in intent_tables(file.name, outcomes):
        console().print(table, "")
    if report is not None:
        findings = Findings(title="How questions were read", sets={file.name: outcomes})
        with _place(report):
            write_report(report, findings, now=now)
        show_line(f"Report: {report}")
    return OK


def _apart(file: Path, out: Path, report: Path | None) -> None:
    """Raise InputError where one file would be written over another."""
    if out.exists() and out.samefile(file):
        raise InputError("--out names the input file itself: give another name.")
    if report is not None and report.exists() and report.samefile(file):
        raise InputError("--report names the input file itself: give another name.")
    if report is not None and report.resolve() == out.resolve():
        raise InputError("--out and --report name the same file: give two names.")


@contextmanager
def _written(path: Path) -> Generator[TextIO]:
    with _place(path):
        sink = path.open("w", encoding="utf-8")
    with sink:
        yield sink


@contextmanager
def _place(path: Path) -> Generator[None]:
    """Raise InputError, in one line, for a file that cannot be made there."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be written: {error.strerror}.") from None


@contextmanager
def _progress(total: int) -> Generator[Callable[[], None]]:
    """Show a bar on a terminal, nothing in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    out = Console(stderr=True)
    with Progress(console=out, disable=not out.is_terminal, transient=True) as bar:
        task = bar.add_task("questions read", total=total)
        yield lambda: bar.advance(task)
